import { type FileHandle, mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Abortable } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { sha256 } from '../base/json.ts';
import type { Calendar, CalendarEvent, CalendarView, Skipped } from './agenda.ts';
import { eventsIn, type ParsedCalendar, parseCalendar, writeEvent } from './ical.ts';
import { byBegin } from './span.ts';

/** Larger files are named and left out. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** A file as it was read last; read again once time or size differ. */
interface Known {
  readonly stamp: string;
  readonly parsed: ParsedCalendar | { readonly reason: string };
}

/**
 * A folder of .ics files as a calendar. Other programs may put files there, with any number of events each, and change or
 * delete them; what is added here is one file an event, whose name and UID follow from the key. `path` is absolute; the folder is
 * made when something is added.
 */
export function createFolderCalendar({ path, clock }: { readonly path: string; readonly clock: Clock }): Calendar {
  const known = new Map<string, Known>();

  const load = async (file: string): Promise<Known['parsed'] | undefined> => {
    const full = join(path, file);
    try {
      const { mtimeMs, size, ino } = await stat(full);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      const before = known.get(file);
      if (before?.stamp === stamp) return before.parsed;
      const isLarge = size > MAX_FILE_BYTES;
      const parsed = isLarge ? { reason: `it has ${size} bytes` } : parseOrSay(await readFile(full, 'utf8'));
      known.set(file, { stamp, parsed });
      return parsed;
    } catch (error) {
      // Deleted or replaced while we looked.
      return isMissing(error) ? undefined : { reason: messageOf(error) };
    }
  };

  const loadAll = async ({ signal }: Abortable) => {
    signal?.throwIfAborted();
    const files = await listFiles(path);
    const loaded: { file: string; parsed: Known['parsed'] }[] = [];
    for (const file of files) {
      signal?.throwIfAborted();
      const parsed = await load(file);
      if (parsed !== undefined) loaded.push({ file, parsed });
    }
    for (const file of known.keys()) if (!files.includes(file)) known.delete(file);
    return loaded;
  };

  const add: Calendar['add'] = async (event, { key, timeZone, signal }) => {
    const id = sha256(`calendar ${key}`).slice(0, 32);
    const uid = `${id}@callsheet`;
    const all = await loadAll({ signal });
    const isThere = all.some(({ parsed }) => 'events' in parsed && parsed.events.some((one) => one.uid === uid));
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
    for (const { file, parsed } of await loadAll({ signal })) {
      if ('reason' in parsed) skipped.push({ file, reason: parsed.reason });
      else {
        const found = eventsIn(parsed, span, timeZone);
        for (const event of found.events) events.push(event);
        for (const reason of [...parsed.faults, ...found.faults]) skipped.push({ file, reason });
      }
    }
    return { events: events.sort(byBegin), skipped };
  };

  return { read, add };
}

function parseOrSay(text: string): Known['parsed'] {
  try {
    return parseCalendar(text);
  } catch (error) {
    return { reason: `it is no calendar file: ${messageOf(error)}` };
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
