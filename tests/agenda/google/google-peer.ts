import { type Peer, type PeerAnswer, type PeerCall, startPeer } from '../peer.ts';

/** An event as Google gives it; repeated ones lie here as their single occurrences. */
export type GoogleEvent = Record<string, unknown> & { readonly id: string };

type Task = Record<string, unknown> & { id: string; updated: string };

/** Events and tasks of one account at Google, with ids and pages as the references of both APIs say. */
export interface GooglePeer extends Peer {
  readonly events: GoogleEvent[];
  readonly tasks: Task[];
  /** The calendars of the account's list; the main one is there at first. */
  readonly calendars: GoogleCalendarEntry[];
  /** Events of a calendar by its id; the main one is `primary`. */
  eventsOf(calendarId: string): GoogleEvent[];
}

export interface GoogleCalendarEntry {
  readonly id: string;
  readonly summary: string;
  readonly summaryOverride?: string;
  readonly primary?: boolean;
  /** The zone in which the calendar shows times. */
  readonly timeZone?: string;
  readonly accessRole: 'owner' | 'writer' | 'reader' | 'freeBusyReader';
}

/** As small as pages can be and still be pages. */
const PAGE = 3;

const error = (code: number, reason: string, message: string) => ({
  error: { code, message, errors: [{ domain: 'global', reason, message }] },
});

export async function startGooglePeer(): Promise<GooglePeer> {
  const main: GoogleEvent[] = [];
  const others = new Map<string, GoogleEvent[]>();
  const calendars: GoogleCalendarEntry[] = [
    { id: 'jane@example.org', summary: 'jane@example.org', primary: true, accessRole: 'owner' },
  ];
  const eventsOf = (calendarId: string) => {
    if (calendarId === 'primary') return main;
    const events = others.get(calendarId) ?? [];
    others.set(calendarId, events);
    return events;
  };
  const tasks: Task[] = [];
  let ticks = Date.UTC(2026, 10, 22, 12);

  const calendar = ({ method, path, query, body }: PeerCall): PeerAnswer | undefined => {
    if (path === '/calendar/v3/users/me/calendarList') return paged(calendars, query);
    const [, calendarId, id] = /^\/calendar\/v3\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(path) ?? [];
    if (calendarId === undefined) return undefined;
    const known = calendars.find((one) => one.id === calendarId);
    if (calendarId !== 'primary' && known === undefined) return undefined;
    if (known?.accessRole === 'freeBusyReader') return { status: 403, body: error(403, 'forbidden', 'Forbidden') };
    const events = eventsOf(calendarId);
    if (id !== undefined) {
      const found = events.find((event) => event.id === id);
      return method === 'GET' && found !== undefined ? { body: found } : undefined;
    }
    if (method === 'GET') return paged(within(events, query), query);
    if (events.some((event) => event.id === body['id']))
      return { status: 409, body: error(409, 'duplicate', 'The requested identifier already exists.') };
    if (!/^[a-v0-9]{5,1024}$/.test(String(body['id'])))
      return { status: 400, body: error(400, 'invalid', 'Invalid resource id value.') };
    const newId = String(body['id']);
    const event: GoogleEvent = { status: 'confirmed', iCalUID: `${newId}@google.com`, ...body, id: newId };
    events.push(event);
    return { body: event };
  };

  const todo = ({ method, path, query, body }: PeerCall): PeerAnswer | undefined => {
    const [, id] = /^\/tasks\/v1\/lists\/@default\/tasks\/([^/]+)$/.exec(path) ?? [];
    const known = tasks.find((one) => one['id'] === id);
    if (method === 'PATCH' && known !== undefined) return { body: Object.assign(known, body, { hidden: true }) };
    if (path !== '/tasks/v1/lists/@default/tasks') return undefined;
    if (method === 'GET') {
      const shown = tasks.filter(
        ({ status, updated }) =>
          (status !== 'completed' || (query['showCompleted'] !== 'false' && query['showHidden'] === 'true')) &&
          updated >= (query['updatedMin'] ?? ''),
      );
      return paged(shown, query);
    }
    ticks += 1000;
    const due = typeof body['due'] === 'string' ? { due: `${body['due'].slice(0, 10)}T00:00:00.000Z` } : {};
    const task = { ...body, ...due, id: `task-${tasks.length}`, status: 'needsAction', updated: iso(ticks) };
    // They come in the order in which people have put them.
    if (tasks.length % 2 === 0) tasks.push(task);
    else tasks.unshift(task);
    return { body: task };
  };

  const peer = await startPeer((call) => calendar(call) ?? todo(call), {
    unauthorized: error(401, 'authError', 'Invalid Credentials'),
    notFound: error(404, 'notFound', 'Not Found'),
  });
  return { ...peer, events: main, tasks, calendars, eventsOf };
}

function within(events: readonly GoogleEvent[], { timeMin = '', timeMax = '' }: PeerCall['query']): GoogleEvent[] {
  const at = (value: unknown) => {
    const { dateTime, date } = value as { dateTime?: string; date?: string };
    // Google takes whole days in the zone of the calendar, which is that of Berlin here.
    return Date.parse(dateTime ?? `${String(date)}T00:00:00+01:00`);
  };
  return events
    .filter(({ start, end }) => at(end) > Date.parse(timeMin) && at(start) < Date.parse(timeMax))
    .sort((a, b) => at(a['start']) - at(b['start']));
}

function paged(all: readonly object[], { pageToken = '0' }: PeerCall['query']): PeerAnswer {
  const from = Number(pageToken);
  const isMore = from + PAGE < all.length;
  return { body: { items: all.slice(from, from + PAGE), ...(isMore && { nextPageToken: String(from + PAGE) }) } };
}

const iso = (ms: number) => new Date(ms).toISOString();
