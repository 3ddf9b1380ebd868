import { isRecord } from '../../base/json.ts';

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isFilledList = (value: unknown) => Array.isArray(value) && value.length > 0;

/** The keywords of a plain schema, each with what its value must be. */
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  default: () => true,
  examples: Array.isArray,
  type: (value) => TYPES.has(value),
  enum: isFilledList,
  const: () => true,
  properties: (value) => isRecord(value) && Object.values(value).every(isPlainSchema),
  required: (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length,
  additionalProperties: (value) => isBoolean(value) || isPlainSchema(value),
  items: isPlainSchema,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isBoolean,
  minLength: isCount,
  maxLength: isCount,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
};

/**
 * Whether a value is certainly a JSON Schema: it uses only everyday keywords, each with a valid value. Most schemas of tools are
 * plain, and to recognise one takes microseconds, while the compiler takes longer to load than a config to validate.
 */
export function isPlainSchema(schema: unknown): boolean {
  return (
    isRecord(schema) &&
    Object.entries(schema).every(([key, value]) => Object.hasOwn(KEYWORDS, key) && KEYWORDS[key]?.(value) === true)
  );
}
