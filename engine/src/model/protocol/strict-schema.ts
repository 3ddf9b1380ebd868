import { isRecord } from '../../base/json.ts';
import type { JsonSchema } from '../model.ts';

/** Kinds of properties that a server's strict mode takes: OpenAI's wants each property to be there, so that null stands for a missing one. */
export interface StrictRules {
  readonly hasOptional: boolean;
}

/** Keywords without which a schema accepts more. The engine checks every answer against the whole schema. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['pattern', 'format', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
  ...['minProperties', 'maxProperties', 'propertyNames', 'dependentRequired', 'not', 'if', 'then', 'else'],
  ...['$schema', '$comment', 'title', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
]);
/** Most levels of a schema. The documentation of OpenAI names ten for objects. */
const MAX_DEPTH = 10;
const REF = /^#\/\$defs\/([^/~%]+)$/;

/**
 * A schema in the subset of JSON Schema that strict modes take (OpenAI, guide "Structured outputs", "Supported schemas"; Anthropic,
 * "Structured outputs", "JSON Schema limitations"): objects have no other properties than the named ones, and limits of length, size
 * and format are left out, since not all servers take them and a placeholder of a private value would not meet them. Every answer that
 * meets it may still break the whole schema. Undefined where the subset cannot express the schema: a root that is no object, a value
 * of any type, properties of any name, recursion.
 */
export function strictSchema(schema: JsonSchema, rules: StrictRules): JsonSchema | undefined {
  if (schema['type'] !== 'object' || isRecursive(schema)) return undefined;
  return strictNode(schema, rules, 0);
}

function strictNode(node: unknown, rules: StrictRules, depth: number): JsonSchema | undefined {
  if (!isRecord(node) || depth > MAX_DEPTH) return undefined;
  const { description, $defs: defs, ...rest } = node;
  const named = { ...(typeof description === 'string' && { description }) };
  const body = strictBody(rest, rules, depth);
  const inner = defs === undefined ? {} : strictMap(defs, rules, depth);
  if (body === undefined || inner === undefined) return undefined;
  return { ...named, ...body, ...(defs !== undefined && { $defs: inner }) };
}

function strictBody(node: JsonSchema, rules: StrictRules, depth: number): JsonSchema | undefined {
  const kept = Object.fromEntries(Object.entries(node).filter(([key]) => !DROPPED.has(key)));
  const only = (...keys: string[]) => Object.keys(kept).every((key) => keys.includes(key));
  const { $ref: ref, enum: values, const: one, anyOf, oneOf, type } = kept;
  if (typeof ref === 'string') return REF.test(ref) && only('$ref') ? { $ref: ref } : undefined;
  if ('const' in kept) return only('const', 'type') ? strictEnum([one]) : undefined;
  if (values !== undefined) return only('enum', 'type') && Array.isArray(values) ? strictEnum(values) : undefined;
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) {
    if (!Array.isArray(choices) || !only('anyOf', 'oneOf') || (anyOf !== undefined && oneOf !== undefined))
      return undefined;
    const parts = choices.map((part) => strictNode(part, rules, depth + 1));
    return parts.includes(undefined) ? undefined : { anyOf: parts };
  }
  const types = Array.isArray(type) ? type : [type];
  if (types.length === 0 || !types.every((name) => typeof name === 'string')) return undefined;
  const object = types.includes('object') ? strictObject(kept, rules, depth) : {};
  const items = types.includes('array') ? strictNode(kept['items'], rules, depth + 1) : {};
  if (object === undefined || items === undefined) return undefined;
  if (!only('type', 'properties', 'required', 'additionalProperties', 'items')) return undefined;
  return { type, ...object, ...(types.includes('array') && { items }) };
}

function strictObject(node: JsonSchema, rules: StrictRules, depth: number): JsonSchema | undefined {
  const { properties, required = [], additionalProperties = false } = node;
  if (!isRecord(properties) || additionalProperties !== false || !Array.isArray(required)) return undefined;
  const names = Object.keys(properties);
  if (!required.every((name) => typeof name === 'string' && names.includes(name))) return undefined;
  const strict = strictMap(properties, rules, depth + 1);
  if (strict === undefined) return undefined;
  if (rules.hasOptional) return { properties: strict, required, additionalProperties: false };
  const all = Object.entries(strict).map(([name, node]) => [name, required.includes(name) ? node : nullable(node)]);
  return { properties: Object.fromEntries(all), required: names, additionalProperties: false };
}

/** A schema that also takes null, which stands for a property that may be missing. */
function nullable(node: unknown): unknown {
  if (!isRecord(node)) return node;
  const { type, enum: values, anyOf } = node;
  if (Array.isArray(anyOf)) return { ...node, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined) return { anyOf: [node, { type: 'null' }] };
  const types = [...new Set([...(Array.isArray(type) ? type : [type]), 'null'])];
  return { ...node, type: types, ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }) };
}

function strictMap(map: unknown, rules: StrictRules, depth: number): JsonSchema | undefined {
  if (!isRecord(map)) return undefined;
  const entries = Object.entries(map).map(([name, node]) => [name, strictNode(node, rules, depth)] as const);
  return entries.some(([, node]) => node === undefined) ? undefined : Object.fromEntries(entries);
}

/** A list of plain values, with their types. */
function strictEnum(values: readonly unknown[]): JsonSchema | undefined {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  if (values.length === 0 || types.some((type) => !['string', 'number', 'boolean', 'null'].includes(type)))
    return undefined;
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

/** Whether a definition leads back to itself. */
function isRecursive(schema: JsonSchema): boolean {
  const defs = isRecord(schema['$defs']) ? schema['$defs'] : {};
  const leadsBack = (name: string, trail: readonly string[]): boolean =>
    trail.includes(name) || refsIn(defs[name]).some((next) => leadsBack(next, [...trail, name]));
  return Object.keys(defs).some((name) => leadsBack(name, []));
}

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const name = key === '$ref' && typeof member === 'string' ? REF.exec(member)?.[1] : undefined;
    return name === undefined ? refsIn(member) : [name];
  });
}
