import { parseDuration } from './duration.ts';

/** Reads response headers by name, in any case. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** A larger value cannot be a waiting time in seconds: some servers send a point in time instead. */
const LONGEST_WAIT_MS = 31 * 86_400_000;
/** No returned time is longer, whatever a server sends; a later time could not be written as a date. */
const MAX_MS = 366 * 86_400_000;

/**
 * Milliseconds to wait before the next request, or undefined if the provider names no time. Reads, in this order: the
 * larger of `retry-after-ms` and `Retry-After` (seconds or a date, RFC 9110 10.2.3; Azure sends 0 in the first and 1 in
 * the second); `x-ratelimit-reset-*` of the limits that are used up; a "try again in 1.2s" in the message; the shortest of
 * all resets. The last is only a guess, but the backoff of the state machine grows anyway. At most a year.
 */
export function readRetryAfterMs(
  headers: HeaderReader | undefined,
  message: string,
  nowMs: number,
): number | undefined {
  const direct = [milliseconds(headers?.get('retry-after-ms')), retryAfter(headers?.get('retry-after'), nowMs)];
  const { exhausted, all } = resets(headers, nowMs);
  const ms =
    largest(direct) ?? largest(exhausted) ?? announced(message) ?? (all.length > 0 ? Math.min(...all) : undefined);
  return ms === undefined ? undefined : Math.min(ms, MAX_MS);
}

function milliseconds(text: string | null | undefined): number | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const ms = Number(text);
  return Number.isFinite(ms) && ms >= 0 ? Math.ceil(ms) : undefined;
}

function retryAfter(text: string | null | undefined, nowMs: number): number | undefined {
  if (typeof text !== 'string') return undefined;
  const wait = untilReset(text, nowMs);
  if (wait !== undefined) return wait;
  // Without a time of day it is not a date; `Date.parse` reads even "-5" as one.
  const date = text.includes(':') ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function resets(headers: HeaderReader | undefined, nowMs: number): { exhausted: number[]; all: number[] } {
  const all: number[] = [];
  const exhausted: number[] = [];
  for (const suffix of ['', '-requests', '-tokens']) {
    const wait = untilReset(headers?.get(`x-ratelimit-reset${suffix}`), nowMs);
    if (wait === undefined) continue;
    all.push(wait);
    if (headers?.get(`x-ratelimit-remaining${suffix}`)?.trim() === '0') exhausted.push(wait);
  }
  return { exhausted, all };
}

function untilReset(text: string | null | undefined, nowMs: number): number | undefined {
  if (typeof text !== 'string') return undefined;
  const ms = parseDuration(text);
  if (ms === undefined || ms <= LONGEST_WAIT_MS) return ms;
  // A point in time: seconds since the epoch, or milliseconds (OpenRouter).
  const at = ms / 1000 > 1e11 ? ms / 1000 : ms;
  return Math.max(0, Math.ceil(at - nowMs));
}

function announced(message: string): number | undefined {
  const found =
    /\b(?:try again|retry) (?:in|after) (\d{1,9}(?:\.\d{1,9})?) ?(ms|s|m|h|milliseconds?|seconds?|minutes?)\b/i.exec(
      message,
    );
  if (found === null) return undefined;
  const unit = found[2]!.toLowerCase();
  return parseDuration(`${found[1]}${unit.startsWith('mil') ? 'ms' : unit === 'ms' ? unit : unit[0]}`);
}

function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}
