import { isRecord } from '../../base/json.ts';

/** Keywords whose value has schemas by name. */
const NAMED = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose value is data. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'type']);
/**
 * Keywords that are left out. `pattern` and `patternProperties`: a regular expression of a server could run for hours.
 * `$schema`, `$id` and the like refer to documents that nobody loads.
 */
const LEFT_OUT = new Set(['pattern', 'patternProperties', 'format', '$schema', '$id', 'id', '$anchor', '$comment']);
const LONGEST_PATTERN = 200;

/** A JSON Schema that can be compiled and used without danger. A pattern becomes a sentence of the description. */
export function safeSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(schema)
    .filter(([key]) => !LEFT_OUT.has(key))
    // Names that only a pattern allows must stay allowed.
    .filter(([key]) => key !== 'additionalProperties' || schema['patternProperties'] === undefined)
    .map(([key, value]) => [key, safeValue(key, value)] as const);
  const { pattern, description } = schema;
  const isTold = typeof pattern === 'string' && pattern.length <= LONGEST_PATTERN;
  const told = isTold && `${typeof description === 'string' ? `${description} ` : ''}Matches ${pattern}`;
  return { ...Object.fromEntries(entries), ...(isTold && { description: told }) };
}

function safeValue(key: string, value: unknown): unknown {
  if (DATA.has(key)) return value;
  if (Array.isArray(value)) return value.map((one) => (isRecord(one) ? safeSchema(one) : (one as unknown)));
  if (!isRecord(value)) return value;
  if (!NAMED.has(key)) return safeSchema(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isRecord(one) ? safeSchema(one) : one] as const),
  );
}
