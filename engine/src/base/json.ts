import { createHash } from 'node:crypto';

/** A value that survives JSON unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** JSON with sorted object keys, so that equal values give equal text. `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, v: unknown) =>
    v !== null && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : v,
  );
}

/**
 * Levels of lists and objects in JSON from outside, at most. `JSON.parse` reads a million levels, but nothing can write
 * them again: `JSON.stringify` ends with a full stack.
 */
export const MAX_JSON_DEPTH = 200;

/** True if a JSON text is nested deeper than `limit`. Counts brackets outside of strings, without parsing. */
export function isTooDeep(text: string, limit = MAX_JSON_DEPTH): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22) i = endOfString(text, i);
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > limit) return true;
    } else if (char === 0x5d || char === 0x7d) depth--;
  }
  return false;
}

/** Index of the quote that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x5c) i++;
    else if (char === 0x22) return i;
  }
  return text.length;
}

/** Hex SHA-256 of text or bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** A plain object, not null and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Freezes `value` and everything inside it. */
export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

const FENCED = /^```[a-z]*\n([\s\S]*?)\n?```$/i;

/**
 * The value of a JSON text that a model wrote, also where it stands alone in one code fence. Throws `SyntaxError` where there is other
 * text around it, or where it is nested too deep.
 */
export function readJson(text: string): unknown {
  const trimmed = text.trim();
  const json = FENCED.exec(trimmed)?.[1] ?? trimmed;
  if (isTooDeep(json)) throw new SyntaxError(`it is nested more than ${MAX_JSON_DEPTH} levels deep`);
  return JSON.parse(json) as unknown;
}
