import { expect, test } from 'vitest';
import { readOutput } from '../../../engine/src/run/output/read-output.ts';

const text = { type: 'string' };
const schema = {
  type: 'object',
  required: ['a'],
  properties: {
    a: text,
    b: text,
    c: { type: ['string', 'null'] },
    d: { enum: ['x', null] },
    e: { anyOf: [text, { type: 'null' }] },
    f: {},
    g: { $ref: '#/$defs/inner' },
    h: { type: 'array', items: { $ref: '#/$defs/inner' } },
    i: { enum: ['x'] },
    j: { anyOf: [text] },
  },
  $defs: { inner: { type: 'object', properties: { k: text } } },
};

test.each<[string, object, object | undefined]>([
  ['a null of a property that may be missing is left out', { a: 'x', b: null, g: null, i: null, j: null }, { a: 'x' }],
  ['a null that the schema allows stays', { a: 'x', c: null, d: null, e: null, f: null }, undefined],
  ['a null of a property that must be there stays', { a: null }, undefined],
  ['a null of a property that the schema does not name stays', { a: 'x', z: null }, undefined],
  ['values inside are read as well', { a: 'x', g: { k: null }, h: [{ k: null }] }, { a: 'x', g: {}, h: [{}] }],
])('%s', (_name, value, read) => {
  expect(readOutput(JSON.stringify(value), schema)).toEqual(read ?? value);
});
