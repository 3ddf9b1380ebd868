import { isRecord } from '../base/json.ts';
import { redactValue, type Redactor } from '../base/redact.ts';

/** Largest result of a tool call that a model reads, in characters of JSON: about 50,000 tokens. */
export const MAX_RESULT_CHARACTERS = 200_000;

/** Texts are not cut below this length: many short pieces would say nothing. */
const MIN_TEXT_CHARACTERS = 500;
/** Room for the marks and the hint. */
const MARK_CHARACTERS = 300;

/**
 * A tool result of at most `max` characters of JSON. A longer one has its longest texts cut, each with a mark that says how much
 * is missing. A result that is too long even then, such as a list of many items, becomes
 * `{ truncated: true, characters, start, hint }` with the start of its JSON. A text alone stays a text. Secrets are
 * redacted before the cut: nobody would recognize half of one.
 */
export function limitResult(result: unknown, redactor: Pick<Redactor, 'text'>, max = MAX_RESULT_CHARACTERS): unknown {
  if (lengthOf(result) <= max) return result;
  const value = redactValue(redactor, result);
  const room = max - MARK_CHARACTERS;
  for (let limit = room - MARK_CHARACTERS; limit >= MIN_TEXT_CHARACTERS; limit = Math.floor(limit * 0.7)) {
    const shorter = cutTexts(value, limit);
    if (lengthOf(shorter) <= room) return isRecord(shorter) ? { ...shorter, truncated: true } : shorter;
  }
  return {
    truncated: true,
    characters: lengthOf(value),
    // Quotes are escaped once more in this text: at most twice as long.
    start: cutText(JSON.stringify(value), Math.floor(max / 2) - MARK_CHARACTERS),
    hint: 'call the tool again and ask for less, such as a smaller range, a filter or a lower limit',
  };
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : (JSON.stringify(value) ?? 'null').length;
}

function cutTexts(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return value.length > limit ? cutText(value, limit) : value;
  if (Array.isArray(value)) return value.map((member: unknown) => cutTexts(member, limit));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cutTexts(member, limit)]));
}

function cutText(text: string, limit: number): string {
  // Never half of a surrogate pair.
  const start = text
    .slice(0, limit)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  return `${start}\n[truncated: the first ${start.length} of ${text.length} characters]`;
}
