import { EngineError } from '../base/error.ts';
import type { CalendarEvent, Span } from './agenda.ts';
import { startOfDay } from './date-time.ts';

/** Events that are read for one question. A year of a busy person has some thousands. */
export const MAX_READ = 10_000;

/** Zones are at most this far apart, so that the whole days of one are found by the clocks of another. */
const ZONES_APART_MS = 26 * 3_600_000;

/** What to ask a provider for, who takes whole days in a zone of its own. */
export function widened({ from, to }: Span): Span {
  return { from: from - ZONES_APART_MS, to: to + ZONES_APART_MS };
}

/** Whether an event, one without length too, lies in a span at least in part. */
export function touches({ from, to }: Span, span: Span): boolean {
  return to > span.from ? from < span.to : from === to && from === span.from;
}

/** Times of whole days as they are in a zone; `end` is the day after the last. */
export function wholeDays(start: string, end: string, zone: string): Pick<CalendarEvent, 'from' | 'to' | 'days'> {
  return { from: startOfDay(start, zone), to: startOfDay(end, zone), days: { start, end } };
}

/** The order of a `CalendarView`. */
export function byStart(a: CalendarEvent, b: CalendarEvent): number {
  return a.from - b.from || a.to - b.to || (a.title < b.title ? -1 : 1);
}

/** There are more events than `MAX_READ`. */
export function tooMany(): EngineError {
  return new EngineError('TOOL_FAILED', `there are more than ${MAX_READ} events in this time`, {
    hint: 'ask for a shorter time',
  });
}

/** A provider has made the event for an earlier request, and does not have it now. */
export function deletedSince(): EngineError {
  return new EngineError('TOOL_FAILED', 'the event was added before, and is not in the calendar any more', {
    hint: 'somebody has deleted it since',
  });
}

/**
 * The day that is meant by its midnight. Microsoft gives that of UTC, but some programs have written that of their own zone:
 * thirteen hours east to ten hours west of Greenwich, which is nearly everybody.
 */
export function nearestDay(midnight: number): string {
  return new Date(midnight + 13 * 3_600_000).toISOString().slice(0, 10);
}
