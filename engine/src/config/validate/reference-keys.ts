import { isRecord } from '../../base/json.ts';
import type { Kind, TypedDocument } from '../config.ts';
import type { DocumentPath } from '../problem.ts';
import { parseReference, type Reference } from '../reference.ts';
import { referencesIn } from '../tool-template.ts';

/** Keys in which a reference is replaced by its value, with the consequence of a missing value. */
const REFERENCE_KEYS: Readonly<Record<string, string>> = {
  'apiKey': 'this API has no key',
  'organization': 'requests name no organisation',
  'credentials.apiKey': 'this agent has no key',
  'credentials.organization': 'requests of this agent name no organisation',
  'auth.pass': 'this account has no password',
  'smtp.auth.pass': 'this account cannot send',
  'oauth.clientId': 'nobody can sign in to this account',
  'oauth.clientSecret': 'nobody can sign in to this account',
  'notify.webhook': 'no notification is sent to the webhook',
  'approvals.notify.webhook': 'no notification is sent to the webhook',
  'approvals.escalateTo.webhook': 'no notification is sent to the webhook',
};

/** Keys of a declared tool in whose texts references are replaced, also within a longer text. */
const TOOL_KEYS: readonly string[] = ['request', 'headers', 'env'];

/** A reference in a document. */
export interface ReferenceAt {
  readonly reference: Reference;
  /** The reference as it is written. */
  readonly text: string;
  readonly at: DocumentPath;
  /** The consequence of a missing value; undefined where the reference is not replaced. */
  readonly missing: string | undefined;
}

/** References of documents, which never change. */
const known = new WeakMap<TypedDocument, readonly ReferenceAt[]>();

/** All references of a document: texts that are one as a whole; in a declared tool also parts of a text. */
export function referencesBelow(document: TypedDocument): readonly ReferenceAt[] {
  const before = known.get(document);
  if (before !== undefined) return before;
  const found = findReferences(document);
  known.set(document, found);
  return found;
}

function findReferences({ kind, value }: TypedDocument): ReferenceAt[] {
  return textsBelow(value, []).flatMap(({ text, at }) => {
    const isTool = kind === 'tool';
    const inside = isTool && TOOL_KEYS.includes(String(at[0]));
    const missing = isTool ? (inside ? 'calls of this tool fail' : undefined) : REFERENCE_KEYS[at.join('.')];
    return (inside ? referencesIn(text) : [text]).flatMap((written) => {
      const reference = parseReference(written);
      return reference === undefined ? [] : [{ reference, text: written, at, missing }];
    });
  });
}

/** The keys in which references are replaced, for hints. */
export function referenceKeys(kind: Kind): readonly string[] {
  return kind === 'tool' ? TOOL_KEYS : Object.keys(REFERENCE_KEYS);
}

/** All strings inside a value with their paths. */
export function textsBelow(value: unknown, path: DocumentPath): { text: string; at: DocumentPath }[] {
  if (typeof value === 'string') return [{ text: value, at: path }];
  if (Array.isArray(value)) return value.flatMap((member, i) => textsBelow(member, [...path, i]));
  return isRecord(value) ? Object.entries(value).flatMap(([key, member]) => textsBelow(member, [...path, key])) : [];
}
