import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';
import type { CalendarEvent, Span } from '../agenda.ts';
import { eventsIn, type ParsedCalendar, parseCalendar } from './ical.ts';
import { type CalendarPreview, previewCalendar } from './preview.ts';

interface FileJob {
  readonly path: string;
  readonly stamp: string;
}

/** A job of the worker thread. */
export type CalendarJob =
  | (FileJob & {
      readonly kind: 'events';
      readonly span: Span;
      readonly timeZone: string;
      readonly own: readonly string[];
    })
  | (FileJob & { readonly kind: 'holds'; readonly uid: string })
  | { readonly kind: 'preview'; readonly text: string; readonly timeZone: string };

/** Events of a file, or the reason why it cannot be read. */
export type FileEvents =
  { readonly events: readonly CalendarEvent[]; readonly faults: readonly string[] } | { readonly reason: string };

/** Result of a job. */
export type CalendarResult = FileEvents | CalendarPreview | boolean | undefined;

type Parsed = ParsedCalendar | { readonly reason: string };

/** Parsed files, by path. */
const known = new Map<string, { readonly stamp: string; readonly parsed: Parsed }>();

async function work(job: CalendarJob): Promise<CalendarResult> {
  if (job.kind === 'preview') return previewCalendar(job.text, job.timeZone);
  const parsed = await load(job);
  if (job.kind === 'holds')
    return parsed !== undefined && 'events' in parsed && parsed.events.some(({ uid }) => uid === job.uid);
  if (parsed === undefined || 'reason' in parsed) return parsed;
  const { events, faults } = eventsIn(parsed, job.span, job.timeZone, job.own);
  return { events, faults: [...parsed.faults, ...faults] };
}

async function load({ path, stamp }: FileJob): Promise<Parsed | undefined> {
  const before = known.get(path);
  if (before?.stamp === stamp) return before.parsed;
  try {
    const parsed = tryParse(await readFile(path, 'utf8'));
    known.set(path, { stamp, parsed });
    return parsed;
  } catch (error) {
    // Deleted or replaced meanwhile.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? undefined : { reason: messageOf(error) };
  }
}

function tryParse(text: string): Parsed {
  try {
    return parseCalendar(text);
  } catch (error) {
    return { reason: `it is not a calendar file: ${messageOf(error)}` };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

serveJobs(parentPort, work);
