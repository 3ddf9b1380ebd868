import { isRecord } from '../../http/json.ts';

/** The parts of a JSON Schema (draft 2020-12) that forms understand. */
export interface Schema {
  readonly '$ref'?: string;
  readonly '$defs'?: Readonly<Record<string, Schema>>;
  readonly 'title'?: string;
  readonly 'description'?: string;
  readonly 'type'?: string | readonly string[];
  readonly 'enum'?: readonly unknown[];
  readonly 'const'?: unknown;
  readonly 'default'?: unknown;
  readonly 'examples'?: readonly unknown[];
  readonly 'properties'?: Readonly<Record<string, Schema>>;
  readonly 'additionalProperties'?: boolean | Schema;
  readonly 'required'?: readonly string[];
  readonly 'dependentRequired'?: Readonly<Record<string, readonly string[]>>;
  readonly 'items'?: Schema;
  readonly 'oneOf'?: readonly Schema[];
  readonly 'discriminator'?: { readonly propertyName: string };
  readonly 'if'?: Schema;
  readonly 'then'?: Schema;
  readonly 'minLength'?: number;
  readonly 'maxLength'?: number;
  readonly 'minimum'?: number;
  readonly 'maximum'?: number;
  readonly 'x-unit'?: string;
  readonly 'x-secret'?: boolean;
  readonly 'x-regex'?: boolean;
  readonly 'x-expected'?: string;
  readonly 'x-default-from'?: string;
}

/** A value of a document; keys that are undefined are left out of the file. */
export type Value = unknown;

/** An object of a document. */
export type Fields = Readonly<Record<string, Value>>;

/** Whether a value is an object. */
export const isFields = (value: Value): value is Fields => isRecord(value);

/** The schema behind a `$ref`, with what stands beside it. */
export function resolve(schema: Schema, root: Schema): Schema {
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  const target = name === undefined ? undefined : root.$defs?.[name];
  if (target === undefined) return schema;
  const { $ref: _ref, ...beside } = schema;
  return resolve({ ...target, ...beside }, root);
}

/** How a value is edited. */
export type Shape =
  'fixed' | 'choice' | 'flag' | 'number' | 'text' | 'list' | 'checks' | 'group' | 'map' | 'prompt' | 'yaml';

/** The shape of a value by its schema, which is resolved; `yaml` for everything that no other field can edit. */
export function shapeOf(schema: Schema, value: Value, root: Schema): Shape {
  if (schema.title === 'PromptSource' || isPromptList(schema, root)) return 'prompt';
  if (schema.const !== undefined) return 'fixed';
  if (schema.enum !== undefined) return fits('choice', value === undefined || typeof value !== 'object');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.includes('array') && (Array.isArray(value) || value === undefined || typeof value === 'string')) {
    if (schema.items === undefined) return 'yaml';
    return resolve(schema.items, root).enum === undefined ? 'list' : 'checks';
  }
  if (types.includes('object')) {
    if (schema.properties !== undefined) return fits('group', value === undefined || isRecord(value));
    const { additionalProperties: values } = schema;
    const isTexts = typeof values === 'object' && resolve(values, root).type === 'string';
    return fits('map', isTexts && (value === undefined || isTextMap(value)));
  }
  if (types.length !== 1) return 'yaml';
  if (types[0] === 'boolean') return fits('flag', value === undefined || typeof value === 'boolean');
  if (types[0] === 'string') return fits('text', value === undefined || typeof value === 'string');
  if (types[0] === 'number' || types[0] === 'integer')
    return fits('number', value === undefined || typeof value === 'number' || typeof value === 'string');
  return 'yaml';
}

const fits = (shape: Shape, isSo: boolean): Shape => (isSo ? shape : 'yaml');

const isTextMap = (value: Value) => isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string');

function isPromptList(schema: Schema, root: Schema): boolean {
  return schema.items !== undefined && resolve(schema.items, root).title === 'PromptMessage';
}

/** The schema of a document: of several kinds (`provider`), the one that its discriminator names, else the first. */
export function variantOf(root: Schema, value: Fields): Schema {
  const key = root.discriminator?.propertyName;
  if (key === undefined || root.oneOf === undefined) return root;
  const variants = root.oneOf.map((one) => resolve(one, root));
  const found = variants.find(({ properties }) => properties?.[key]?.const === value[key]) ?? variants[0];
  const names = variants.map(({ properties }) => properties?.[key]?.const);
  if (found?.properties === undefined) return root;
  // The discriminator is a choice between the variants.
  const { const: _fixed, ...rest } = found.properties[key] ?? {};
  return { ...found, properties: { ...found.properties, [key]: { ...rest, enum: names } } };
}

/** Keys of which an object has exactly one, as `field`, `allOf`, `anyOf` and `not` of a filter; empty if there are none. */
export function alternativesOf({ oneOf = [] }: Schema): readonly string[] {
  const keys = oneOf.map(({ required }) => (required?.length === 1 ? required[0] : undefined));
  return keys.some((key) => key === undefined) ? [] : keys.filter((key) => key !== undefined);
}

/** The keys that belong to an alternative: itself, and what it requires. */
export function keysOfAlternative(schema: Schema, key: string): readonly string[] {
  return [key, ...(schema.dependentRequired?.[key] ?? [])];
}

/** The folder of documents that a text names, by its description: `agents` for "a file in `agents/`". */
export function folderNamed({ description = '' }: Schema): string | undefined {
  return /a file in `([a-z]+)\/`/.exec(description)?.[1] ?? /one of `(agents)`/.exec(description)?.[1];
}

/** Whether a text is long: a text area edits it. */
export function isLongText(schema: Schema, value: Value): boolean {
  if (typeof value === 'string' && value.includes('\n')) return true;
  const { minLength, maxLength = Infinity, examples = [] } = schema;
  if (examples.some((one) => typeof one === 'string' && one.includes('\n'))) return true;
  return minLength === undefined ? maxLength > 1000 : maxLength > 1000 && maxLength < Infinity;
}

/** An empty value to begin with: an object with its required texts, `[]`, or a text. */
export function emptyOf(schema: Schema, root: Schema): Value {
  const shape = shapeOf(schema, undefined, root);
  if (shape === 'group') {
    const [first] = alternativesOf(schema);
    const wanted = [...(schema.required ?? []), ...(first === undefined ? [] : keysOfAlternative(schema, first))];
    return Object.fromEntries(wanted.map((key) => [key, emptyOf(resolve(schema.properties?.[key] ?? {}, root), root)]));
  }
  if (shape === 'list' || shape === 'checks' || shape === 'prompt') return [];
  if (shape === 'fixed') return schema.const;
  if (shape === 'choice') return schema.default ?? schema.enum?.[0];
  if (shape === 'flag') return schema.default ?? false;
  if (shape === 'number') return schema.default ?? schema.minimum ?? 0;
  return shape === 'text' ? '' : {};
}

/** A copy of an object with one key set; undefined removes it. New keys come last. */
export function withKey(fields: Fields, key: string, value: Value): Fields {
  const { [key]: _old, ...others } = fields;
  if (value === undefined) return others;
  return { ...fields, [key]: value };
}

/** Appends a key to a JSON Pointer. */
export function pointer(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A default or an example as one line, for placeholders. */
export function oneLine(value: Value): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
