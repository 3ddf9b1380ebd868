import ICAL from 'ical.js';
import type { CalendarEvent, NewEvent, Span } from '../agenda.ts';
import { limitRules } from './recurrence.ts';
import { timeOf, useIanaZones, unknownZone } from './time-zones.ts';
import { touches } from '../span.ts';

/** Limit of occurrences of one event: 27 years of a daily one. */
const MAX_OCCURRENCES = 10_000;

/** Limit of times to try for them: 136 years of days, 5 of hours. */
const MAX_TRIES = 50_000;

const DAY_MS = 86_400_000;

/** A parsed iCalendar file: events with their exceptions, and exceptions whose event is in another file. */
export interface ParsedCalendar {
  readonly events: readonly ICAL.Event[];
  /** Problems of the events that were left out. */
  readonly faults: readonly string[];
}

/** Parses an .ics file (RFC 5545). Throws if it is none; problems of single events are in `faults`. */
export function parseCalendar(text: string): ParsedCalendar {
  const parsed = ICAL.parse(text.replace(/^\uFEFF/, '')) as unknown[];
  const roots = (Array.isArray(parsed[0]) ? parsed : [parsed]) as [string, unknown[], unknown[]][];
  const events: ICAL.Event[] = [];
  const faults: string[] = [];
  for (const root of roots) {
    const calendar = new ICAL.Component(root);
    if (calendar.name !== 'vcalendar') throw new Error('it contains no VCALENDAR');
    useIanaZones(calendar);
    const good = calendar.getAllSubcomponents('vevent').filter((event) => {
      const fault = faultOf(event);
      if (fault !== undefined) faults.push(fault);
      return fault === undefined;
    });
    const exceptions = exceptionsIn(good);
    for (const event of good) events.push(new ICAL.Event(event, { exceptions: exceptionsOf(event, exceptions) }));
  }
  return { events, faults };
}

/**
 * Every occurrence that overlaps the span, except cancelled ones and those that an address in `own` (lower case) has
 * declined. An event that cannot be evaluated, such as one with too many occurrences, is listed in `faults`; the other
 * events are returned.
 */
export function eventsIn(
  { events }: ParsedCalendar,
  span: Span,
  zone: string,
  own: readonly string[] = [],
): { readonly events: readonly CalendarEvent[]; readonly faults: readonly string[] } {
  const found: CalendarEvent[] = [];
  const faults: string[] = [];
  const query = { span, zone, own };
  for (const event of events) {
    const isOne = event.isRecurrenceException() || !event.isRecurring();
    try {
      found.push(...(isOne ? occurrence(event, event.startDate, event.endDate, query) : repeated(event, query)));
    } catch (error) {
      faults.push(`${nameOf(event.component)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { events: found, faults };
}

/** An event as written in a file; a repeated one by its first time only. */
export interface WrittenEvent {
  readonly event: CalendarEvent;
  readonly isCancelled: boolean;
}

/**
 * Every event as written, including cancelled ones, without evaluating rules. Throws for a time that cannot be read.
 */
export function writtenEvents({ events }: ParsedCalendar, zone: string): WrittenEvent[] {
  return events.map((event) => ({
    event: describe(event, event.startDate, event.endDate, zone),
    isCancelled: isCancelled(event) || event.component.parent?.getFirstPropertyValue('method') === 'CANCEL',
  }));
}

/** Writes an event as an .ics file. Moments are in UTC, which needs no zone description. */
export function writeEvent({ title, location, description, time }: NewEvent, uid: string, now: number): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('prodid', '-//Callsheet//EN');
  calendar.addPropertyWithValue('version', '2.0');
  const event = new ICAL.Component('vevent');
  const set = (name: string, value: string | ICAL.Time) => void event.addPropertyWithValue(name, value);
  set('uid', uid);
  set('dtstamp', utc(now));
  if ('days' in time) {
    set('dtstart', ICAL.Time.fromDateString(time.days.start));
    set('dtend', ICAL.Time.fromDateString(time.days.end));
  } else {
    set('dtstart', utc(time.from));
    set('dtend', utc(time.to));
  }
  set('summary', cleanText(title));
  if (location !== undefined) set('location', cleanText(location));
  if (description !== undefined) set('description', cleanText(description));
  calendar.addSubcomponent(event);
  return `${calendar.toString()}\r\n`;
}

/**
 * A text that is safe in a file (RFC 5545, 3.3.11): ical.js escapes only line feeds, and a reader that accepts other
 * line breaks would read the rest as a line of the event.
 */
function cleanText(text: string): string {
  return text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/[^\P{Cc}\t\n]/gu, '');
}

function utc(at: number): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(at), true);
}

function faultOf(event: ICAL.Component): string | undefined {
  const name = nameOf(event);
  const zone = unknownZone(event);
  if (zone !== undefined)
    return `${name} names the time zone "${zone}", which is not an IANA zone and is not described in the file`;
  const start: unknown = event.getFirstPropertyValue('dtstart');
  if (!(start instanceof ICAL.Time)) return `${name} has no DTSTART`;
  return Number.isFinite(timeOf(start, 'UTC')) ? undefined : `${name} has a DTSTART that is no date`;
}

function nameOf(event: ICAL.Component): string {
  const title = textOf(event, 'summary');
  return title === '' ? 'an event' : `the event "${title}"`;
}

/** Exceptions (RECURRENCE-ID) of a file, by the UID of their event. */
function exceptionsIn(all: readonly ICAL.Component[]): ReadonlyMap<string, ICAL.Component[]> {
  return Map.groupBy(
    all.filter((event) => event.hasProperty('recurrence-id')),
    (event) => textOf(event, 'uid'),
  );
}

function exceptionsOf(event: ICAL.Component, exceptions: ReadonlyMap<string, ICAL.Component[]>): ICAL.Component[] {
  return event.hasProperty('recurrence-id') ? [] : (exceptions.get(textOf(event, 'uid')) ?? []);
}

interface OccurrenceQuery {
  readonly span: Span;
  readonly zone: string;
  readonly own: readonly string[];
}

/**
 * Occurrences by rule. Those with an exception are left out: the exception may be at any time, and is an event of its
 * own.
 */
function repeated(event: ICAL.Event, query: OccurrenceQuery): CalendarEvent[] {
  const { span, zone } = query;
  const found: CalendarEvent[] = [];
  if (event.component.getAllProperties('rdate').some(({ type }) => type === 'period'))
    throw new Error('it has RDATE values of type PERIOD, which are not supported');
  limitRules([event.component], MAX_TRIES);
  const iterator = event.iterator();
  for (let count = 0; count < MAX_OCCURRENCES; count++) {
    const next = iterator.next() as ICAL.Time | null | undefined;
    // A later occurrence may start earlier after a clock change, and an exception for all following ones may move it
    // back.
    if (!next || timeOf(next, zone) > span.to + DAY_MS * (event.rangeExceptions.length > 0 ? 366 : 1)) return found;
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    const isItself = item !== event && item.recurrenceId.compare(next) === 0;
    if (!isItself) found.push(...occurrence(item, startDate, endDate, query));
  }
  throw new Error(`it repeats more than ${MAX_OCCURRENCES} times`);
}

function occurrence(
  event: ICAL.Event,
  start: ICAL.Time,
  end: ICAL.Time,
  { span, zone, own }: OccurrenceQuery,
): CalendarEvent[] {
  const found = describe(event, start, end, zone);
  return touches(found, span) && !isCancelled(event) && !isDeclined(event, own) ? [found] : [];
}

/** True if one of these addresses is invited and has declined (RFC 5545, 3.2.12). */
function isDeclined({ component }: ICAL.Event, own: readonly string[]): boolean {
  return component.getAllProperties('attendee').some((attendee) => {
    const address = String(attendee.getFirstValue())
      .replace(/^mailto:/i, '')
      .trim()
      .toLowerCase();
    return own.includes(address) && String(attendee.getFirstParameter('partstat')).toUpperCase() === 'DECLINED';
  });
}

function isCancelled({ component }: ICAL.Event): boolean {
  return textOf(component, 'status').toUpperCase() === 'CANCELLED';
}

function describe(event: ICAL.Event, start: ICAL.Time, end: ICAL.Time, zone: string): CalendarEvent {
  const from = timeOf(start, zone);
  const to = Math.max(from, timeOf(end, zone));
  const { component } = event;
  const [location, description] = [textOf(component, 'location'), textOf(component, 'description')];
  return {
    ...{ id: textOf(component, 'uid'), title: textOf(component, 'summary'), from, to },
    ...(start.isDate && { days: { start: start.toString(), end: end.toString() } }),
    ...(location !== '' && { location }),
    ...(description !== '' && { description }),
    isBusy: textOf(component, 'transp').toUpperCase() !== 'TRANSPARENT' && to > from,
    isRepeated: event.isRecurring() || event.isRecurrenceException(),
  };
}

function textOf(component: ICAL.Component, name: string): string {
  return String(component.getFirstPropertyValue(name) ?? '');
}
