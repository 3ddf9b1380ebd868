import { EngineError, errorBody } from '../../base/error.ts';
import { showEvent, type EventView } from '../event-actions.ts';
import { type ParsedCalendar, parseCalendar, writtenEvents } from './ical.ts';

/** Larger files are not looked into: they are read where requests are answered. */
const MAX_CHARS = 512 * 1024;

const MAX_EVENTS = 50;

/** What a calendar file holds, in words; a repeated event by its first time. */
export interface CalendarPreview {
  readonly timeZone: string;
  readonly events: readonly (EventView & { readonly cancelled?: true })[];
  /** There are more. */
  readonly truncated?: true;
  /** What is wrong with events that are left out. */
  readonly skipped?: readonly string[];
}

/** Reads an .ics file as it is, without following its rules. `BAD_REQUEST` where it is none, `TOO_LARGE` above 512 KB. */
export function previewCalendar(text: string, timeZone: string): CalendarPreview {
  if (text.length > MAX_CHARS) throw new EngineError('TOO_LARGE', `a calendar file of ${text.length} characters`);
  try {
    const parsed = parseCalendar(text);
    const { faults } = parsed;
    const events = writtenEvents(firstOf(parsed), timeZone).map(({ event, isCancelled }) => ({
      ...showEvent(event, timeZone),
      ...(isCancelled && { cancelled: true as const }),
    }));
    return {
      timeZone,
      events,
      ...(parsed.events.length > MAX_EVENTS && { truncated: true as const }),
      ...(faults.length > 0 && { skipped: faults.slice(0, MAX_EVENTS) }),
    };
  } catch (cause) {
    throw new EngineError('BAD_REQUEST', `it is no calendar file: ${errorBody(cause).message}`, { cause });
  }
}

function firstOf({ events, faults }: ParsedCalendar): ParsedCalendar {
  return { events: events.slice(0, MAX_EVENTS), faults };
}
