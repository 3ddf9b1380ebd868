import type { CustomTypesConfig } from 'pg';

/** Object ids of types, as PostgreSQL numbers them (pg_type.dat). */
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
 * Reads a value from the form that PostgreSQL sends it in: numbers as numbers (ours are below 2^53), bytes as bytes, JSON
 * parsed, all else as text. Needs `bytea_output = hex`.
 */
export const parserOf: CustomTypesConfig['getTypeParser'] = (type: number) => PARSERS.get(type) ?? asText;

/** An array of bytes in PostgreSQL's binary form of `bytea[]`; in text it would be twice as long. Other values as they are. */
export function encodeBytesArray(value: unknown): unknown {
  if (!Array.isArray(value) || !(value[0] instanceof Uint8Array)) return value;
  const items = value as readonly Uint8Array[];
  const bytes = Buffer.allocUnsafe(items.reduce((sum, { length }) => sum + 4 + length, 20));
  // One dimension, no nulls, the type of the elements, how many, and the number of the first.
  [1, 0, BYTEA, items.length, 1].forEach((word, at) => bytes.writeInt32BE(word, at * 4));
  let at = 20;
  for (const item of items) {
    at = bytes.writeInt32BE(item.length, at);
    bytes.set(item, at);
    at += item.length;
  }
  return bytes;
}
