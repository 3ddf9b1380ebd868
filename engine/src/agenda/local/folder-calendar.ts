import { type FileHandle, mkdir, open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import type { Calendar, CalendarEvent, CalendarView, Skipped } from '../agenda.ts';
import { eventsIn, parseCalendar, writeEvent } from '../ical/ical.ts';
import type { CalendarWorkers, CalendarFile } from '../ical/ical-workers.ts';
import { byBegin } from '../span.ts';

/** Larger files are named and left out. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

const TOO_COSTLY = 'it takes too long, or too much memory, to be read';

/**
 * A folder of .ics files as a calendar. Other programs may put files there, with any number of events each, and change or
 * delete them; what is added here is one file an event, whose name and UID follow from the key. `path` is absolute; the folder is
 * made when something is added. Files are read in `room`.
 */
export function createFolderCalendar({
  path,
  clock,
  workers,
  own = () => [],
}: {
  readonly path: string;
  readonly clock: Clock;
  readonly workers: Pick<CalendarWorkers, 'events' | 'holds'>;
  /** Addresses of whoever's calendar it is, in lower case. */
  readonly own?: () => readonly string[];
}): Calendar {
  /** Files that hit a limit, as they were then: they are not tried again. */
  const costly = new Map<string, string>();

  /** Goes through the files that may be looked into; `refuse` is told of the others. */
  const each = async (
    { signal }: Abortable,
    look: (file: CalendarFile, name: string) => Promise<void>,
    refuse: (skipped: Skipped) => void,
  ) => {
    signal?.throwIfAborted();
    for (const name of await listFiles(path)) {
      signal?.throwIfAborted();
      const found = await findFile(join(path, name));
      if (found === undefined) continue;
      if ('reason' in found) refuse({ file: name, reason: found.reason });
      else if (costly.get(name) === found.stamp) refuse({ file: name, reason: TOO_COSTLY });
      else
        try {
          await look(found, name);
        } catch (error) {
          signal?.throwIfAborted();
          if (!(error instanceof EngineError) || error.code !== 'TOO_LARGE') throw error;
          costly.set(name, found.stamp);
          refuse({ file: name, reason: TOO_COSTLY });
        }
    }
  };

  const add: Calendar['add'] = async (event, { key, timeZone, signal }) => {
    const id = sha256(`calendar ${key}`).slice(0, 32);
    const uid = `${id}@callsheet`;
    let isThere = false;
    const look = async (file: CalendarFile) => {
      isThere ||= await workers.holds(file, uid, { signal });
    };
    await each({ signal }, look, () => {});
    const ics = writeEvent(event, uid, clock.now());
    if (!isThere) await place(path, `callsheet-${id}.ics`, ics);
    const span = { from: -Infinity, to: Infinity };
    const [added] = eventsIn(parseCalendar(ics), span, timeZone).events;
    if (added === undefined) throw new EngineError('INTERNAL', 'an event that was written cannot be read');
    return { event: added, ics };
  };

  const read: Calendar['read'] = async (span, { timeZone, signal }): Promise<CalendarView> => {
    const events: CalendarEvent[] = [];
    const skipped: Skipped[] = [];
    const addresses = own();
    const look = async (file: CalendarFile, name: string) => {
      const found = await workers.events(file, { span, timeZone, own: addresses, signal });
      if (found === undefined) return;
      if ('reason' in found) return void skipped.push({ file: name, reason: found.reason });
      for (const event of found.events) events.push(event);
      for (const reason of found.faults) skipped.push({ file: name, reason });
    };
    await each({ signal }, look, (one) => void skipped.push(one));
    return { events: events.sort(byBegin), skipped };
  };

  return { read, add };
}

async function findFile(path: string): Promise<CalendarFile | { readonly reason: string } | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    if (size > MAX_FILE_BYTES) return { reason: `it has ${size} bytes` };
    return { path, stamp: `${mtimeMs} ${size} ${ino}` };
  } catch (error) {
    // Deleted or replaced while we looked.
    return isMissing(error) ? undefined : { reason: messageOf(error) };
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

/** Whole or not at all, also where the power fails in between: the ledger will say that it is there. */
async function place(path: string, name: string, text: string): Promise<void> {
  const draft = join(path, `.${name}.tmp`);
  try {
    await mkdir(path, { recursive: true });
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
  const hint = 'a person must look: settings.calendar.path names the folder';
  return new EngineError('TOOL_FAILED', `${message}: ${messageOf(cause)}`, { hint, cause });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
