import type { ErrorObject } from 'ajv/dist/2020.js';
import { isRecord } from '../../base/json.ts';
import type { Kind } from '../config.ts';
import { type CheckShape, SCHEMAS } from '../parse/schema.ts';

/** A document with schema errors after the wrong keys were removed or replaced. */
export interface Salvaged {
  /** Valid against its schema, with defaults. */
  readonly value: Record<string, unknown>;
  /** Root keys that were removed or filled with an example: findings about them must be ignored. */
  readonly replaced: ReadonlySet<string>;
}

/**
 * Removes or replaces keys with schema errors, so that the other checks can run: a document with an unknown key and a
 * misspelt tool then reports both at once. Undefined if the root itself is wrong (no provider, two conditions).
 */
export function salvage(
  kind: Kind,
  original: object,
  errors: readonly ErrorObject[],
  checkShape: CheckShape,
): Salvaged | undefined {
  const value = structuredClone(original) as Record<string, unknown>;
  const replaced = new Set<string>();
  for (const { keyword, instancePath, params } of errors) {
    const root = rootKey(instancePath);
    if (keyword === 'additionalProperties') remove(value, instancePath, String(params['additionalProperty']));
    else if (root !== undefined) replace(kind, value, root, replaced);
    else if (keyword === 'required') replace(kind, value, String(params['missingProperty']), replaced);
    else return undefined;
  }
  return checkShape(kind, value).length === 0 ? { value, replaced } : undefined;
}

/** Replaces a wrong or missing value by the example of the schema; removes it if it is optional. */
function replace(kind: Kind, value: Record<string, unknown>, key: string, replaced: Set<string>): void {
  if (replaced.has(key)) return;
  replaced.add(key);
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
