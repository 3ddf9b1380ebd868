import ICAL from 'ical.js';
import type { CalendarEvent, NewEvent, Span } from './agenda.ts';
import { momentOf, settleZones, strangeZone } from './ical-zone.ts';

/** Occurrences that are looked at for one event before it is given up: 27 years of a daily one. */
const MAX_OCCURRENCES = 10_000;

const DAY_MS = 86_400_000;

/** An iCalendar file as it was read: events with their exceptions, and exceptions whose event is elsewhere. */
export interface ParsedCalendar {
  readonly events: readonly ICAL.Event[];
  /** What is wrong with events that were left out. */
  readonly faults: readonly string[];
}

/** Reads the text of an .ics file (RFC 5545). Throws where it is none; of single events that are bad it says so. */
export function parseCalendar(text: string): ParsedCalendar {
  const parsed = ICAL.parse(text.replace(/^\uFEFF/, '')) as unknown[];
  const roots = (Array.isArray(parsed[0]) ? parsed : [parsed]) as [string, unknown[], unknown[]][];
  const events: ICAL.Event[] = [];
  const faults: string[] = [];
  for (const root of roots) {
    const calendar = new ICAL.Component(root);
    if (calendar.name !== 'vcalendar') throw new Error('there is no VCALENDAR in it');
    settleZones(calendar);
    const good = calendar.getAllSubcomponents('vevent').filter((event) => {
      const fault = faultOf(event);
      if (fault !== undefined) faults.push(fault);
      return fault === undefined;
    });
    events.push(...good.map((event) => new ICAL.Event(event, { exceptions: exceptionsOf(event, good) })));
  }
  return { events, faults };
}

/** Every occurrence that touches the span. Throws where a rule gives more occurrences than anybody has appointments. */
export function eventsIn({ events }: ParsedCalendar, span: Span, zone: string): CalendarEvent[] {
  return events.flatMap((event) => {
    const isOne = event.isRecurrenceException() || !event.isRecurring();
    return isOne ? occurrence(event, event.startDate, event.endDate, span, zone) : repeated(event, span, zone);
  });
}

/** An event as the text of an .ics file. Moments are written in UTC, which needs no description of a zone. */
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
  set('summary', title);
  if (location !== undefined) set('location', location);
  if (description !== undefined) set('description', description);
  calendar.addSubcomponent(event);
  return `${calendar.toString()}\r\n`;
}

function utc(at: number): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(at), true);
}

function faultOf(event: ICAL.Component): string | undefined {
  const title = String(event.getFirstPropertyValue('summary') ?? '');
  const name = title === '' ? 'an event' : `the event "${title}"`;
  const zone = strangeZone(event);
  if (zone !== undefined)
    return `${name} names the time zone "${zone}", which is none of IANA's and not described in the file`;
  const start: unknown = event.getFirstPropertyValue('dtstart');
  if (!(start instanceof ICAL.Time)) return `${name} has no DTSTART`;
  return Number.isFinite(momentOf(start, 'UTC')) ? undefined : `${name} has a DTSTART that is no date`;
}

/** Exceptions (RECURRENCE-ID) of an event, out of all of its file. */
function exceptionsOf(event: ICAL.Component, all: readonly ICAL.Component[]): ICAL.Component[] {
  if (event.hasProperty('recurrence-id')) return [];
  const uid = event.getFirstPropertyValue('uid');
  const isOwn = (other: ICAL.Component) =>
    other.hasProperty('recurrence-id') && other.getFirstPropertyValue('uid') === uid;
  return all.filter(isOwn);
}

/** Occurrences by rule. Those with an exception are left out: it may lie anywhere, and stands for itself. */
function repeated(event: ICAL.Event, span: Span, zone: string): CalendarEvent[] {
  const found: CalendarEvent[] = [];
  const iterator = event.iterator();
  for (let count = 0; count < MAX_OCCURRENCES; count++) {
    const next = iterator.next() as ICAL.Time | null | undefined;
    // A later one may begin earlier by the clocks' change, and an exception for all that follow may move it back.
    if (!next || momentOf(next, zone) > span.to + DAY_MS * (event.rangeExceptions.length > 0 ? 366 : 1)) return found;
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    const isItself = item !== event && item.recurrenceId.compare(next) === 0;
    if (!isItself) found.push(...occurrence(item, startDate, endDate, span, zone));
  }
  throw new Error(`the event "${event.summary}" repeats more than ${MAX_OCCURRENCES} times`);
}

function occurrence(event: ICAL.Event, start: ICAL.Time, end: ICAL.Time, span: Span, zone: string): CalendarEvent[] {
  const from = momentOf(start, zone);
  const to = Math.max(from, momentOf(end, zone));
  const touches = to > span.from ? from < span.to : from === to && from === span.from;
  const { component } = event;
  const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '');
  if (!touches || text('status').toUpperCase() === 'CANCELLED') return [];
  const [location, description] = [text('location'), text('description')];
  return [
    {
      ...{ id: text('uid'), title: text('summary'), from, to },
      ...(start.isDate && { days: { start: start.toString(), end: end.toString() } }),
      ...(location !== '' && { location }),
      ...(description !== '' && { description }),
      isBusy: text('transp').toUpperCase() !== 'TRANSPARENT' && to > from,
      isRepeated: event.isRecurring() || event.isRecurrenceException(),
    },
  ];
}
