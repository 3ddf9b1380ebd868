import { isRecord, readJson } from '../../base/json.ts';
import type { JsonSchema } from '../../model/model.ts';

/**
 * The value of a final answer. A strict mode that wants every property makes the model write `null` for one that may be missing: such a
 * `null` is left out where the schema does not allow it. Throws `SyntaxError` for a text that is no JSON.
 */
export function readOutput(text: string, schema: JsonSchema): unknown {
  return withoutNulls(readJson(text), schema, schema);
}

function withoutNulls(value: unknown, node: unknown, root: JsonSchema): unknown {
  const schema = resolved(node, root);
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, schema['items'], root));
  const { properties, required } = schema;
  if (!isRecord(value) || !isRecord(properties)) return value;
  const isMissing = (name: string, one: unknown) =>
    one === null &&
    Object.hasOwn(properties, name) &&
    !(Array.isArray(required) && required.includes(name)) &&
    !allowsNull(resolved(properties[name], root), root);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => !isMissing(name, one))
      .map(([name, one]) => [name, withoutNulls(one, properties[name], root)]),
  );
}

/** The schema that a node stands for: itself, or the one that it refers to. */
function resolved(node: unknown, root: JsonSchema): JsonSchema {
  if (!isRecord(node)) return {};
  const name = typeof node['$ref'] === 'string' ? /^#\/\$defs\/([^/~%]+)$/.exec(node['$ref'])?.[1] : undefined;
  const { $defs: defs } = root;
  const target = name !== undefined && isRecord(defs) ? defs[name] : undefined;
  return isRecord(target) ? target : node;
}

/** Whether a schema takes null. One that says nothing of types does. */
function allowsNull({ type, enum: values, const: one, anyOf, oneOf }: JsonSchema, root: JsonSchema): boolean {
  if (one !== undefined) return one === null;
  if (Array.isArray(values)) return values.includes(null);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.some((choice) => allowsNull(resolved(choice, root), root));
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
}
