import type { CustomTypesConfig } from 'pg';

/** Object ids of types in PostgreSQL (pg_type.dat). */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const FLOAT4 = 700;
const FLOAT8 = 701;

const asText = (text: string) => text;
const asNumber = (text: string) => Number(text);
const PARSERS = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => text === 't'],
  [BYTEA, (text) => Buffer.from(text.slice(2), 'hex')],
  ...[INT8, INT2, INT4, OID, FLOAT4, FLOAT8].map((type) => [type, asNumber] as const),
  ...[114, 3802].map((type) => [type, (text: string) => JSON.parse(text) as unknown] as const),
]);

/**
 * Returns the parser for values of a type, from PostgreSQL's text format: numbers (ours are below 2^53), bytes, and
 * parsed JSON; everything else stays text. Needs `bytea_output = hex`.
 */
export const parserOf: CustomTypesConfig['getTypeParser'] = (type: number) => PARSERS.get(type) ?? asText;

/**
 * Encodes an array of byte strings in the binary format of `bytea[]`, half as long as the text format. Leaves other
 * values unchanged.
 */
export function encodeBytesArray(value: unknown): unknown {
  if (!Array.isArray(value) || !(value[0] instanceof Uint8Array)) return value;
  const items = value as readonly Uint8Array[];
  const bytes = Buffer.allocUnsafe(items.reduce((sum, { length }) => sum + 4 + length, 20));
  // Header: one dimension, no nulls, element type, number of elements, index of the first element.
  [1, 0, BYTEA, items.length, 1].forEach((word, at) => bytes.writeInt32BE(word, at * 4));
  let at = 20;
  for (const item of items) {
    at = bytes.writeInt32BE(item.length, at);
    bytes.set(item, at);
    at += item.length;
  }
  return bytes;
}
