import { type Peer, type PeerAnswer, type PeerCall, startPeer } from '../peer.ts';

/** An event or a task as Graph gives it. */
export type GraphThing = Record<string, unknown> & { readonly id: string };

/** Events and tasks of one account at Microsoft, as the samples of Graph's documentation show them. */
export interface GraphPeer extends Peer {
  readonly events: GraphThing[];
  /** The calendars of the account; the default one is there at first. */
  readonly calendars: GraphThing[];
  /** Events of a calendar by its id; `''` is the default one. */
  eventsOf(calendarId: string): GraphThing[];
  readonly tasks: GraphThing[];
  /** What is said to a transactionId that is known: `same` gives the event that there is. */
  repeat: 'same' | 400 | 409;
  /** Zones that are refused. */
  readonly unknownZones: string[];
}

const PAGE = 3;
const LIST = 'AAMkADIyAAAhrbPWAAA=';

export async function startGraphPeer(): Promise<GraphPeer> {
  const main: GraphThing[] = [];
  const others = new Map<string, GraphThing[]>();
  const eventsOf = (calendarId: string) => {
    if (calendarId === '') return main;
    const events = others.get(calendarId) ?? [];
    others.set(calendarId, events);
    return events;
  };
  const jane = { name: 'Jane', address: 'jane@example.org' };
  const calendars: GraphThing[] = [
    { id: 'AAMkDefault=', name: 'Calendar', isDefaultCalendar: true, canEdit: true, owner: jane },
  ];
  const tasks: GraphThing[] = [];
  const state = { repeat: 409 as GraphPeer['repeat'], unknownZones: [] as string[] };
  let ticks = Date.UTC(2026, 10, 22, 12);

  const view = (call: PeerCall, events: readonly GraphThing[]): PeerAnswer => {
    const { query, prefer } = call;
    const [from, to] = [Date.parse(query['startDateTime'] ?? ''), Date.parse(query['endDateTime'] ?? '')];
    const found = events
      .filter((event) => momentOf(event['end']) > from && momentOf(event['start']) < to)
      .sort((a, b) => momentOf(a['start']) - momentOf(b['start']));
    return paged(found.map(shown(prefer)), call);
  };

  const create = ({ body, prefer }: PeerCall, events: GraphThing[]): PeerAnswer => {
    const zone = (body['start'] as { timeZone: string }).timeZone;
    if (state.unknownZones.includes(zone))
      return fail(400, 'TimeZoneNotSupportedException', 'A valid TimeZone value must be specified.');
    const there = events.find((event) => event['transactionId'] === body['transactionId']);
    if (there !== undefined && state.repeat === 'same') return { status: 201, body: shown(prefer)(there) };
    if (there !== undefined)
      return fail(Number(state.repeat), 'ErrorDuplicateTransactionId', "Your request can't be completed.");
    const id = `AAMkEvent${main.length + [...others.values()].flat().length}`;
    const event = { showAs: 'busy', isCancelled: false, type: 'singleInstance', ...body, id, iCalUId: `0400-${id}` };
    events.push(event);
    return { status: 201, body: shown(prefer)(event) };
  };

  const find = (call: PeerCall, events: readonly GraphThing[]): PeerAnswer => {
    const { query, prefer } = call;
    const value = /p\/value eq '([^']+)'/.exec(query['$filter'] ?? '')?.[1];
    const id = /p\/id eq '([^']+)'/.exec(query['$filter'] ?? '')?.[1];
    const isIt = (one: { id: string; value: string }) => one.id === id && one.value === value;
    const found = events.filter((event) =>
      ((event['singleValueExtendedProperties'] ?? []) as { id: string; value: string }[]).some(isIt),
    );
    return paged(found.map(shown(prefer)), call);
  };

  const todo = (call: PeerCall): PeerAnswer => {
    const { method, query, body } = call;
    if (method === 'POST') {
      ticks += 1000;
      const task = { status: 'notStarted', ...body, id: `AAMkTask${tasks.length}`, createdDateTime: iso(ticks) };
      tasks.push(task);
      return { status: 201, body: withoutLinks(task) };
    }
    const [, operator] = /^status (eq|ne) 'completed'$/.exec(query['$filter'] ?? '') ?? [];
    const found = tasks
      .filter(({ status }) => operator === undefined || (status === 'completed') === (operator === 'eq'))
      .sort((a, b) => (String(a['createdDateTime']) < String(b['createdDateTime']) ? 1 : -1))
      .map((task) => (query['$expand'] === 'linkedResources' ? task : withoutLinks(task)));
    return paged(found, call);
  };

  const peer = await startPeer(
    (call) => {
      const { method, path } = call;
      if (path === '/v1.0/me/calendars') return paged(calendars, call);
      const [, id = '', what] = /^\/v1\.0\/me(?:\/calendars\/([^/]+))?\/(calendarView|events)$/.exec(path) ?? [];
      if (id !== '' && !calendars.some((calendar) => calendar.id === id)) return undefined;
      if (what === 'calendarView') return view(call, eventsOf(id));
      if (what === 'events') return method === 'POST' ? create(call, eventsOf(id)) : find(call, eventsOf(id));
      if (path === '/v1.0/me/todo/lists')
        return {
          body: {
            value: [
              { id: 'other', displayName: 'Travel items', wellknownListName: 'none' },
              { id: LIST, displayName: 'Tasks', wellknownListName: 'defaultList' },
            ],
          },
        };
      if (path === `/v1.0/me/todo/lists/${LIST}/tasks`) return todo(call);
      const known = tasks.find((one) => path === `/v1.0/me/todo/lists/${LIST}/tasks/${one.id}`);
      if (method === 'PATCH' && known !== undefined) return { body: withoutLinks(Object.assign(known, call.body)) };
      return undefined;
    },
    {
      unauthorized: { error: { code: 'InvalidAuthenticationToken', message: 'Lifetime validation failed' } },
      notFound: { error: { code: 'ErrorItemNotFound', message: 'not found' } },
    },
  );
  return Object.assign(state, peer, { events: main, tasks, calendars, eventsOf });
}

/** Times in UTC where that was preferred, as Graph gives them: seven digits of a second, and no Z. */
function shown(prefer: string) {
  const isUtc = prefer.includes('outlook.timezone="UTC"');
  return (event: GraphThing): object => {
    const of = (value: unknown) => {
      const text = event['isAllDay'] === true ? dayOf(value) : iso(momentOf(value)).slice(0, 19);
      return isUtc ? { dateTime: `${text}.0000000`, timeZone: 'UTC' } : value;
    };
    return { ...event, start: of(event['start']), end: of(event['end']) };
  };
}

/** Days float: their midnight is given as that of whatever zone was asked for. */
function dayOf(value: unknown): string {
  return (value as { dateTime: string }).dateTime.slice(0, 19);
}

function momentOf(value: unknown): number {
  return Date.parse(`${(value as { dateTime: string }).dateTime.slice(0, 19)}Z`);
}

function withoutLinks(task: GraphThing): object {
  const { linkedResources: _, ...rest } = task;
  return rest;
}

function paged(all: readonly object[], { query, url, path }: PeerCall): PeerAnswer {
  const { $top = '10', $skip = '0' } = query;
  const to = Number($skip) + Math.min(PAGE, Number($top));
  const next = new URLSearchParams({ ...query, $skip: String(to) });
  return {
    body: {
      value: all.slice(Number($skip), to),
      ...(to < all.length && { '@odata.nextLink': `${url}${encodeURI(path)}?${next}` }),
    },
  };
}

function fail(status: number, code: string, message: string): PeerAnswer {
  return { status, body: { error: { code, message } } };
}

const iso = (ms: number) => new Date(ms).toISOString();
