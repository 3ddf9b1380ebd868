import type { Abortable } from '../../base/abort.ts';
import { createPool } from '../../base/worker-pool.ts';
import type { Span } from '../agenda.ts';
import type { CalendarJob, CalendarResult, FileEvents } from './ical-worker.ts';
import type { CalendarPreview } from './preview.ts';

export type { FileEvents } from './ical-worker.ts';

export interface CalendarWorkersOptions {
  /** Most worker threads at a time. Default 2. */
  readonly workers?: number;
  /** Longest time for one file of a folder. Default 10,000. */
  readonly timeoutMs?: number;
  /** Longest time for a preview. Default 5,000: nobody waits longer for a page. */
  readonly previewMs?: number;
}

/** A file as it was found; another `stamp` means that somebody has written it since. */
export interface CalendarFile {
  readonly path: string;
  readonly stamp: string;
}

/**
 * All reading of calendar files, which strangers may have written, in worker threads with limits of time and memory: a rule or
 * a length of theirs can take for ever to be followed. Every method rejects with `TOO_LARGE` on a limit, and with the signal's
 * reason on abort.
 */
export interface CalendarWorkers {
  /** See `eventsIn`; or why the file cannot be read; undefined where it is gone. */
  events(
    file: CalendarFile,
    options: Abortable & { readonly span: Span; readonly timeZone: string; readonly own?: readonly string[] },
  ): Promise<FileEvents | undefined>;
  /** Whether a file holds an event with this UID. */
  holds(file: CalendarFile, uid: string, options?: Abortable): Promise<boolean>;
  /** See `previewCalendar`. */
  preview(text: string, timeZone: string, options?: Abortable): Promise<CalendarPreview>;
  /** Stops the workers; what is under way rejects. */
  close(): Promise<void>;
}

/** The room. Workers start with the first job and end when idle; what they have read is kept until then. */
export function createCalendarWorkers({
  workers = 2,
  timeoutMs = 10_000,
  previewMs = 5000,
}: CalendarWorkersOptions = {}): CalendarWorkers {
  const pool = createPool<CalendarJob, CalendarResult>({
    entry: new URL('./ical-worker.ts', import.meta.url),
    ...{ size: workers, timeoutMs, maxHeapMb: 256, tooCostly: 'TOO_LARGE' },
  });
  return {
    async events(file, { span, timeZone, own = [], signal }) {
      return (await pool.run({ kind: 'events', ...file, span, timeZone, own }, { signal })) as FileEvents | undefined;
    },
    async holds(file, uid, { signal } = {}) {
      return (await pool.run({ kind: 'holds', ...file, uid }, { signal })) === true;
    },
    async preview(text, timeZone, { signal } = {}) {
      const options = { signal, timeoutMs: previewMs };
      return (await pool.run({ kind: 'preview', text, timeZone }, options)) as CalendarPreview;
    },
    close: () => pool.close(),
  };
}
