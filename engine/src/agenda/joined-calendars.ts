import type { Abortable } from '../base/abort.ts';
import { EngineError } from '../base/error.ts';
import type { Calendar, CalendarEvent, CalendarInfo, CalendarView, NewEvent, Skipped, Span } from './agenda.ts';
import { byStart } from './span.ts';

/** Id of an account's main calendar, whatever its provider calls it. */
export const PRIMARY = 'primary';

/** Most calendars of an account that one read covers. */
const MAX_CALENDARS = 50;
/** Calendars that are read at the same time. */
const AT_ONCE = 5;

type ReadOptions = Abortable & { readonly timeZone: string };
type AddOptions = ReadOptions & { readonly key: string };

/** The calendars of one account, each by its id. The main one is always known as `PRIMARY`. */
export interface CalendarDriver {
  readonly accountId?: string;
  list(options: Abortable): Promise<readonly CalendarInfo[]>;
  read(calendarId: string, span: Span, options: ReadOptions): Promise<CalendarView>;
  add(calendarId: string, event: NewEvent, options: AddOptions): ReturnType<Calendar['add']>;
}

/**
 * The calendars of an account as one `Calendar`. A sign-in of an earlier version may not allow listing the calendars; then
 * reads cover the main one and say so, and a named calendar is taken by its id.
 */
export function joinCalendars(driver: CalendarDriver): Calendar {
  return {
    ...(driver.accountId !== undefined && { accountId: driver.accountId }),
    calendars: ({ signal }) => driver.list({ signal }),
    target: (calendarId, { signal }) =>
      calendarId === undefined ? mainOf(driver, { signal }) : find(driver, calendarId, { signal }),
    async read(span, { calendarId, ownOnly = false, ...options }) {
      if (calendarId !== undefined) return readNamed(driver, calendarId, span, options);
      const { signal } = options;
      const { calendars, skipped } = await readable(driver, ownOnly, { signal });
      const views: CalendarView[] = [];
      for (let from = 0; from < calendars.length; from += AT_ONCE)
        views.push(
          ...(await Promise.all(
            calendars.slice(from, from + AT_ONCE).map((calendar) => readOne(driver, calendar, span, options)),
          )),
        );
      return {
        events: views.flatMap(({ events }) => events).sort(byStart),
        skipped: [...views.flatMap((view) => view.skipped), ...skipped],
      };
    },
    async add(event, { calendarId, ...options }) {
      const calendar = calendarId === undefined ? MAIN : await find(driver, calendarId, options);
      if (!calendar.canWrite) throw refused(`the calendar "${calendar.name}" is read-only`);
      const added = await driver.add(driverId(calendar), event, options);
      return { ...added, event: withCalendar(added.event, calendar) };
    },
  };
}

/** The main calendar, where its name does not matter. */
const MAIN: CalendarInfo = { id: PRIMARY, name: PRIMARY, isPrimary: true, isOwn: true, canRead: true, canWrite: true };

/** The main calendar with its name; without, where the calendars cannot be listed. */
async function mainOf(driver: CalendarDriver, options: Abortable): Promise<CalendarInfo> {
  const all = await driver.list(options).catch((error: unknown) => {
    if (isScopeMissing(error)) return [];
    throw error;
  });
  return all.find(({ isPrimary }) => isPrimary) ?? MAIN;
}

async function readable(
  driver: CalendarDriver,
  ownOnly: boolean,
  { signal }: Abortable,
): Promise<{ calendars: readonly CalendarInfo[]; skipped: readonly Skipped[] }> {
  let all: readonly CalendarInfo[];
  try {
    all = await driver.list({ signal });
  } catch (error) {
    if (!(error instanceof EngineError) || error.retryable) throw error;
    return { calendars: [MAIN], skipped: [{ file: 'other calendars', reason: reasonOf(error) }] };
  }
  const others = all.filter(({ isPrimary, isOwn, canRead }) => !isPrimary && canRead && (isOwn || !ownOnly));
  const calendars = [MAIN, ...others.slice(0, MAX_CALENDARS - 1)];
  const left = others.slice(MAX_CALENDARS - 1);
  const reason = `only ${MAX_CALENDARS} calendars are read at a time: name this one`;
  return { calendars, skipped: left.map(({ name }) => ({ file: name, reason })) };
}

async function readNamed(
  driver: CalendarDriver,
  calendarId: string,
  span: Span,
  options: ReadOptions,
): Promise<CalendarView> {
  const calendar = await find(driver, calendarId, options);
  if (!calendar.canRead) throw refused(`the events of the calendar "${calendar.name}" cannot be read`);
  return tagged(await driver.read(driverId(calendar), span, options), calendar);
}

/** Reads one of several calendars. One that is not the main one and cannot be read now is reported, not failed for. */
async function readOne(
  driver: CalendarDriver,
  calendar: CalendarInfo,
  span: Span,
  options: ReadOptions,
): Promise<CalendarView> {
  try {
    return tagged(await driver.read(driverId(calendar), span, options), calendar);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (calendar.isPrimary || !(error instanceof EngineError) || error.retryable) throw error;
    return { events: [], skipped: [{ file: calendar.name, reason: reasonOf(error) }] };
  }
}

/** The calendar with this id or name. `TOOL_ARGUMENTS` where there is none, or several have the name. */
async function find(driver: CalendarDriver, named: string, { signal }: Abortable): Promise<CalendarInfo> {
  if (named.toLowerCase() === PRIMARY) return MAIN;
  let all: readonly CalendarInfo[];
  try {
    all = await driver.list({ signal });
  } catch (error) {
    if (!isScopeMissing(error)) throw error;
    return { ...MAIN, id: named, name: named, isPrimary: false };
  }
  const byId = all.find(({ id }) => id === named);
  if (byId !== undefined) return byId;
  const [byName, ...others] = all.filter(({ name }) => name.toLowerCase() === named.toLowerCase());
  if (others.length > 0)
    throw refused(`several calendars are called "${named}"`, 'name one by its id from calendar_list');
  if (byName !== undefined) return byName;
  const names = all.map(({ name }) => name).join(', ');
  throw refused(`there is no calendar "${named}"`, `calendars: ${names || 'none'}`);
}

function driverId({ isPrimary, id }: CalendarInfo): string {
  return isPrimary ? PRIMARY : id;
}

function tagged({ events, skipped }: CalendarView, calendar: CalendarInfo): CalendarView {
  if (calendar.isPrimary) return { events, skipped };
  return {
    events: events.map((event) => withCalendar(event, calendar)),
    skipped: skipped.map(({ file, reason }) => ({ file: `${calendar.name}: ${file}`, reason })),
  };
}

function withCalendar(event: CalendarEvent, { isPrimary, id, name }: CalendarInfo): CalendarEvent {
  return isPrimary ? event : { ...event, calendar: { id, name } };
}

function isScopeMissing(error: unknown): error is EngineError {
  return error instanceof EngineError && error.code === 'ACCOUNT_SCOPE_MISSING';
}

function reasonOf({ message, hint }: EngineError): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}

function refused(message: string, hint = 'name another calendar, or leave calendarId out'): EngineError {
  return new EngineError('TOOL_ARGUMENTS', message, { hint });
}
