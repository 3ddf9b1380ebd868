import { describe, expect, test } from 'vitest';
import { ArgumentChecker } from '../../engine/src/tool/arguments.ts';

const SCHEMA = {
  type: 'object',
  properties: { label: { type: 'string' }, mode: { enum: ['draft', 'send'] } },
  required: ['label'],
  additionalProperties: false,
} as const;

const checker = new ArgumentChecker();

describe('ArgumentChecker', () => {
  test('returns arguments that fit the schema', async () => {
    expect(await checker.read('{"label":"Mood"}', SCHEMA)).toEqual({ label: 'Mood' });
  });

  test('matches patterns of a schema in linear time', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '^x' } },
    };
    // Where it were matched otherwise, this would not end.
    await expect(checker.check({ a: `${'a'.repeat(40)}!` }, schema)).rejects.toMatchObject({ code: 'TOOL_ARGUMENTS' });
    expect(await checker.check({ a: 'aaa', b: 'x' }, schema)).toEqual({ a: 'aaa', b: 'x' });
    await expect(checker.check({ b: 'y' }, schema)).rejects.toMatchObject({ code: 'TOOL_ARGUMENTS' });
  });

  test('reads an empty text as no arguments', async () => {
    expect(await checker.read(' ', { type: 'object' })).toEqual({});
  });

  test.each([
    { name: 'text that is no JSON', text: '{"label":', says: /^arguments are not valid JSON/ },
    { name: 'a million levels', text: `{"label":${'['.repeat(1e6)}${']'.repeat(1e6)}}`, says: /nested more than 200/ },
    { name: 'an array', text: '[]', says: /an array/ },
    { name: 'null', text: 'null', says: /null/ },
    { name: 'a missing argument', text: '{}', says: /label/ },
    { name: 'an argument of another type', text: '{"label":1}', says: /^label must be string/ },
    { name: 'an argument that the tool does not have', text: '{"label":"a","lable":"b"}', says: /lable/ },
    { name: 'a value that is not among the allowed ones', text: '{"label":"a","mode":"x"}', says: /mode.*draft,send/ },
  ])('refuses $name and tells the model what to change', async ({ text, says }) => {
    await expect(checker.read(text, SCHEMA)).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS',
      message: expect.stringMatching(says) as string,
      hint: expect.any(String) as string,
    });
  });

  test('reports at most five faults at once', async () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`extra${n}`, n]));
    const error: unknown = await checker.check({ label: 'a', ...many }, SCHEMA).catch((reason: unknown) => reason);
    expect(String(error).match(/extra\d/g)).toHaveLength(5);
  });
});
