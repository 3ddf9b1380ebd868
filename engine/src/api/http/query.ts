import type { ParsedUrlQuery } from 'node:querystring';
import { EngineError } from '../../base/error.ts';

/** Largest number of ids in one query. */
export const MAX_IDS = 200;

/** What has the parameters of a query: the context of a route, or a command that reads the store itself. */
export interface WithQuery {
  readonly query: ParsedUrlQuery;
}

/** A query parameter; undefined if absent. `BAD_REQUEST` if it occurs twice. */
export function queryText(ctx: WithQuery, name: string): string | undefined {
  const value = ctx.query[name];
  if (Array.isArray(value)) throw new EngineError('BAD_REQUEST', `"${name}" occurs ${value.length} times in the query`);
  return value;
}

/** A query parameter. `BAD_REQUEST` if it is absent or empty. */
export function requiredQuery(ctx: WithQuery, name: string): string {
  const value = queryText(ctx, name);
  if (value === undefined || value === '') throw new EngineError('BAD_REQUEST', `"${name}" is missing in the query`);
  return value;
}

/** The conditions of `?idPrefix=`: only ids that begin so. None if it is absent. */
export function queryIdPrefix(ctx: WithQuery): readonly (readonly ['id', '>=' | '<', string])[] {
  const prefix = queryText(ctx, 'idPrefix');
  if (prefix === undefined) return [];
  // Ids consist of small letters, digits and _, and ~ comes after all of them.
  return [
    ['id', '>=', prefix],
    ['id', '<', `${prefix}~`],
  ];
}

/** `true`, `1`, `false` or `0`; undefined if absent. */
export function queryFlag(ctx: WithQuery, name: string): boolean | undefined {
  const value = queryText(ctx, name);
  if (value === undefined) return undefined;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new EngineError('BAD_REQUEST', `"${name}" must be true or false, not "${value}"`);
}

/** A non-negative integer; undefined if absent. */
export function queryCount(ctx: WithQuery, name: string): number | undefined {
  const value = queryText(ctx, name);
  if (value === undefined) return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new EngineError('BAD_REQUEST', `"${name}" must be a non-negative integer, not "${value}"`);
}

/** `?ids=a,b` without duplicates; undefined if absent. `BAD_REQUEST` for no id and for more than 200. */
export function queryIds(ctx: WithQuery): readonly string[] | undefined {
  const value = queryText(ctx, 'ids');
  if (value === undefined) return undefined;
  const ids = [...new Set(value.split(',').filter((id) => id !== ''))];
  if (ids.length === 0 || ids.length > MAX_IDS)
    throw new EngineError('BAD_REQUEST', `"ids" must contain 1 to ${MAX_IDS} ids, not ${ids.length}`);
  return ids;
}

/** One of the given words; undefined if absent. */
export function queryWord<const W extends string>(ctx: WithQuery, name: string, words: readonly W[]): W | undefined {
  const value = queryText(ctx, name);
  if (value === undefined) return undefined;
  const word = words.find((known) => known === value);
  if (word !== undefined) return word;
  throw new EngineError('BAD_REQUEST', `"${name}" must be one of ${words.join(', ')}, not "${value}"`);
}

/** The words of `?q=`, in small letters; none if it is absent. */
export function queryWords(ctx: WithQuery): readonly string[] {
  return (queryText(ctx, 'q') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Whether some texts together contain all of these words. */
export function hasWords(texts: readonly (string | undefined)[], words: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Characters that JSON writes in another way, and the sigma, whose small letter depends on what stands beside it. */
const ESCAPED = /["\\\p{Cc}\p{Cs}σς]/u;

/**
 * Whether texts in this object as JSON may contain all of these words. False is certain, and takes half of the time that it takes
 * to parse it. What was cut may contain anything, so that whoever parses it finds the damage.
 */
export function mayHaveWords(json: string, words: readonly string[]): boolean {
  if (!json.endsWith('}')) return true;
  const all = json.toLowerCase();
  return words.every((word) => ESCAPED.test(word) || all.includes(word));
}

/** An ISO 8601 time with its offset, in epoch milliseconds; undefined if absent. */
export function queryTime(ctx: WithQuery, name: string): number | undefined {
  const value = queryText(ctx, name);
  if (value === undefined) return undefined;
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new EngineError('BAD_REQUEST', `"${name}" must be a time such as 2026-11-22T10:00:00Z, not "${value}"`);
}
