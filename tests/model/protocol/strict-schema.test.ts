import { describe, expect, test } from 'vitest';
import { strictSchema } from '../../../engine/src/model/protocol/strict-schema.ts';

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});
const strict = (properties: object, more: object = {}) => object(properties, { additionalProperties: false, ...more });
const text = { type: 'string' };

describe('a strict mode gets', () => {
  test.each<[string, object, object]>([
    ['objects without other properties', object({ a: text }), strict({ a: text })],
    [
      'no limits of length, size and format',
      object({ a: { ...text, maxLength: 3, format: 'email', title: 'A' }, b: { type: 'integer', minimum: 1 } }),
      strict({ a: text, b: { type: 'integer' } }),
    ],
    ['one value as a list', object({ a: { const: 'x' } }), strict({ a: { type: 'string', enum: ['x'] } })],
    [
      'lists of values with their types',
      object({ a: { enum: ['x', null] } }),
      strict({ a: { type: ['string', 'null'], enum: ['x', null] } }),
    ],
    ['one of several as any of them', object({ a: { oneOf: [text] } }), strict({ a: { anyOf: [text] } })],
    [
      'definitions',
      object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: object({ c: text }) } }),
      strict({ a: { $ref: '#/$defs/b' } }, { $defs: { b: strict({ c: text }) } }),
    ],
    [
      'objects in lists',
      object({ a: { type: 'array', items: object({ b: text }) } }),
      strict({ a: { type: 'array', items: strict({ b: text }) } }),
    ],
  ])('%s', (_name, schema, sent) => {
    expect(strictSchema({ ...schema }, { hasOptional: false })).toEqual(sent);
  });
});

describe('a strict mode does not get', () => {
  test.each<[string, object]>([
    ['a list', { type: 'array', items: text }],
    ['an object with properties of any name', object({ a: { type: 'object' } })],
    ['an object with further properties', object({ a: text }, { additionalProperties: true })],
    ['a value of any type', object({ a: {} })],
    ['a list of anything', object({ a: { type: 'array' } })],
    ['a required property that it does not describe', { ...object({ a: text }), required: ['a', 'b'] }],
    ['all of several schemas', object({ a: { allOf: [text] } })],
    ['a schema from elsewhere', object({ a: { $ref: 'https://example.org/x' } })],
    ['recursion', object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: object({ c: { $ref: '#/$defs/b' } }) } })],
    ['values that are objects', object({ a: { enum: [{ b: 1 }] } })],
  ])('%s', (_name, schema) => {
    expect(strictSchema({ ...schema }, { hasOptional: true })).toBeUndefined();
  });
});

describe('a property that may be missing', () => {
  const node = {
    b: { type: 'array', items: text },
    c: { enum: ['x'] },
    d: { anyOf: [text] },
    e: { $ref: '#/$defs/f' },
  };
  const schema = { ...object({ a: text, ...node }), required: ['a'], $defs: { f: text } };

  test('stays so where the server takes that', () => {
    expect(strictSchema(schema, { hasOptional: true })).toMatchObject({ required: ['a'] });
  });

  test('may be null elsewhere', () => {
    expect(strictSchema(schema, { hasOptional: false })).toMatchObject({
      required: ['a', 'b', 'c', 'd', 'e'],
      properties: {
        a: text,
        b: { type: ['array', 'null'], items: text },
        c: { type: ['string', 'null'], enum: ['x', null] },
        d: { anyOf: [text, { type: 'null' }] },
        e: { anyOf: [{ $ref: '#/$defs/f' }, { type: 'null' }] },
      },
    });
  });
});
