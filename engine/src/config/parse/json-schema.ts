import { checkRegex } from '../../regex/regex.ts';
import type { DocumentPath } from '../problem.ts';
import { whyNotSchema } from './schema.ts';

/** Why a value that a user wrote cannot be used as a JSON Schema. */
export interface SchemaFault {
  readonly path: DocumentPath;
  readonly message: string;
  readonly hint?: string;
}

/** Ajv's words for the first fault of a schema, with the place of the fault. */
const AJV = /^schema is invalid: data(\/\S*)? ([\s\S]*?)(?:, data[ /]|$)/;

/** The first fault of a JSON Schema (draft 2020-12) at `path` of a document: of its patterns, or of the whole; undefined where it has none. */
export function schemaFault(schema: Readonly<Record<string, unknown>>, path: DocumentPath): SchemaFault | undefined {
  const bad = badPattern(schema, path);
  if (bad !== undefined) return bad;
  const why = whyNotSchema(schema);
  if (why === undefined) return undefined;
  const name = path.join('.');
  const [, pointer = '', words = why] = AJV.exec(why) ?? [];
  const at = pointer.split('/').slice(1).map(unescaped);
  const message = `${name} is not a valid JSON Schema: ${at.length === 0 ? words : `${at.join('.')} ${words}`}`;
  return {
    path: [...path, ...at.map((part) => (/^\d+$/.test(part) ? Number(part) : part))],
    message,
    hint: 'see https://json-schema.org',
  };
}

function unescaped(part: string): string {
  return part.replace(/~1/g, '/').replace(/~0/g, '~');
}

/** The first `pattern` that has no linear-time engine: answers and arguments may come from a mail. */
function badPattern(value: unknown, path: DocumentPath): SchemaFault | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, member] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    const reason = key === 'pattern' && typeof member === 'string' ? checkRegex(member) : undefined;
    if (reason !== undefined)
      return { path: at, message: `the pattern ${JSON.stringify(member)} cannot be used: ${reason}` };
    const inner = badPattern(member, at);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
