import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { generateTypes } from '../../../scripts/generate-types.ts';
import { generateValidators } from '../../../scripts/schema-validators.ts';
import { isRecord } from '../../../engine/src/base/json.ts';
import { createShapeCheck, SCHEMAS } from '../../../engine/src/config/parse/schema.ts';
import { VARIABLES } from '../../../engine/src/config/prompt/variable.ts';

const KIND_NAMES = Object.keys(SCHEMAS);

async function load(kind: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(new URL(`../../../schemas/${kind}.schema.json`, import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >;
}

/** Every schema below `node`, with its path. */
function* schemasBelow(node: unknown, path: string): Iterable<[string, Record<string, unknown>]> {
  if (!isRecord(node)) return;
  yield [path, node];
  for (const key of ['properties', '$defs'])
    if (isRecord(node[key]))
      for (const [name, member] of Object.entries(node[key])) yield* schemasBelow(member, `${path}/${name}`);
  for (const key of ['items', 'then', 'else', 'additionalProperties']) yield* schemasBelow(node[key], `${path}/${key}`);
}

test('the document types are what the schemas say', async () => {
  const types = await readFile(new URL('../../../engine/src/config/documents.gen.ts', import.meta.url), 'utf8');
  expect(types).toBe(await generateTypes());
});

test('the compiled schemas are what the schemas say', async () => {
  const compiled = await readFile(
    new URL('../../../engine/src/config/parse/validators.gen.ts', import.meta.url),
    'utf8',
  );
  // Not `toBe`, whose difference of a million characters takes minutes.
  expect(compiled === generateValidators()).toBe(true);
});

describe.each(KIND_NAMES)('schemas/%s.schema.json', (kind) => {
  test('says of every key what it is, with an example', async () => {
    const poor: string[] = [];
    for (const [path, schema] of schemasBelow(await load(kind), '')) {
      for (const [name, member] of Object.entries(isRecord(schema['properties']) ? schema['properties'] : {})) {
        if (!isRecord(member) || (member['$ref'] !== undefined && member['description'] === undefined)) continue;
        if (typeof member['description'] !== 'string' || !Array.isArray(member['examples']))
          poor.push(`${path}/${name}`);
        if ((member['type'] === 'number' || member['type'] === 'integer') && member['x-unit'] === undefined)
          poor.push(`${path}/${name}: no unit`);
      }
    }
    expect(poor).toEqual([]);
  });

  test('takes no key that it does not name', async () => {
    const open: string[] = [];
    for (const [path, schema] of schemasBelow(await load(kind), ''))
      if (isRecord(schema['properties']) && schema['additionalProperties'] !== false) open.push(path);
    expect(open).toEqual([]);
  });

  test('has defaults and examples that are valid', async () => {
    const schema = await load(kind);
    const ajv = new Ajv2020({ strict: false, discriminator: true, allErrors: true });
    const wrong: string[] = [];
    for (const [path, member] of schemasBelow(schema, '')) {
      const check = ajv.compile({ ...member, $id: undefined, discriminator: undefined, $defs: schema['$defs'] });
      const values = [
        ...(Array.isArray(member['examples']) ? member['examples'] : []),
        ...('default' in member ? [member['default']] : []),
      ];
      for (const value of values)
        if (!check(value)) wrong.push(`${path}: ${JSON.stringify(value)} ${ajv.errorsText(check.errors)}`);
    }
    expect(wrong).toEqual([]);
  });
});

test('prompts document every variable that they can hold', async () => {
  const text = JSON.stringify(await load('director'));
  expect(VARIABLES.filter((name) => !text.includes(`{{${name}}}`))).toEqual([]);
});

test('two documents get defaults of their own, also from two configs of one process', () => {
  const fill = () => {
    const value: { budget?: object } = {};
    expect(createShapeCheck()('settings', value)).toEqual([]);
    return value;
  };
  const [a, b] = [fill(), fill()];
  expect(a.budget).toEqual({});
  expect(b).toEqual(a);
  expect(b.budget).not.toBe(a.budget);
});
