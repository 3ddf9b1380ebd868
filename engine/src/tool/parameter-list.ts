import { isRecord } from '../base/json.ts';

/** One parameter of a tool, as people and models read it. */
export interface ListedParameter {
  /** `event.title` for a field of an object, `events[].title` for one of the objects in a list. */
  readonly name: string;
  /** `string`, `string[]`, `"open" | "done"`; `any` where the schema does not say. */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** The parameters of a JSON Schema of tool arguments, fields of objects included, each after its object. */
export function listParameters(schema: object): readonly ListedParameter[] {
  return fieldsOf(schema, '');
}

/** `input: string, sessionId?: string` */
export function summarizeParameters(schema: object): string {
  return listParameters(schema)
    .filter(({ name }) => !/[.[]/.test(name))
    .map(({ name, required, type }) => `${name}${required ? '' : '?'}: ${type}`)
    .join(', ');
}

function fieldsOf(schema: object, path: string): ListedParameter[] {
  const properties = 'properties' in schema ? schema.properties : undefined;
  if (!isRecord(properties)) return [];
  const required: readonly unknown[] = 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).flatMap(([key, value]) => {
    const field = isRecord(value) ? value : {};
    const { description, items } = field;
    const name = path + key;
    const listed = {
      ...{ name, type: typeOf(field), required: required.includes(key) },
      description: typeof description === 'string' ? description : '',
    };
    return [listed, ...fieldsOf(field, `${name}.`), ...(isRecord(items) ? fieldsOf(items, `${name}[].`) : [])];
  });
}

function typeOf({ type, enum: values, items }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return isRecord(items) ? `${listType(items)}[]` : 'array';
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function listType(items: Readonly<Record<string, unknown>>): string {
  const type = typeOf(items);
  return type.includes('|') ? `(${type})` : type;
}
