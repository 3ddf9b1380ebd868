import { EngineError, errorBody } from '../../base/error.ts';
import { showEvent, type EventView } from '../event-actions.ts';
import { type ParsedCalendar, parseCalendar, writtenEvents } from './ical.ts';

/** Larger files are refused, since a request waits for the preview. */
const MAX_CHARS = 512 * 1024;

const MAX_EVENTS = 50;

/** Events of a calendar file for people; a repeated event by its first time. */
export interface CalendarPreview {
  readonly timeZone: string;
  readonly events: readonly (EventView & { readonly cancelled?: true })[];
  /** Set if the file has more events. */
  readonly truncated?: true;
  /** Problems of the events that were left out. */
  readonly skipped?: readonly string[];
}

/** Previews an .ics file without evaluating rules. Throws `BAD_REQUEST` if it is none, `TOO_LARGE` above 512 KB. */
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
    throw new EngineError('BAD_REQUEST', `it is not a calendar file: ${errorBody(cause).message}`, { cause });
  }
}

function firstOf({ events, faults }: ParsedCalendar): ParsedCalendar {
  return { events: events.slice(0, MAX_EVENTS), faults };
}
