import type { ErrorObject } from 'ajv/dist/2020.js';
import { isRecord } from '../../base/json.ts';
import { type DocumentPath, type Finding, MAX_FINDINGS, moreErrors } from '../problem.ts';
import { didYouMean, listOf } from '../../base/did-you-mean.ts';
import { keysOfBranches, withoutConsequences } from './schema-consequences.ts';

/** Maximum number of characters of a value in a message. */
const MAX_SHOWN = 60;
/** Errors of the validator that are looked at: several may belong to one mistake. */
const MAX_ERRORS = 10 * MAX_FINDINGS;

/**
 * Turns the errors of the schema validator (Ajv) into findings: what was expected, what was found and what to type. One
 * mistake is one finding. Beyond `MAX_ERRORS` the last finding says that there are more.
 */
export function explainSchemaError(errors: readonly ErrorObject[], value: unknown): Finding[] {
  const findings: Finding[] = [];
  for (const error of withoutConsequences(errors.slice(0, MAX_ERRORS))) {
    const finding = explainOne(error, toPath(error.instancePath, value));
    if (finding !== undefined) findings.push(finding);
    if (findings.length > MAX_FINDINGS) return findings;
  }
  return errors.length > MAX_ERRORS ? [...findings, moreErrors()] : findings;
}

function explainOne(error: ErrorObject, path: DocumentPath): Finding | undefined {
  const { keyword, params, data } = error;
  const schema = isRecord(error.parentSchema) ? error.parentSchema : {};
  switch (keyword) {
    case 'if':
    case 'propertyNames':
      return undefined; // Ajv reports the errors inside separately
    case 'additionalProperties':
      return unknownKey(String(params['additionalProperty']), path, schema);
    case 'required':
      // `oneOf` reports the missing keys of all its branches in one message.
      if (error.schemaPath.includes('/oneOf/')) return undefined;
      return missingKey(String(params['missingProperty']), path, schema);
    case 'dependentRequired':
      return missingKey(
        String(params['missingProperty']),
        path,
        schema,
        `: it is required if "${String(params['property'])}" is set`,
      );
    case 'oneOf':
      return exactlyOne(path, schema, data);
    case 'discriminator':
      return discriminator(error, path);
    case 'type':
      return wrongType(path, schema, data);
    case 'enum':
    case 'const':
      return notListed(path, keyword === 'const' ? [schema['const']] : asArray(schema['enum']), data);
    case 'pattern':
      return notMatching(error, path, schema);
    default:
      return {
        code: 'CONFIG_VALUE',
        path,
        message: `${label(path)} ${error.message ?? 'is not valid'}${found(data, schema)}`,
        ...unit(schema),
      };
  }
}

function unknownKey(key: string, path: DocumentPath, schema: Record<string, unknown>): Finding {
  const known = isRecord(schema['properties']) ? schema['properties'] : {};
  const below = Object.entries(known).find(
    ([, member]) => isRecord(member) && isRecord(member['properties']) && key in member['properties'],
  );
  const where = path.length === 0 ? 'here' : `in ${label(path)}`;
  const keys = Object.keys(known).filter((name) => name !== '$schema');
  const hint = below === undefined ? `valid keys ${where}: ${keys.join(', ')}` : `"${key}" belongs under "${below[0]}"`;
  return {
    code: 'CONFIG_UNKNOWN_KEY',
    path: [...path, key],
    part: 'key',
    message: `unknown key "${key}" ${where}${below === undefined ? didYouMean(key, keys) : ''}`,
    hint,
  };
}

function missingKey(key: string, path: DocumentPath, schema: Record<string, unknown>, why = ''): Finding {
  const members = isRecord(schema['properties']) ? schema['properties'] : {};
  const member = isRecord(members[key]) ? members[key] : {};
  const example: unknown = asArray(member['examples'])[0];
  const branches =
    isRecord(schema['discriminator']) && schema['discriminator']['propertyName'] === key ? branchNames(schema) : [];
  const where = path.length === 0 ? '' : ` in ${label(path)}`;
  const value = example === undefined ? branches.join(' | ') : show(example);
  const hint = value === '' ? undefined : `add ${key}: ${value}`;
  return {
    code: 'CONFIG_MISSING_KEY',
    path,
    message: `key "${key}" is missing${where}${why}`,
    ...(hint !== undefined && { hint }),
  };
}

function exactlyOne(path: DocumentPath, schema: Record<string, unknown>, data: unknown): Finding {
  const keys = keysOfBranches(schema);
  const there = isRecord(data) ? keys.filter((key) => key in data) : [];
  const where = path.length === 0 ? 'the document' : label(path);
  const code = there.length === 0 ? 'CONFIG_MISSING_KEY' : 'CONFIG_VALUE';
  const tail = there.length === 0 ? 'has none of them' : `has ${there.map((key) => `"${key}"`).join(' and ')}`;
  return { code, path, message: `expected exactly one of ${listOf(keys)}; ${where} ${tail}` };
}

/** Reports an unknown provider. A missing provider is reported as a missing key. */
function discriminator(error: ErrorObject, path: DocumentPath): Finding | undefined {
  const schema = isRecord(error.parentSchema) ? error.parentSchema : {};
  const value: unknown = error.params['tagValue'];
  return value === undefined
    ? undefined
    : notListed([...path, String(error.params['tag'])], branchNames(schema), value);
}

function branchNames(schema: Record<string, unknown>): string[] {
  const branches = asArray(schema['oneOf']);
  return branches.flatMap((branch) =>
    isRecord(branch) && typeof branch['$ref'] === 'string' ? [branch['$ref'].replace('#/$defs/', '')] : [],
  );
}

function notListed(path: DocumentPath, allowed: readonly unknown[], data: unknown): Finding {
  const meant = typeof data === 'string' ? didYouMean(data, allowed.map(String)) : '';
  const wanted = allowed.map(show).join(' or ');
  return { code: 'CONFIG_VALUE', path, message: `${label(path)} is ${show(data)}; expected ${wanted}${meant}` };
}

function wrongType(path: DocumentPath, schema: Record<string, unknown>, data: unknown): Finding {
  const wanted = asArray(schema['type'] ?? schema['if']).map(String);
  const names = wanted.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
  const message = `${label(path)} is ${schema['x-secret'] === true ? typeName(data) : describe(data)}; expected ${names}`;
  return { code: 'CONFIG_TYPE', path, message, ...(schema['x-secret'] !== true && typeHint(wanted, data)) };
}

function typeHint(wanted: readonly string[], data: unknown): { hint?: string } {
  if (wanted.includes('string') && (typeof data === 'number' || typeof data === 'boolean'))
    return { hint: `quote it: "${data}"` };
  if (wanted.includes('boolean') && typeof data === 'string' && /^(yes|no|on|off)$/i.test(data))
    return { hint: 'write true or false' };
  if (
    (wanted.includes('number') || wanted.includes('integer')) &&
    typeof data === 'string' &&
    data.trim() !== '' &&
    Number.isFinite(Number(data))
  )
    return { hint: `write ${Number(data)} without quotes` };
  if (wanted.includes('array') && typeof data === 'string') return { hint: `write a list: [${data}]` };
  return {};
}

function notMatching(error: ErrorObject, path: DocumentPath, schema: Record<string, unknown>): Finding {
  const expected = String(schema['x-expected'] ?? `a text that matches ${String(schema['pattern'])}`);
  if (schema['x-secret'] === true) {
    // The value may be a secret: it must not appear in a message, a log or the browser.
    const hint =
      'store the key in the environment or in the secret store, and write ${env:NAME} or ${secret:NAME} here';
    return {
      code: 'CONFIG_SECRET_LITERAL',
      path,
      message: `${label(path)} must be ${expected}, never the key itself`,
      hint,
    };
  }
  if (error.propertyName !== undefined)
    return {
      code: 'CONFIG_VALUE',
      path: [...path, error.propertyName],
      part: 'key',
      message: `"${error.propertyName}" is not a valid name; expected ${expected}`,
    };
  const examples = asArray(schema['examples']).filter((example) => typeof example === 'string');
  const meant = typeof error.data === 'string' ? didYouMean(error.data, examples) : '';
  return { code: 'CONFIG_VALUE', path, message: `${label(path)} is ${show(error.data)}; expected ${expected}${meant}` };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'a mapping (key: value)',
  array: 'a list',
};

function typeName(data: unknown): string {
  if (data === null) return 'empty';
  return Array.isArray(data) ? 'a list' : typeof data === 'object' ? 'a mapping' : `a ${typeof data}`;
}

function describe(data: unknown): string {
  return data === null || typeof data === 'object' ? typeName(data) : `the ${typeof data} ${show(data)}`;
}

function found(data: unknown, schema: Record<string, unknown>): string {
  return schema['x-secret'] === true || typeof data === 'object' ? '' : `, not ${show(data)}`;
}

function unit(schema: Record<string, unknown>): { hint?: string } {
  return typeof schema['x-unit'] === 'string' ? { hint: `the unit is ${schema['x-unit']}` } : {};
}

/** A path as messages show it: `"imap.host"`, `"agents[0]"`; `the document` for the root. */
function label(path: DocumentPath): string {
  if (path.length === 0) return 'the document';
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `"${text.replace(/^\./, '')}"`;
}

/** A value for a message, shortened. Problems are logged and shown, so a password in a URL is replaced by `…`. */
function show(value: unknown): string {
  const text = (JSON.stringify(value) ?? String(value)).replace(/\/\/[^/\s@"]*@/g, '//…@');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

/** Converts a JSON Pointer to a path; array indexes become numbers. */
function toPath(pointer: string, root: unknown): DocumentPath {
  let node: unknown = root;
  return pointer
    .split('/')
    .slice(1)
    .map((raw) => {
      const step = raw.replaceAll('~1', '/').replaceAll('~0', '~');
      const key = Array.isArray(node) ? Number(step) : step;
      node = isRecord(node) || Array.isArray(node) ? Reflect.get(node, key) : undefined;
      return key;
    });
}
