import { DateTime } from 'luxon';
import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord, sha256 } from '../../base/json.ts';
import { isTimeZone } from '../../base/time-zone.ts';
import { type Graph, odataText, withQuery } from '../../account/microsoft/graph.ts';
import { createGraph } from '../../account/microsoft/graph-client.ts';
import { problemOf } from '../../account/microsoft/graph-error.ts';
import type { AccountTokens } from '../../account/account.ts';
import { scopesFor } from '../../account/scopes.ts';
import { createOnce } from '../create-once.ts';
import { joinCalendars, PRIMARY } from '../joined-calendars.ts';
import type { Calendar, CalendarEvent, CalendarInfo, NewEvent, Skipped } from '../agenda.ts';
import { writeEvent } from '../ical/ical.ts';
import { wallTime } from '../date-time.ts';
import { deletedSince, byStart, MAX_READ, nearestDay, tooMany, touches, widened, wholeDays } from '../span.ts';

const READ = scopesFor('outlook', ['calendar read']);
const ADD = scopesFor('outlook', ['calendar add']);
const LIST = scopesFor('outlook', ['calendar list']);

/** All times in UTC, so that no names of Windows zones have to be read. */
const PREFER = ['outlook.timezone="UTC"', 'outlook.body-content-type="text"'];

const FIELDS =
  'id,iCalUId,subject,body,start,end,location,isAllDay,isCancelled,showAs,seriesMasterId,type,responseStatus';

const PAGE_SIZE = 250;

/** Our own property of events: unlike transactionId it can be searched. */
const KEY_PROPERTY = 'String {6d1c6b3e-2f0a-4c0e-9b7d-51f3a0c7e2d4} Name CallsheetKey';

/** How often to search an event that Graph says it has, and the wait between: it may appear late. */
const MAX_SEARCHES = 3;
const SEARCH_WAIT_MS = 1000;

/** Dependencies of the calendar and to-dos of one Microsoft account. */
export interface GraphDeps {
  readonly accountId: string;
  readonly tokens: AccountTokens;
  readonly clock: Clock;
  /** Root of Graph; default Microsoft's own. */
  readonly api?: string;
}

/**
 * The calendars of a Microsoft account (https://learn.microsoft.com/graph/api/resources/event). An added event
 * has a transactionId made from the key: Graph makes no second event with the same one.
 */
export function createGraphCalendar({ accountId, tokens, clock, api }: GraphDeps): Calendar {
  const graph = createGraph({ accountId, tokens, clock, endpoints: { ...(api !== undefined && { api }) } });

  return joinCalendars({
    accountId,
    list: ({ signal }) => listCalendars(graph, { signal }),
    async read(calendarId, span, { timeZone, signal }) {
      const wide = widened(span);
      const path = withQuery(`${pathOf(calendarId)}/calendarView`, {
        startDateTime: new Date(wide.from).toISOString(),
        endDateTime: new Date(wide.to).toISOString(),
        $orderby: 'start/dateTime',
        $top: PAGE_SIZE,
        $select: FIELDS,
      });
      const events: CalendarEvent[] = [];
      const skipped: Skipped[] = [];
      let count = 0;
      for await (const found of graph.items({ path, scopes: READ, prefer: PREFER, signal })) {
        if (++count > MAX_READ) throw tooMany();
        if (found['isCancelled'] === true || isDeclined(found)) continue;
        const event = eventOf(found, timeZone);
        if ('reason' in event) skipped.push(event);
        else if (touches(event, span)) events.push(event);
      }
      return { events: events.sort(byStart), skipped };
    },
    async add(calendarId, event, { key, timeZone, signal }) {
      const id = sha256(`calendar ${key}`).slice(0, 32);
      const createEvent = () =>
        create(graph, event, { id, path: `${pathOf(calendarId)}/events`, timeZone, clock, signal });
      const found = await createOnce({ create: createEvent, problemOf }, { clock, signal });
      const added = eventOf(found, timeZone);
      if ('reason' in added) throw new EngineError('TOOL_FAILED', `the event was added, but ${added.reason}`);
      const uid = textOf(found['iCalUId']) || added.id;
      return { event: added, ics: writeEvent(event, uid, clock.now()) };
    },
  });
}

/** Path of the default calendar, or of one by its id. */
function pathOf(calendarId: string): string {
  return calendarId === PRIMARY ? '/me' : `/me/calendars/${encodeURIComponent(calendarId)}`;
}

/** The calendars of the account (reference, List calendars). Its own are those with the owner of the default one. */
async function listCalendars(graph: Graph, { signal }: Abortable): Promise<CalendarInfo[]> {
  const path = withQuery('/me/calendars', { $select: 'id,name,isDefaultCalendar,canEdit,owner', $top: 100 });
  const found: Record<string, unknown>[] = [];
  for await (const one of graph.items({ path, scopes: LIST, signal })) found.push(one);
  const ownerOf = (one: Record<string, unknown>) => partOf(one['owner'], 'address').toLowerCase();
  const own = found.filter((one) => one['isDefaultCalendar'] === true).map(ownerOf);
  return found.map((one) => ({
    id: textOf(one['id']),
    name: textOf(one['name']),
    isPrimary: one['isDefaultCalendar'] === true,
    isOwn: one['isDefaultCalendar'] === true || own.includes(ownerOf(one)),
    canRead: true,
    canWrite: one['canEdit'] === true,
  }));
}

type GraphEvent = Record<string, unknown>;

interface CreateOptions extends Abortable {
  readonly id: string;
  /** Path of the calendar's events. */
  readonly path: string;
  readonly timeZone: string;
  readonly clock: Clock;
}

async function create(graph: Graph, event: NewEvent, options: CreateOptions): Promise<GraphEvent> {
  const { id, path, timeZone, signal } = options;
  const post = (zone: string) =>
    graph.json({
      ...{ method: 'POST', path, scopes: ADD, prefer: PREFER, signal },
      body: bodyOf(event, id, zone),
    });
  try {
    return await post(timeZone);
  } catch (error) {
    const code = problemOf(error)?.code ?? '';
    // Graph does not accept every IANA name of a zone; then days are in UTC.
    if (/TimeZone/i.test(code)) return post('UTC');
    if (code === 'ErrorDuplicateTransactionId') return findAgain(graph, options);
    throw error;
  }
}

/** Finds the event that an earlier request has added. */
async function findAgain(graph: Graph, { id, path: events, clock, signal }: CreateOptions): Promise<GraphEvent> {
  const isKey = `p:p/id eq ${odataText(KEY_PROPERTY)} and p/value eq ${odataText(id)}`;
  const path = withQuery(events, {
    $filter: `singleValueExtendedProperties/any(${isKey})`,
    $select: `${FIELDS},transactionId`,
    $expand: `singleValueExtendedProperties($filter=id eq ${odataText(KEY_PROPERTY)})`,
    $top: 10,
  });
  for (let search = 1; ; search++) {
    const { items } = await graph.page({ path, scopes: ADD, prefer: PREFER, signal });
    const found = items.find((item) => item['transactionId'] === id || keyOf(item) === id);
    if (found !== undefined) return found;
    if (search >= MAX_SEARCHES) break;
    await sleep(SEARCH_WAIT_MS, { signal, clock });
  }
  throw deletedSince();
}

function keyOf({ singleValueExtendedProperties: all }: GraphEvent): string {
  const values = Array.isArray(all) ? all.map((one) => partOf(one, 'value')) : [];
  return values[0] ?? '';
}

function bodyOf({ title, location, description, time }: NewEvent, id: string, zone: string): object {
  const at = (ms: number) => ({ dateTime: new Date(ms).toISOString().slice(0, 19), timeZone: 'UTC' });
  const midnight = (day: string) => ({ dateTime: `${day}T00:00:00`, timeZone: zone });
  return {
    subject: title,
    ...(location !== undefined && { location: { displayName: location } }),
    ...(description !== undefined && { body: { contentType: 'text', content: description } }),
    ...('days' in time
      ? { isAllDay: true, start: midnight(time.days.start), end: midnight(time.days.end) }
      : { start: at(time.from), end: at(time.to) }),
    transactionId: id,
    singleValueExtendedProperties: [{ id: KEY_PROPERTY, value: id }],
  };
}

function eventOf(found: GraphEvent, timeZone: string): CalendarEvent | Skipped {
  const title = textOf(found['subject']).trim();
  const [from, to] = [momentOf(found['start']), momentOf(found['end'])];
  const file = title === '' ? textOf(found['id']) : title;
  if (typeof from === 'string') return { file, reason: from };
  if (typeof to === 'string') return { file, reason: to };
  const location = partOf(found['location'], 'displayName');
  const description = partOf(found['body'], 'content').trim();
  const showAs = textOf(found['showAs']);
  const series = textOf(found['seriesMasterId']);
  const times = found['isAllDay'] === true ? wholeDays(nearestDay(from), nearestDay(to), timeZone) : { from, to };
  return {
    id: series || textOf(found['id']),
    title,
    ...times,
    ...(location !== '' && { location }),
    ...(description !== '' && { description }),
    isBusy: showAs !== 'free' && showAs !== 'workingElsewhere' && times.to > times.from,
    isRepeated: series !== '' || found['type'] === 'seriesMaster',
  };
}

/**
 * Epoch milliseconds of a dateTimeTimeZone, or the reason why it cannot be read. The request asks for UTC; the response
 * may still name an IANA zone.
 */
function momentOf(value: unknown): number | string {
  const text = partOf(value, 'dateTime');
  const zone = partOf(value, 'timeZone') || 'UTC';
  const known = /^(utc|tzone:\/\/microsoft\/utc)$/i.test(zone) ? 'UTC' : zone;
  if (!isTimeZone(known)) return `its time is in "${zone}", which is no zone of IANA`;
  const wall = DateTime.fromISO(text, { zone: 'utc' });
  if (!wall.isValid) return `its time ${JSON.stringify(text)} cannot be read`;
  const { year, month, day, hour, minute, second } = wall;
  return wallTime({ year, month, day, hour, minute, second }, known);
}

function isDeclined(found: GraphEvent): boolean {
  return partOf(found['responseStatus'], 'response') === 'declined';
}

function partOf(value: unknown, name: string): string {
  return isRecord(value) ? textOf(value[name]) : '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
