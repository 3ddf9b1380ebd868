import type { ErrorObject } from 'ajv/dist/2020.js';
import { isRecord } from '../../base/json.ts';
import type { Kind } from '../config.ts';
import { type CheckShape, SCHEMAS } from '../parse/schema.ts';

/** What is left of a document whose shape is wrong, once the wrong keys are out. */
export interface Salvaged {
  /** Valid by its schema, with defaults. */
  readonly value: Record<string, unknown>;
  /** Keys of the root that were taken out, or stand in for missing ones: nothing about them is true. */
  readonly untrue: ReadonlySet<string>;
}

/**
 * Takes out what the schema refuses, so that the rest can be checked too: a document with an unknown key and a misspelt
 * tool shows both at once. Undefined where the root itself is at fault (no provider, two conditions).
 */
export function salvage(
  kind: Kind,
  original: object,
  errors: readonly ErrorObject[],
  checkShape: CheckShape,
): Salvaged | undefined {
  const value = structuredClone(original) as Record<string, unknown>;
  const untrue = new Set<string>();
  for (const { keyword, instancePath, params } of errors) {
    const root = rootKey(instancePath);
    if (keyword === 'additionalProperties') remove(value, instancePath, String(params['additionalProperty']));
    else if (root !== undefined) replace(kind, value, root, untrue);
    else if (keyword === 'required') replace(kind, value, String(params['missingProperty']), untrue);
    else return undefined;
  }
  return checkShape(kind, value).length === 0 ? { value, untrue } : undefined;
}

/** The example of the schema in the place of a wrong or missing value. */
function replace(kind: Kind, value: Record<string, unknown>, key: string, untrue: Set<string>): void {
  if (untrue.has(key)) return;
  untrue.add(key);
  const example = exampleOf(kind, value['provider'], key);
  if (example === undefined) delete value[key];
  else value[key] = example;
}

function exampleOf(kind: Kind, provider: unknown, key: string): unknown {
  const schema: unknown = SCHEMAS[kind];
  const definitions = isRecord(schema) && isRecord(schema['$defs']) ? schema['$defs'] : {};
  const branch = isRecord(schema) && isRecord(schema['properties']) ? schema : definitions[String(provider)];
  const members = isRecord(branch) && isRecord(branch['properties']) ? branch['properties'] : {};
  const required = isRecord(branch) && Array.isArray(branch['required']) ? branch['required'] : [];
  const member = members[key];
  const examples = isRecord(member) && Array.isArray(member['examples']) ? member['examples'] : [];
  return required.includes(key) ? structuredClone(examples[0] as unknown) : undefined;
}

function remove(value: Record<string, unknown>, pointer: string, key: string): void {
  let node: unknown = value;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    node = isRecord(node) || Array.isArray(node) ? Reflect.get(node, name) : undefined;
  }
  if (isRecord(node)) delete node[key];
}

function rootKey(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
}
