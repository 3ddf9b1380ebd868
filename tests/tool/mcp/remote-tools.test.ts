import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { DeclaredTool } from '../../../engine/src/config/config.ts';
import { declaresName, mcpToolName, mcpToolNames } from '../../../engine/src/config/tool-name.ts';
import { ArgumentChecker } from '../../../engine/src/tool/arguments.ts';
import { readToolList } from '../../../engine/src/tool/mcp/remote-tools.ts';
import { readResult } from '../../../engine/src/tool/mcp/result.ts';

const listed = (name: string, inputSchema: object = { type: 'object' }, more: object = {}) => ({
  ...{ name, inputSchema: inputSchema as { type: 'object' } },
  ...more,
});

describe('the name of a tool', () => {
  test.each([
    ['stays', 'search', 'tickets__search'],
    ['loses characters that models refuse', 'a.b/c d', 'tickets__a_b_c_d'],
    ['loses letters of other alphabets', 'suche_ü', 'tickets__suche__'],
  ])('%s', (_name, tool, expected) => expect(mcpToolName('tickets', tool)).toBe(expected));

  test('above 64 characters ends with a hash', () => {
    const [one, other] = ['x'.repeat(100), `${'x'.repeat(99)}y`].map((tool) => mcpToolName('tickets', tool));
    expect(one).toMatch(/^tickets__x{46}_[0-9a-f]{8}$/);
    expect(other).toHaveLength(64);
    expect(other).not.toBe(one);
  });

  test('is told apart from that of another tool, whatever the order', () => {
    const names = mcpToolNames('t', ['a.b', 'a_b', 'a b']);
    expect(new Set(names.values()).size).toBe(3);
    expect(names.get('a_b')).toBe('t__a_b');
    expect(names.get('a.b')).toMatch(/^t__a_b_[0-9a-f]{8}$/);
    expect(mcpToolNames('t', ['a b', 'a_b', 'a.b']).get('a.b')).toBe(names.get('a.b'));
    for (const name of names.values()) expect(name.length).toBeLessThanOrEqual(64);
  });

  test('is known from the document alone', () => {
    const document: DeclaredTool = {
      ...{ id: 't', kind: 'mcp', description: '', enabled: true, command: 'x', allow: ['a.b', 'a_b'] },
      ...{ effects: 'read', trust: 'untrusted', timeoutSeconds: 60, maxBytes: 1000 },
    };
    const [, name = ''] = [...mcpToolNames('t', ['a.b', 'a_b'])][0] ?? [];
    expect(declaresName(document, name)).toBe(true);
    expect(declaresName(document, 't__other')).toBe(false);
  });
});

describe('a list of tools', () => {
  test('has the same hash for the same server and tools alone', async () => {
    const hashes = await Promise.all(
      [
        ['s', 'a'],
        ['s', 'a'],
        ['s', 'b'],
        ['other', 'a'],
      ].map(async ([server = '', tool = '']) => (await readToolList(server, [listed(tool)])).hash),
    );
    expect(hashes[0]).toBe(hashes[1]);
    expect(new Set(hashes).size).toBe(3);
  });

  test('keeps hints that make a tool stricter, and no others', async () => {
    const { tools } = await readToolList('s', [
      listed('reads', undefined, { annotations: { readOnlyHint: true } }),
      listed('writes', undefined, { annotations: { readOnlyHint: false } }),
      listed('destroys', undefined, { annotations: { readOnlyHint: true, destructiveHint: true } }),
      listed('silent'),
    ]);
    expect(tools.filter(({ writes }) => writes === true).map(({ name }) => name)).toEqual(['writes', 'destroys']);
  });

  test('is limited: tools, descriptions, schemas', async () => {
    const huge = { type: 'object', properties: { x: { type: 'string', description: 'y'.repeat(50_000) } } };
    const tools = [
      listed('a', huge, { description: 'd'.repeat(10_000) }),
      ...Array.from({ length: 300 }, (_, n) => listed(`t${n}`)),
    ];
    const list = await readToolList('s', tools);
    expect(list.tools).toHaveLength(200);
    expect(list.tools[0]?.parameters).toEqual({ type: 'object' });
    expect(list.tools[0]?.description.length).toBeLessThan(4100);
  });
});

describe('the parameters of a tool', () => {
  const parametersOf = async (schema: object) =>
    (await readToolList('s', [listed('a', schema)])).tools[0]?.parameters ?? {};

  test('keep what models need, and tell a pattern in words', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { id: { type: 'string', description: 'The id.', pattern: '^[A-Z]+$' }, pattern: { type: 'string' } },
      required: ['id'],
    };
    expect(await parametersOf(schema)).toEqual({
      type: 'object',
      properties: { id: { type: 'string', description: 'The id. Matches ^[A-Z]+$' }, pattern: { type: 'string' } },
      required: ['id'],
    });
  });

  test('hold nothing up: a pattern that never ends is not run', async () => {
    const schema = await parametersOf({ type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } });
    // Where it were run, this would not end.
    const given = { x: `${'a'.repeat(40)}!` };
    expect(await new ArgumentChecker().check(given, schema)).toEqual(given);
  });

  test.each([
    ['refers to a document elsewhere', { type: 'object', properties: { x: { $ref: 'https://example.org/x.json' } } }],
    ['is not valid', { type: 'object', properties: { x: { type: 'no such type' } } }],
    ['is no object', { type: 'array' }],
    [
      'is nested too deeply',
      JSON.parse(`{"type":"object","not":${'{"not":'.repeat(400)}{}${'}'.repeat(400)}}`) as object,
    ],
  ])('are unknown where the schema %s; the server checks alone', async (_name, schema) => {
    expect(await parametersOf(schema)).toEqual({ type: 'object' });
  });

  test('still check arguments', async () => {
    const schema = await parametersOf({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] });
    await expect(new ArgumentChecker().check({ n: 'one' }, schema)).rejects.toMatchObject({ code: 'TOOL_ARGUMENTS' });
  });
});

describe('a result', () => {
  test.each<[string, CallToolResult, object]>([
    ['one text', { content: [{ type: 'text', text: 'hi' }] }, { text: 'hi' }],
    ['nothing', { content: [] }, { text: '' }],
    [
      'a file and a link',
      {
        content: [
          { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
          { type: 'resource_link', uri: 'file:///b', name: 'b' },
        ],
      },
      {
        content: [
          { type: 'resource', uri: 'file:///a', text: 'inside' },
          { type: 'link', uri: 'file:///b', name: 'b' },
        ],
      },
    ],
    [
      'an image, without its bytes',
      { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
      { content: [{ type: 'image', mimeType: 'image/png', bytes: 3, note: 'not shown: only text can be read' }] },
    ],
    [
      'structured data, once',
      { content: [{ type: 'text', text: '{"b":1,"a":2}' }], structuredContent: { a: 2, b: 1 } },
      { structured: { a: 2, b: 1 } },
    ],
  ])('with %s', (_name, result, expected) => expect(readResult(result)).toEqual(expected));

  test('that is nested thousands of levels deep is an error', () => {
    const structuredContent = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as Record<string, unknown>;
    expect(() => readResult({ content: [], structuredContent })).toThrow('too deeply');
  });

  test('with an error is an error, of limited length', () => {
    const text = 'no '.repeat(10_000);
    expect(() => readResult({ isError: true, content: [{ type: 'text', text }] })).toThrow(/^(no ){100,}/);
    expect(() => readResult({ isError: true, content: [] })).toThrow('without a text');
  });
});
