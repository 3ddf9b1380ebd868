import type { Abortable } from '../base/abort.ts';
import { EngineError } from '../base/error.ts';
import type { Agenda, Calendar, CalendarEvent, NewEvent, Skipped, Span, WorkingHours } from './agenda.ts';
import { addDays, checkZone, parseDayOrTime, formatTime, startOfDay } from './date-time.ts';
import { freeSlots } from './free-slots.ts';

const MAX_SPAN_DAYS = 366;
const MAX_EVENTS = 200;
const MAX_DESCRIPTION = 2000;

/** From one day to another, both included, or between two times. */
export interface DateRange {
  readonly start: string;
  readonly end: string;
}

/** A requested event: whole days, both included, or two times. */
export interface EventRequest {
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly timeZone?: string;
  readonly location?: string;
  readonly description?: string;
}

/** An event for people and models: local times in the zone, whole days from the first to the last. */
export interface EventView {
  readonly id: string;
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly allDay?: true;
  readonly busy?: false;
  readonly repeats?: true;
  /** Name of the calendar, where it is not the main one. */
  readonly calendar?: string;
  readonly location?: string;
  readonly description?: string;
}

/**
 * Reads the events of a range. Throws `TOOL_ARGUMENTS` for an invalid range or zone; `TOOL_FAILED` as in `Calendar`.
 */
export async function readEvents(
  agenda: Agenda,
  calendar: Calendar,
  request: { dateRange: DateRange; timeZone?: string; calendarId?: string },
  { signal }: Abortable,
): Promise<{ timeZone: string; events: EventView[]; truncated?: true; skipped?: readonly Skipped[] }> {
  const timeZone = checkZone(request.timeZone ?? agenda.timeZone());
  const { dateRange, calendarId } = request;
  const { events, skipped } = await calendar.read(readRange(dateRange, timeZone), { timeZone, calendarId, signal });
  return {
    timeZone,
    events: events.slice(0, MAX_EVENTS).map((event) => showEvent(event, timeZone)),
    ...(events.length > MAX_EVENTS && { truncated: true as const }),
    ...(skipped.length > 0 && { skipped }),
  };
}

/**
 * Adds an event once for the key. Throws `TOOL_ARGUMENTS` for an event without a length or with a time that does not
 * exist.
 */
export async function addEvent(
  agenda: Agenda,
  calendar: Calendar,
  request: EventRequest,
  { key, calendarId, signal }: Abortable & { readonly key: string; readonly calendarId?: string | undefined },
): Promise<{ timeZone: string; event: EventView; ics?: string }> {
  const { timeZone, ...event } = readEvent(agenda, request);
  const added = await calendar.add(event, { key, timeZone, calendarId, signal });
  return { timeZone, event: showEvent(added.event, timeZone), ...(added.ics !== undefined && { ics: added.ics }) };
}

/** Reads the times of a requested event. Throws as `addEvent`. */
export function readEvent(
  agenda: Pick<Agenda, 'timeZone'>,
  { title, start, end, location, description, timeZone: zone }: EventRequest,
): NewEvent & { readonly timeZone: string } {
  const timeZone = checkZone(zone ?? agenda.timeZone());
  return {
    timeZone,
    title,
    ...(location !== undefined && { location }),
    ...(description !== undefined && { description }),
    time: readTime(start, end, timeZone),
  };
}

/** A calendar for people and models. */
export interface CalendarItem {
  readonly id: string;
  readonly name: string;
  readonly primary?: true;
  /** Belongs to somebody else, or is subscribed to. */
  readonly shared?: true;
  readonly readOnly?: true;
}

/** Lists the calendars of an account whose events can be read. */
export async function listCalendars(
  calendar: Calendar,
  { signal }: Abortable,
): Promise<{ calendars: readonly CalendarItem[] }> {
  const all = await calendar.calendars({ signal });
  return {
    calendars: all
      .filter(({ canRead }) => canRead)
      .map(({ id, name, isPrimary, isOwn, canWrite }) => ({
        id,
        name,
        ...(isPrimary && { primary: true as const }),
        ...(!isOwn && { shared: true as const }),
        ...(!canWrite && { readOnly: true as const }),
      })),
  };
}

/**
 * Finds free working time in a range, none of it in the past. Events of all calendars that are the account's own take time, or
 * those of the named one: a meeting in the calendar of a colleague does not.
 */
export async function findSlots(
  agenda: Agenda,
  calendar: Calendar,
  request: {
    dateRange: DateRange;
    durationMinutes: number;
    workingHours?: Partial<WorkingHours>;
    timeZone?: string;
    calendarId?: string;
    limit: number;
  },
  { signal }: Abortable,
): Promise<{ timeZone: string; slots: { start: string; end: string }[]; skipped?: readonly Skipped[] }> {
  const timeZone = checkZone(request.timeZone ?? agenda.timeZone());
  const range = readRange(request.dateRange, timeZone);
  const span = { from: Math.max(range.from, Math.ceil(agenda.now() / 60_000) * 60_000), to: range.to };
  if (span.from >= span.to)
    throw new EngineError('TOOL_ARGUMENTS', 'dateRange: all of it is in the past', {
      hint: `it is ${formatTime(agenda.now(), timeZone)} now`,
    });
  const { calendarId } = request;
  const { events, skipped } = await calendar.read(span, { timeZone, calendarId, ownOnly: true, signal });
  const hours = { ...agenda.workingHours(), ...request.workingHours };
  const { durationMinutes, limit } = request;
  const busy = events.filter(({ isBusy }) => isBusy);
  const slots = freeSlots(busy, { ...span, durationMs: durationMinutes * 60_000, hours, timeZone, limit });
  return {
    timeZone,
    slots: slots.map(({ from, to }) => ({ start: formatTime(from, timeZone), end: formatTime(to, timeZone) })),
    ...(skipped.length > 0 && { skipped }),
  };
}

function readRange({ start, end }: DateRange, zone: string): Span {
  const first = parseDayOrTime(start, zone, 'dateRange.start');
  const last = parseDayOrTime(end, zone, 'dateRange.end');
  const from = 'day' in first ? startOfDay(first.day, zone) : first.at;
  const to = 'day' in last ? startOfDay(addDays(last.day, 1), zone) : last.at;
  if (to <= from) throw argumentError(`dateRange: it ends at ${end}, before it begins at ${start}`);
  if (to - from > MAX_SPAN_DAYS * 86_400_000 + 3_600_000)
    throw argumentError(`dateRange: it has more than ${MAX_SPAN_DAYS} days`);
  return { from, to };
}

function readTime(start: string, end: string, zone: string): NewEvent['time'] {
  const first = parseDayOrTime(start, zone, 'event.start');
  const last = parseDayOrTime(end, zone, 'event.end');
  if ('day' in first && 'day' in last) {
    if (last.day < first.day) throw argumentError(`event: it ends on ${end}, before it begins on ${start}`);
    return { days: { start: first.day, end: addDays(last.day, 1) } };
  }
  if ('day' in first || 'day' in last) throw argumentError('event: start and end must both be days, or both be times');
  if (last.at <= first.at) throw argumentError(`event: it ends at ${end}, not after it begins at ${start}`);
  return { from: first.at, to: last.at };
}

/** Describes an event in a zone. */
export function showEvent(event: CalendarEvent, zone: string): EventView {
  const { id, title, from, to, days, isBusy, isRepeated, calendar, location, description } = event;
  return {
    id,
    title,
    start: days === undefined ? formatTime(from, zone) : days.start,
    end: days === undefined ? formatTime(to, zone) : lastDay(days),
    ...(days !== undefined && { allDay: true as const }),
    ...(!isBusy && { busy: false as const }),
    ...(isRepeated && { repeats: true as const }),
    ...(calendar !== undefined && { calendar: calendar.name }),
    ...(location !== undefined && { location }),
    ...(description !== undefined && { description: description.slice(0, MAX_DESCRIPTION) }),
  };
}

/** An event of days may have no end, or an end equal to its start: then it is that one day. */
function lastDay({ start, end }: { start: string; end: string }): string {
  return end > start ? addDays(end, -1) : start;
}

function argumentError(message: string): EngineError {
  return new EngineError('TOOL_ARGUMENTS', message, { hint: 'call the tool again with other times' });
}
