import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainSchema } from '../../../engine/src/config/parse/plain-schema.ts';

test.each([
  [
    'an object with texts',
    { type: 'object', properties: { a: { type: 'string', maxLength: 3 } }, required: ['a'] },
    true,
  ],
  ['the empty schema', {}, true],
  ['an unknown type', { type: 'text' }, false],
  ['a fault far below', { type: 'object', properties: { a: { items: { minItems: -1 } } } }, false],
  ['an empty enum', { enum: [] }, false],
  ['a key that is required twice', { required: ['a', 'a'] }, false],
  ['a reference, which only the compiler follows', { $ref: '#/$defs/a' }, false],
  ['a pattern, which only an engine can judge', { pattern: 'a' }, false],
  ['a name that objects inherit', { constructor: {} }, false],
])('%s: %o is plain: %s', (_name, schema, expected) => {
  expect(isPlainSchema(schema)).toBe(expected);
});

test('the compiler accepts every plain schema', () => {
  const any = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom('string', 'object', 'text', ['a'], [], 1, -1, 1.5),
  );
  const { schema } = fc.letrec((tie) => ({
    schema: fc.dictionary(
      fc.constantFrom(
        ...['type', 'enum', 'const', 'required', 'items', 'additionalProperties', 'minItems', 'maxLength', 'minimum'],
        ...['uniqueItems', 'title', 'default', 'examples', 'exclusiveMaximum', 'properties', '$ref', 'pattern'],
      ),
      fc.oneof(any, tie('schema'), fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 })),
      { maxKeys: 3 },
    ),
  }));
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  let plain = 0;
  fc.assert(
    fc.property(schema, (value) => {
      if (!isPlainSchema(value)) return;
      plain++;
      ajv.compile({ ...value });
    }),
    { numRuns: 400 },
  );
  expect(plain).toBeGreaterThan(20);
});
