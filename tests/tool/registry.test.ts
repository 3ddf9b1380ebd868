import { expect, expectTypeOf, test } from 'vitest';
import { defineTool } from '../../engine/src/tool/define-tool.ts';
import { parameters, type ValueOf } from '../../engine/src/tool/parameters.ts';
import { builtInTools, FAMILIES, TOOL_ALIASES } from '../../engine/src/tool/registry.ts';
import { toolServices } from './tool-services.ts';

const services = toolServices();

test.each(FAMILIES.map((family) => [family.name, family] as const))(
  'each tool of the family %s names it',
  (name, { tools }) => {
    expect(tools(services).filter(({ family }) => family !== name)).toEqual([]);
  },
);

test('each tool of notebooks says its operation, by which the scope refuses it', () => {
  const notebook = FAMILIES.find(({ name }) => name === 'notebook');
  const operations = (notebook?.tools(services) ?? []).map(({ operation }) => operation);
  expect(operations).toHaveLength(8);
  expect(operations).not.toContain(undefined);
});

test('no two families and no two tools have the same name', () => {
  const names = [...FAMILIES, ...builtInTools(services)].map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('each alias names a tool, and is none itself', () => {
  const names = builtInTools(services).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...TOOL_ALIASES.values()]));
  expect([...TOOL_ALIASES.keys()].filter((alias) => names.includes(alias))).toEqual([]);
});

test('the arguments of a tool have the type that its parameters say', () => {
  const schema = parameters(
    {
      city: { type: 'string' },
      days: { type: 'integer' },
      unit: { type: 'string', enum: ['c', 'f'] },
      near: {
        type: 'array',
        items: {
          type: 'object',
          required: ['lat'],
          properties: { lat: { type: 'number' }, isHigh: { type: 'boolean' } },
        },
      },
    } as const,
    ['city'],
  );
  expectTypeOf<ValueOf<typeof schema>>().branded.toEqualTypeOf<{
    readonly city: string;
    readonly days?: number;
    readonly unit?: 'c' | 'f';
    readonly near?: readonly { readonly lat: number; readonly isHigh?: boolean }[];
  }>();
  expectTypeOf<ValueOf<{ readonly oneOf: readonly [] }>>().toEqualTypeOf<unknown>();
});

test('parameters keep the order of their keys, which models see', () => {
  const tool = defineTool({
    ...{ name: 'weather', family: 'weather', effects: 'read', repeat: 'free', description: 'Tells the weather.' },
    parameters: parameters({ city: { type: 'string' } }, ['city']),
    run: async ({ city }) => city,
  });
  expect(JSON.stringify(tool.parameters)).toBe(
    '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}',
  );
});
