import { type FileHandle, open, readdir, readFile, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import type { Calendar, CalendarEvent, CalendarView, NewEvent, Skipped, Span } from '../agenda.ts';
import { eventsIn, parseCalendar, writeEvent } from '../ical/ical.ts';
import type { CalendarWorkers, CalendarFile } from '../ical/ical-workers.ts';
import { joinCalendars, PRIMARY } from '../joined-calendars.ts';
import { byStart } from '../span.ts';

/** Larger files are skipped and reported. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

const TOO_COSTLY = 'reading it takes too long or too much memory';

/** Dependencies of a calendar folder. */
export interface FolderCalendarDeps {
  /** Absolute; the folder is created when an event is added. */
  readonly path: string;
  readonly clock: Clock;
  /** Reads the files. */
  readonly workers: Pick<CalendarWorkers, 'events' | 'holds'>;
  /** Addresses of the calendar's owner, in lower case. */
  readonly own?: () => readonly string[];
}

/**
 * A folder of .ics files as the main calendar, and each folder in it as another one, as programs that synchronise calendars
 * lay them out. Other programs may add, change and delete files, with any number of events each; an event added here is one
 * file, with name and UID made from the key.
 */
export function createFolderCalendar(deps: FolderCalendarDeps): Calendar {
  const opened = new Map<string, FolderCalendar>();
  const open = (id: string) => {
    const path = id === PRIMARY ? deps.path : join(deps.path, id);
    const folder = opened.get(id) ?? new FolderCalendar({ ...deps, path });
    opened.set(id, folder);
    return folder;
  };
  return joinCalendars({
    async list({ signal }) {
      signal?.throwIfAborted();
      const common = { isOwn: true, canRead: true, canWrite: true };
      const others = (await listFolders(deps.path)).map((name) => ({ id: name, name, isPrimary: false, ...common }));
      return [{ id: PRIMARY, name: basename(deps.path), isPrimary: true, ...common }, ...others];
    },
    read: (id, span, options) => open(id).read(span, options),
    add: (id, event, options) => open(id).add(event, options),
  });
}

/** One folder of .ics files. */
class FolderCalendar {
  readonly #deps: FolderCalendarDeps;
  /** Stamps of files that hit a limit: they are skipped until they change. */
  readonly #costly = new Map<string, string>();

  constructor(deps: FolderCalendarDeps) {
    this.#deps = deps;
  }

  async read(span: Span, { timeZone, signal }: Abortable & { readonly timeZone: string }): Promise<CalendarView> {
    const { workers, own = () => [] } = this.#deps;
    const events: CalendarEvent[] = [];
    const skipped: Skipped[] = [];
    const addresses = own();
    const readFile = async (file: CalendarFile, name: string) => {
      const found = await workers.events(file, { span, timeZone, own: addresses, signal });
      if (found === undefined) return;
      if ('reason' in found) return void skipped.push({ file: name, reason: found.reason });
      for (const event of found.events) events.push(event);
      for (const reason of found.faults) skipped.push({ file: name, reason });
    };
    await this.#eachFile({ signal }, readFile, (one) => void skipped.push(one));
    return { events: events.sort(byStart), skipped };
  }

  async add(
    event: NewEvent,
    { key, timeZone, signal }: Abortable & { readonly key: string; readonly timeZone: string },
  ): Promise<{ event: CalendarEvent; ics: string }> {
    const { path, clock, workers } = this.#deps;
    const id = sha256(`calendar ${key}`).slice(0, 32);
    const uid = `${id}@callsheet`;
    let isThere = false;
    const findEvent = async (file: CalendarFile) => {
      isThere ||= await workers.holds(file, uid, { signal });
    };
    await this.#eachFile({ signal }, findEvent, () => {});
    const name = `callsheet-${id}.ics`;
    // A repeated call has the same result, to the byte.
    const ics = writeEvent(event, uid, (isThere ? await readStamp(join(path, name)) : undefined) ?? clock.now());
    if (!isThere) await writeWhole(path, name, ics);
    const span = { from: -Infinity, to: Infinity };
    const [added] = eventsIn(parseCalendar(ics), span, timeZone).events;
    if (added === undefined) throw new EngineError('INTERNAL', 'an event that was written cannot be read');
    return { event: added, ics };
  }

  /** Calls `read` for each file, one after the other, and `onSkipped` for those that cannot be read. */
  async #eachFile(
    { signal }: Abortable,
    read: (file: CalendarFile, name: string) => Promise<void>,
    onSkipped: (skipped: Skipped) => void,
  ): Promise<void> {
    signal?.throwIfAborted();
    for (const name of await listFiles(this.#deps.path)) {
      signal?.throwIfAborted();
      const found = await findFile(join(this.#deps.path, name));
      if (found === undefined) continue;
      if ('reason' in found) onSkipped({ file: name, reason: found.reason });
      else if (this.#costly.get(name) === found.stamp) onSkipped({ file: name, reason: TOO_COSTLY });
      else
        try {
          await read(found, name);
        } catch (error) {
          signal?.throwIfAborted();
          if (!(error instanceof EngineError) || error.code !== 'TOO_LARGE') throw error;
          this.#costly.set(name, found.stamp);
          onSkipped({ file: name, reason: TOO_COSTLY });
        }
    }
  }
}

async function findFile(path: string): Promise<CalendarFile | { readonly reason: string } | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    if (size > MAX_FILE_BYTES) return { reason: `it has ${size} bytes` };
    return { path, stamp: `${mtimeMs} ${size} ${ino}` };
  } catch (error) {
    // Deleted or replaced meanwhile.
    return isMissing(error) ? undefined : { reason: messageOf(error) };
  }
}

/** When an event that was added here was written, in epoch milliseconds; undefined where its file was moved or changed. */
async function readStamp(path: string): Promise<number | undefined> {
  const found = await findFile(path);
  if (found === undefined || 'reason' in found) return undefined;
  const text = await readFile(path, 'utf8').catch(() => '');
  const [, day, time] = /^DTSTAMP:(\d{8})T(\d{6})Z/m.exec(text) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const at = Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** Folders in a calendar folder. Links are not followed. */
async function listFolders(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw failed(`the calendar folder ${path} cannot be read`, error);
  }
}

async function listFiles(path: string): Promise<string[]> {
  try {
    const names = await readdir(path);
    return names.filter((name) => /^[^.].*\.ics$/i.test(name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw failed(`the calendar folder ${path} cannot be read`, error);
  }
}

/** Writes a file completely or not at all, even on a power loss: the ledger will record that it exists. */
async function writeWhole(path: string, name: string, text: string): Promise<void> {
  const draft = join(path, `.${name}.tmp`);
  try {
    await makeFolder(path);
    await onDisk(draft, 'w', (file) => file.writeFile(text));
    await rename(draft, join(path, name));
    await onDisk(path, 'r', async () => {});
  } catch (error) {
    throw failed(`the calendar folder ${path} cannot be written to`, error);
  }
}

async function onDisk(path: string, flags: 'w' | 'r', write: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags);
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

function failed(message: string, cause: unknown): EngineError {
  const hint = 'a person must check the folder that settings.calendar.path names';
  return new EngineError('TOOL_FAILED', `${message}: ${messageOf(cause)}`, { hint, cause });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
