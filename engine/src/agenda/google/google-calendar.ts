import { calendar as openCalendar, type calendar_v3 } from '@googleapis/calendar';
import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { scopesFor } from '../../account/scopes.ts';
import { createOnce } from '../create-once.ts';
import { joinCalendars } from '../joined-calendars.ts';
import type { Calendar, CalendarEvent, CalendarInfo, NewEvent, Skipped, Span } from '../agenda.ts';
import { requestGoogle, googleProblem, type GoogleDeps } from './google-request.ts';
import { writeEvent } from '../ical/ical.ts';
import { deletedSince, byStart, MAX_READ, tooMany, touches, wholeDays, widened } from '../span.ts';

const READ = scopesFor('gmail', ['calendar read']);
const ADD = scopesFor('gmail', ['calendar add']);
const LIST = scopesFor('gmail', ['calendar list']);

const FIELDS =
  'nextPageToken,items(id,iCalUID,recurringEventId,recurrence,status,summary,location,description,start,end,transparency,eventType,attendees(self,responseStatus))';

/** Google's largest page. */
const PAGE_SIZE = 2500;

/** Event types that take no time: places of work and birthdays. */
const NOT_BUSY = new Set(['workingLocation', 'birthday']);

/** Google's largest page of calendars. */
const LIST_PAGE_SIZE = 250;

/**
 * The calendars of a Google account (https://developers.google.com/calendar/api/v3/reference/events). The id of
 * an event is made from the key; Google refuses a second event with the same id (409).
 */
export function createGoogleCalendar(deps: GoogleDeps): Calendar {
  const google = openCalendar({ version: 'v3', ...(deps.api !== undefined && { rootUrl: deps.api }) });
  const { events } = google;
  return joinCalendars({
    accountId: deps.accountId,
    list: ({ signal }) => listCalendars(deps, google.calendarList, { signal }),
    async read(calendarId, span, { timeZone, signal }) {
      const found: CalendarEvent[] = [];
      const skipped: Skipped[] = [];
      let count = 0;
      for await (const item of itemsIn(deps, events, { ...widened(span), calendarId, timeZone, signal })) {
        if (++count > MAX_READ) throw tooMany();
        if (item.status === 'cancelled' || isDeclined(item)) continue;
        const event = eventOf(item, timeZone);
        if (event === undefined)
          skipped.push({ file: item.summary ?? item.id ?? '', reason: 'its time cannot be read' });
        else if (touches(event, span)) found.push(event);
      }
      return { events: found.sort(byStart), skipped };
    },
    async add(calendarId, event, { key, timeZone, signal }) {
      // Digits and letters from a to v are allowed (base32hex).
      const id = `callsheet${sha256(`calendar ${key}`).slice(0, 32)}`;
      const body = { ...bodyOf(event, timeZone), id };
      const create = () => insert(deps, events, { calendarId, body }, { signal });
      const item = await createOnce({ create, problemOf: googleProblem }, { clock: deps.clock, signal });
      const added = eventOf(item, timeZone);
      if (added === undefined) throw new EngineError('TOOL_FAILED', 'the event was added, but its time cannot be read');
      return { event: added, ics: writeEvent(event, item.iCalUID ?? `${added.id}@google.com`, deps.clock.now()) };
    },
  });
}

/** The calendars that the account has in its list (reference, CalendarList). Its own main one has its address as id. */
async function listCalendars(
  deps: GoogleDeps,
  calendarList: calendar_v3.Resource$Calendarlist,
  { signal }: Abortable,
): Promise<CalendarInfo[]> {
  const calendars: CalendarInfo[] = [];
  let pageToken: string | undefined;
  do {
    const query = { maxResults: LIST_PAGE_SIZE, ...(pageToken !== undefined && { pageToken }) };
    const page: calendar_v3.Schema$CalendarList = await requestGoogle(deps, { scopes: LIST, signal }, (options) =>
      calendarList.list(query, options),
    );
    for (const { id, summary, summaryOverride, primary, accessRole, timeZone } of page.items ?? []) {
      if (typeof id !== 'string') continue;
      const role = accessRole ?? '';
      calendars.push({
        id,
        name: summaryOverride ?? summary ?? id,
        isPrimary: primary === true,
        isOwn: role === 'owner',
        canRead: role === 'owner' || role === 'writer' || role === 'reader',
        canWrite: role === 'owner' || role === 'writer',
        ...(typeof timeZone === 'string' && { timeZone }),
      });
    }
    pageToken = page.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
  return calendars;
}

/** All events and occurrences of a span; pages are loaded on demand. */
async function* itemsIn(
  deps: GoogleDeps,
  events: calendar_v3.Resource$Events,
  {
    from,
    to,
    calendarId,
    timeZone,
    signal,
  }: Abortable & Span & { readonly calendarId: string; readonly timeZone: string },
): AsyncGenerator<calendar_v3.Schema$Event> {
  const params = {
    calendarId,
    timeMin: new Date(from).toISOString(),
    timeMax: new Date(to).toISOString(),
    timeZone,
    singleEvents: true,
    orderBy: 'startTime',
    // Of the attendees only this account itself matters.
    maxAttendees: 1,
    maxResults: PAGE_SIZE,
    fields: FIELDS,
  };
  let pageToken: string | undefined;
  do {
    const query = { ...params, ...(pageToken !== undefined && { pageToken }) };
    const page: calendar_v3.Schema$Events = await requestGoogle(deps, { scopes: READ, signal }, (options) =>
      events.list(query, options),
    );
    yield* page.items ?? [];
    pageToken = page.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
}

/** Adds the event, or returns the one that an earlier request has added. */
async function insert(
  deps: GoogleDeps,
  events: calendar_v3.Resource$Events,
  {
    calendarId,
    body,
  }: { readonly calendarId: string; readonly body: calendar_v3.Schema$Event & { readonly id: string } },
  { signal }: Abortable,
): Promise<calendar_v3.Schema$Event> {
  const asked = { scopes: ADD, signal };
  const params = { calendarId, sendUpdates: 'none', requestBody: body };
  try {
    return await requestGoogle(deps, { ...asked, isRepeatable: false }, (options) => events.insert(params, options));
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'CONFLICT') throw error;
  }
  let found: calendar_v3.Schema$Event;
  try {
    const params = { calendarId, eventId: body.id };
    found = await requestGoogle(deps, asked, (options) => events.get(params, options));
  } catch (error) {
    signal?.throwIfAborted();
    // The event exists, and was made from the same key, so it equals the request.
    if (error instanceof EngineError) return body;
    throw error;
  }
  // Google keeps the id of a deleted event.
  if (found.status === 'cancelled') throw deletedSince();
  return found;
}

function bodyOf({ title, location, description, time }: NewEvent, timeZone: string): calendar_v3.Schema$Event {
  const at = (ms: number) => ({ dateTime: new Date(ms).toISOString(), timeZone });
  return {
    summary: title,
    ...(location !== undefined && { location }),
    ...(description !== undefined && { description }),
    ...('days' in time
      ? { start: { date: time.days.start }, end: { date: time.days.end } }
      : { start: at(time.from), end: at(time.to) }),
  };
}

function eventOf(item: calendar_v3.Schema$Event, timeZone: string): CalendarEvent | undefined {
  const { start, end, location, description, eventType, recurringEventId } = item;
  const times =
    typeof start?.date === 'string'
      ? wholeDays(start.date, end?.date ?? start.date, timeZone)
      : { from: Date.parse(start?.dateTime ?? ''), to: Date.parse(end?.dateTime ?? start?.dateTime ?? '') };
  if (Number.isNaN(times.from) || Number.isNaN(times.to)) return undefined;
  const isFree = item.transparency === 'transparent' || NOT_BUSY.has(eventType ?? '');
  return {
    id: recurringEventId ?? item.id ?? '',
    title: item.summary ?? '',
    ...times,
    ...(typeof location === 'string' && location !== '' && { location }),
    ...(typeof description === 'string' && description !== '' && { description }),
    isBusy: !isFree && times.to > times.from,
    isRepeated: recurringEventId != null || (item.recurrence?.length ?? 0) > 0,
  };
}

function isDeclined({ attendees = [] }: calendar_v3.Schema$Event): boolean {
  return attendees.some(({ self, responseStatus }) => self === true && responseStatus === 'declined');
}
