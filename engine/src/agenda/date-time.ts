import { closest } from 'fastest-levenshtein';
import { DateTime } from 'luxon';
import { EngineError } from '../base/error.ts';
import { isTimeZone, timeZones } from '../base/time-zone.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const WALL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;
/** No zone is more than fourteen hours from UTC: a larger offset is an error that would move the time by days. */
const OFFSET = /(Z|[+-](0\d|1[0-4]):?[0-5]\d)$/;

/** A whole day, or a moment in epoch milliseconds. */
export type DayOrTime = { readonly day: string } | { readonly at: number };

/** Returns `name` if it is a time zone; else throws `TOOL_ARGUMENTS` with the nearest name. */
export function checkZone(name: string): string {
  if (isTimeZone(name)) return name;
  throw new EngineError(
    'TOOL_ARGUMENTS',
    `"${name}" is not a time zone; did you mean "${closest(name, [...timeZones()])}"?`,
    {
      hint: 'write an IANA name such as Europe/Berlin or America/New_York',
    },
  );
}

/**
 * Reads `2026-11-25` (a day), `2026-11-25T14:00` (a time in `zone`) or `2026-11-25T14:00+01:00` (a moment). Of a time
 * that occurs twice, when clocks are set back, it takes the first (RFC 5545, 3.3.5). Throws `TOOL_ARGUMENTS`, which
 * names `field`, for another text or for a time that is skipped when clocks are set forward.
 */
export function parseDayOrTime(text: string, zone: string, field: string): DayOrTime {
  if (DAY.test(text)) {
    if (DateTime.fromISO(text, { zone: 'utc' }).isValid) return { day: text };
    throw argumentError(field, `${text} is not a valid date`);
  }
  const isMoment = OFFSET.test(text) && WALL.test(text.replace(OFFSET, ''));
  if (!isMoment && !WALL.test(text)) throw argumentError(field, `${JSON.stringify(text)} is not a date or time`);
  const read = DateTime.fromISO(text, { zone });
  if (!read.isValid) throw argumentError(field, `${text} is not a valid time`);
  if (isMoment) return { at: read.toMillis() };
  if (read.toFormat("yyyy-MM-dd'T'HH:mm") !== text.slice(0, 16))
    throw argumentError(
      field,
      `${text} does not exist in ${zone}: the clocks skip this time when they are set forward`,
    );
  return { at: firstOf(read) };
}

/**
 * The moment of a local time in `zone`. A time that is skipped when clocks are set forward counts from the time before
 * the change.
 */
export function wallTime(
  wall: { year: number; month: number; day: number; hour?: number; minute?: number; second?: number },
  zone: string,
): number {
  return firstOf(DateTime.fromObject(wall, { zone }));
}

/** The first moment of a day (`2026-11-25`) in `zone`, even where midnight is skipped. */
export function startOfDay(day: string, zone: string): number {
  return DateTime.fromISO(day, { zone }).startOf('day').toMillis();
}

/** Adds days to a day; a negative number goes back. */
export function addDays(day: string, days: number): string {
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate() ?? day;
}

/** The day of a moment in `zone`. */
export function dayOf(at: number, zone: string): string {
  return DateTime.fromMillis(at, { zone }).toISODate() ?? '';
}

/** Day of the week; 0 is Monday. */
export function weekdayOf(day: string): number {
  return DateTime.fromISO(day, { zone: 'utc' }).weekday - 1;
}

/** A moment as local time in `zone` with its offset: `2026-11-25T14:00:00+01:00`. */
export function formatTime(at: number, zone: string): string {
  return DateTime.fromMillis(at, { zone }).toISO({ suppressMilliseconds: true }) ?? '';
}

function firstOf(time: DateTime): number {
  return Math.min(...time.getPossibleOffsets().map((one) => one.toMillis()));
}

function argumentError(field: string, message: string): EngineError {
  return new EngineError('TOOL_ARGUMENTS', `${field}: ${message}`, {
    hint: 'write a day as 2026-11-25, a time as 2026-11-25T14:00 (in timeZone), or one with its offset: 2026-11-25T14:00+01:00',
  });
}
