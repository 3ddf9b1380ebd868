import { EngineError } from '../base/error.ts';
import type { CalendarEvent, Span } from './agenda.ts';
import { startOfDay } from './date-time.ts';

/** Largest number of events for one read. A year of a busy person has some thousands. */
export const MAX_READ = 10_000;

/** Largest difference between two zones. A search wider by this finds whole days of every zone. */
const ZONES_APART_MS = 26 * 3_600_000;

/** The span to request from a provider that keeps whole days in its own zone. */
export function widened({ from, to }: Span): Span {
  return { from: from - ZONES_APART_MS, to: to + ZONES_APART_MS };
}

/** True if an event, even one without length, overlaps a span. */
export function touches({ from, to }: Span, span: Span): boolean {
  return to > span.from ? from < span.to : from === to && from === span.from;
}

/** Times of whole days in a zone; `end` is the day after the last. */
export function wholeDays(start: string, end: string, zone: string): Pick<CalendarEvent, 'from' | 'to' | 'days'> {
  return { from: startOfDay(start, zone), to: startOfDay(end, zone), days: { start, end } };
}

/** Compares events in the order of a `CalendarView`. */
export function byStart(a: CalendarEvent, b: CalendarEvent): number {
  return a.from - b.from || a.to - b.to || (a.title < b.title ? -1 : 1);
}

/** Error for more events than `MAX_READ`. */
export function tooMany(): EngineError {
  return new EngineError('TOOL_FAILED', `there are more than ${MAX_READ} events in this time`, {
    hint: 'ask for a shorter time',
  });
}

/** Error for an event that an earlier request has added and that was deleted since. */
export function deletedSince(): EngineError {
  return new EngineError('TOOL_FAILED', 'the event was added before, and is no longer in the calendar', {
    hint: 'somebody has deleted it since',
  });
}

/**
 * The day of a midnight. Microsoft uses midnight in UTC, but some programs store midnight of their own zone: this
 * covers 13 hours east to 10 hours west of UTC, which is nearly everybody.
 */
export function nearestDay(midnight: number): string {
  return new Date(midnight + 13 * 3_600_000).toISOString().slice(0, 10);
}
