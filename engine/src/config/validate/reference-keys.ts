import { isRecord } from '../../base/json.ts';
import type { DocumentPath } from '../problem.ts';

/** Keys in which a reference is replaced by its value, with the consequence of a missing value. */
export const REFERENCE_KEYS: Readonly<Record<string, string>> = {
  'apiKey': 'this API has no key',
  'auth.pass': 'this account has no password',
  'smtp.auth.pass': 'this account cannot send',
  'oauth.clientId': 'nobody can sign in to this account',
  'oauth.clientSecret': 'nobody can sign in to this account',
};

/** All strings inside a value with their paths. */
export function textsBelow(value: unknown, path: DocumentPath): { text: string; at: DocumentPath }[] {
  if (typeof value === 'string') return [{ text: value, at: path }];
  if (Array.isArray(value)) return value.flatMap((member, i) => textsBelow(member, [...path, i]));
  return isRecord(value) ? Object.entries(value).flatMap(([key, member]) => textsBelow(member, [...path, key])) : [];
}
