import type { ParsedResult } from 'chrono-node';
import { ownWords } from './own-words.ts';
import {
  AFTER_PAST,
  AMBIGUOUS,
  BEFORE_LENGTH,
  BEFORE_MORNING,
  BEFORE_PAST,
  FOLLOWERS,
  FROM_NOW,
  LABEL,
  NOW,
  PAST,
  PERIOD,
  phrases,
  RECURRING,
  SOON,
} from './phrases.ts';

/** A date or time in a text. */
interface Found {
  readonly from: number;
  readonly to: number;
  readonly hasDay: boolean;
  readonly hasTime: boolean;
}

/** Events that a message with a repeated date, such as "every Monday at 9", can ask for. */
const MOST_RECURRING = 60;

/**
 * How many dates or times a person names in a message, in English, German, French or Spanish: 0 where there is none. Quoted and
 * forwarded mails do not count. A week, a month or a weekend is none, since it leaves the day open; nor is a day that is over,
 * unless the message names a time of that day. Loads the library at its first use.
 */
export async function countTimes(message: string): Promise<number> {
  const text = ownWords(message)
    .replace(/[\p{Cf}\p{Cc}]+/gu, (hidden) => (/[\n\t]/.test(hidden) ? '\n' : ''))
    .replace(/\s*\n\s*/g, ' ; ')
    .replace(/\s+/g, ' ')
    .trim();
  const found = await findTimes(text);
  const days = found.filter(({ hasDay }) => hasDay).length;
  const times = found.filter(({ hasTime }) => hasTime).length;
  const count = Math.max(days, times);
  return count > 0 && RECURRING.test(text) ? Math.max(count, MOST_RECURRING) : count;
}

async function findTimes(text: string): Promise<readonly Found[]> {
  const chrono = await import('chrono-node');
  const now = new Date();
  const found = [chrono.en, chrono.de, chrono.fr, chrono.es].flatMap(({ casual }) =>
    casual.parse(text, now, { forwardDate: true }).flatMap((result) => accepted(text, result)),
  );
  for (const { pattern, names, needsEnd = false } of phrases())
    for (const match of text.matchAll(pattern)) {
      const span = { from: match.index, to: match.index + match[0].length };
      if (hasEdges(text, span) && !(needsEnd && isCount(text, span)) && !LABEL.test(text.slice(0, span.from)))
        found.push({ ...span, hasDay: names === 'day', hasTime: names === 'time' });
    }
  return merged(found);
}

/** A result of the library, if it names a day or a time of day. */
function accepted(text: string, result: ParsedResult): Found[] {
  const { index, text: raw, start } = result;
  const words = raw.replace(/[\s,;.]+$/, '');
  const span = { from: index, to: index + words.length };
  const before = text.slice(0, index);
  const after = text.slice(span.to);
  const isRelative = [...result.tags()].some((tag) => tag.startsWith('result/relativeDate'));
  const hasTime = start.isCertain('hour');
  const hasDay = start.isCertain('day') || start.isCertain('weekday');
  if (!hasDay && !hasTime) return [];
  if (!hasEdges(text, span) || LABEL.test(before) || NOW.test(words) || PERIOD.test(words)) return [];
  if (isRelative && isLength(words, before)) return [];
  if (BEFORE_LENGTH.test(before) && /^\d+\s?h$/i.test(words)) return [];
  const isPast = PAST.test(words) || BEFORE_PAST.test(before) || AFTER_PAST.test(after);
  if (isPast && (!hasTime || isRelative)) return [];
  if (AMBIGUOUS.has(words.toLowerCase())) return [];
  if (/^(morgen|mañana)$/i.test(words) && BEFORE_MORNING.test(before)) return [];
  if (isFraction(words, before, text)) return [];
  if (/\d\s+[ap]$/i.test(words)) return [];
  // "tomorrow at 3 documents": the number counts something, and the day is named all the same.
  if (isBareHour(words) && isCount(text, span))
    return hasDay && hasTime && !isPast ? [{ ...span, hasDay, hasTime: false }] : [];
  return [{ ...span, hasDay, hasTime }];
}

/** Whether a text stands by itself: not inside a word, a number, a file name or the name of a site. */
function hasEdges(text: string, { from, to }: Pick<Found, 'from' | 'to'>): boolean {
  const before = text.slice(Math.max(0, from - 2), from);
  const after = text.slice(to, to + 2);
  return (
    !/[\p{L}\p{N}_@#$€£/-]$|\p{N}[.,]$/u.test(before) && !/^(?:[\p{L}\p{N}_%$€£/@]|[.,:-][\p{L}\p{N}])/u.test(after)
  );
}

/** Whether words are a length, such as "30 minutes", and not a time counted from now. */
function isLength(words: string, before: string): boolean {
  return !FROM_NOW.test(words) || SOON.test(words) || BEFORE_LENGTH.test(before);
}

/** Whether words such as `1/2` or `24/7` are no date: a day and a month need a word before them, or stand alone. */
function isFraction(words: string, before: string, text: string): boolean {
  if (!/^\d{1,2}\/\d{1,2}$/.test(words)) return false;
  if (words === '24/7') return true;
  const isNamed =
    /(?<![\p{L}])(on|by|until|till|from|to|before|after|am|bis|vom|zum|den|le|du|au|el|del|al|hasta)\s$/iu;
  return !isNamed.test(before) && text.length > words.length + 2;
}

/** A time of a preposition and a number alone, which may count something: `at 3`, `um 15`, `at 3.50`. */
function isBareHour(words: string): boolean {
  return /^(?:[\p{L}'’]+\s){0,3}\d{1,2}(?:\.\d\d)?$/u.test(words);
}

/** Whether a word follows that a time does not have after it, as in `at 3 documents`. */
function isCount(text: string, { to }: Pick<Found, 'from' | 'to'>): boolean {
  const next = /^\s([\p{L}][\p{L}'’.-]*)/u.exec(text.slice(to, to + 40))?.[1];
  return (
    next !== undefined &&
    !FOLLOWERS.has(
      next
        .toLowerCase()
        .replace(/[.'’-]+$/, '')
        .replace('’', "'"),
    )
  );
}

/** Joins what several languages found at the same place. */
function merged(found: readonly Found[]): readonly Found[] {
  const spans: Found[] = [];
  for (const next of found.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1);
    if (last === undefined || next.from >= last.to) spans.push(next);
    else
      spans[spans.length - 1] = {
        from: last.from,
        to: Math.max(last.to, next.to),
        hasDay: last.hasDay || next.hasDay,
        hasTime: last.hasTime || next.hasTime,
      };
  }
  return spans;
}
