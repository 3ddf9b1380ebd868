/**
 * Makes `engine/src/config/documents.gen.ts` from `schemas/*.schema.json`, and puts the names of the tools into those. With
 * `--check` it writes nothing and exits 1 when a file on disk is not what the schemas and the tool registry say. The types
 * describe documents as they are after defaults were filled in, so a key with a default is always there.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';
import { format } from 'prettier';
import { SCHEMAS } from '../engine/src/config/parse/schema.ts';
import { canonicalJson, isRecord } from '../engine/src/base/json.ts';
import { generateValidators } from './schema-validators.ts';
import { withToolNames } from './tool-names.ts';

type Schema = Record<string, unknown>;

const TARGET = new URL('../engine/src/config/documents.gen.ts', import.meta.url);
const VALIDATORS = new URL('../engine/src/config/parse/validators.gen.ts', import.meta.url);
const BANNER = '// Generated from schemas/*.schema.json by `npm run generate`. Do not edit.\n';

/** What only editors and the validator need, and keys that never reach a frozen document. */
const DROPPED = [
  ...['$schema', '$id', 'examples', 'discriminator', 'dependentRequired', 'default', 'if', 'then', 'else'],
  ...['propertyNames', 'minItems', 'maxItems'],
];

/** The text of `documents.gen.ts`. Throws where two schemas spell a shared definition differently. */
export async function generateTypes(): Promise<string> {
  const definitions: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  for (const kind of Object.keys(SCHEMAS)) {
    const schema: unknown = JSON.parse(
      await readFile(new URL(`../schemas/${kind}.schema.json`, import.meta.url), 'utf8'),
    );
    if (!isRecord(schema)) throw new Error(`schemas/${kind}.schema.json is not an object`);
    const { $defs = {}, ...root } = schema;
    for (const [name, definition] of Object.entries({
      ...(isRecord($defs) ? $defs : {}),
      [`document-${kind}`]: root,
    })) {
      const known = definitions[name];
      if (known !== undefined && canonicalJson(known) !== canonicalJson(definition))
        throw new Error(
          `schemas/${kind}.schema.json: $defs/${name} differs from that of an earlier schema; make them equal`,
        );
      definitions[name] = definition;
    }
    properties[kind] = { $ref: `#/$defs/document-${kind}` };
  }
  const merged = forTypes({ title: 'Documents', type: 'object', properties, additionalProperties: false, definitions });
  const source = await compile(merged, 'Documents', {
    bannerComment: BANNER,
    format: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
    strictIndexSignatures: false,
  });
  const documents = source.replace(/export interface Documents \{[^}]*\}\n/, '');
  return format(readonly(documents), { parser: 'typescript', singleQuote: true, printWidth: 120 });
}

/** A schema as json-schema-to-typescript reads it best. */
function forTypes(schema: Schema): Schema {
  return split(mapSchemas(mapSchemas(schema, requireDefaults), split));
}

/** `schema` with `change` applied to every schema below it, from the leaves up. */
function mapSchemas(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const visit = (value: unknown): unknown => (isRecord(value) ? change(mapSchemas(value, change)) : value);
  const result: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if ((key === 'properties' || key === 'definitions') && isRecord(value))
      result[key] = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)]));
    else if (key === 'oneOf' && Array.isArray(value)) result[key] = value.map(visit);
    else if (key === '$ref' && typeof value === 'string') result[key] = value.replace('#/$defs/', '#/definitions/');
    else if (['items', 'then', 'else', 'not', 'additionalProperties'].includes(key)) result[key] = visit(value);
    else result[key] = value;
  }
  return result;
}

/** Defaults become required keys; `if`, lists of types and "exactly one of these keys" become plain alternatives. */
function split(schema: Schema): Schema {
  // Beside a $ref, a description would make a type of its own.
  if (schema['$ref'] !== undefined) return { $ref: schema['$ref'] };
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !DROPPED.includes(key) && !key.startsWith('x-')),
  );
  if (schema['then'] !== undefined) return { ...kept, oneOf: [schema['then'], schema['else']] };
  const type = schema['type'];
  if (Array.isArray(type)) {
    const { description, items, properties, required, additionalProperties } = kept;
    const parts: Readonly<Record<string, object>> = {
      array: { items },
      object: { properties, required, additionalProperties },
    };
    return { description, oneOf: type.map((one: unknown) => ({ type: one, ...parts[String(one)] })) };
  }
  if (!isRecord(kept['properties'])) return kept;
  const { $schema: _unused, ...properties } = kept['properties'];
  const result: Schema = { ...kept, properties };
  return Array.isArray(schema['oneOf']) && schema['discriminator'] === undefined
    ? alternatives(result, schema)
    : result;
}

/** An object schema that requires every key which the engine fills in. */
function requireDefaults(schema: Schema): Schema {
  if (!isRecord(schema['properties'])) return schema;
  const filled = Object.entries(schema['properties'])
    .filter(([, member]) => isRecord(member) && ('default' in member || 'x-default-from' in member))
    .map(([key]) => key);
  return { ...schema, required: [...new Set([...strings(schema['required']), ...filled])] };
}

/** One object type for each branch of a `oneOf` that only requires keys. */
function alternatives(object: Schema, schema: Schema): Schema {
  const branches = (Array.isArray(schema['oneOf']) ? schema['oneOf'] : []).map((branch: unknown) =>
    strings(isRecord(branch) ? branch['required'] : []),
  );
  const together = isRecord(schema['dependentRequired']) ? schema['dependentRequired'] : {};
  const groups = branches.map((keys) => [...new Set(keys.flatMap((key) => [key, ...strings(together[key])]))]);
  const { title, description, oneOf: _oneOf, properties, required, ...rest } = object;
  const variants = groups.map((own) => {
    const others = new Set(groups.flat().filter((key) => !own.includes(key)));
    const members = Object.entries(isRecord(properties) ? properties : {}).filter(([key]) => !others.has(key));
    const suffix = own.map((key) => key[0]?.toUpperCase() + key.slice(1)).join('');
    return {
      ...rest,
      title: `${String(title)}${suffix}`,
      properties: Object.fromEntries(members),
      required: [...strings(required), ...own],
    };
  });
  return { title, description, oneOf: variants };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
}

/** Every property, index signature and array of the generated source made readonly. */
function readonly(source: string): string {
  return source
    .replace(/^(\s*)((?:[A-Za-z_$][\w$]*|"[^"]+"|\[k: string\])\??: )/gm, '$1readonly $2')
    .replace(/([\w$]+|"[^"]*"|\([^()]*\))\[\]/g, 'readonly $1[]');
}

/** Each generated file with the text that it should have. */
async function generateAll(): Promise<readonly (readonly [URL, string])[]> {
  const schemas = Object.keys(SCHEMAS).map(async (kind) => {
    const file = new URL(`../schemas/${kind}.schema.json`, import.meta.url);
    return [file, await withToolNames(await readFile(file, 'utf8'))] as const;
  });
  return [...(await Promise.all(schemas)), [TARGET, await generateTypes()], [VALIDATORS, generateValidators()]];
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check');
  for (const [file, text] of await generateAll()) {
    if (!isCheck) await writeFile(file, text);
    else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
      console.error(`${file.pathname} is not what the schemas and the tool registry say; run \`npm run generate\``);
      process.exitCode = 1;
    }
  }
}
