import type { PrivateSpan } from './private-span.ts';

/** Longest local part and longest domain that is looked at (RFC 5321, 4.5.3.1). */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;
/** An at sign, as such, in full width, or as URLs write it. */
const AT = /@|＠|%40/g;
const LOCAL = /[\p{L}\p{N}\p{M}.!#$&'*+/=?^_`{|}~%-]/u;
/** In a URL these end what comes before an address: `?to=`, `&`, `/`. */
const URL_LOCAL = /[\p{L}\p{N}\p{M}._+-]/u;
const DOMAIN =
  /^(?:\[[\d.:a-fA-F]{3,45}\]|(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,62})\.){1,10}(?:xn--[a-z0-9-]{1,59}|\p{L}[\p{L}\p{M}]{1,62}))/iu;

/** The mail addresses of a text. Linear: each at sign looks at a limited stretch around itself. */
export function findAddresses(text: string): PrivateSpan[] {
  const spans: PrivateSpan[] = [];
  for (const at of text.matchAll(AT)) {
    const after = at.index + at[0].length;
    const domain = DOMAIN.exec(text.slice(after, after + MAX_DOMAIN))?.[0];
    if (domain === undefined) continue;
    const start = startOfLocal(text, at.index, at[0] === '%40' ? URL_LOCAL : LOCAL);
    const end = after + domain.length;
    const last = spans.at(-1);
    if (start >= at.index || (last !== undefined && start < last.end)) continue;
    spans.push({ start, end, kind: 'email', text: text.slice(start, end) });
  }
  return spans;
}

/** Where the local part before an at sign begins; the at sign's own offset where there is none. */
function startOfLocal(text: string, at: number, allowed: RegExp): number {
  const limit = Math.max(0, at - MAX_LOCAL);
  if (text[at - 1] === '"') {
    const open = text.lastIndexOf('"', at - 2);
    return open >= limit && !text.slice(open, at).includes('\n') ? open : at;
  }
  let start = at;
  while (start > limit && allowed.test(text.charAt(start - 1))) start--;
  // Quotes, brackets and slashes before an address belong to the sentence or the URL around it.
  const lead = /^(?:.*[/?&=|{}`])?[.!'*#~^$]*/.exec(text.slice(start, at))?.[0].length ?? 0;
  return start + lead;
}
