import type { Abortable } from '../../base/abort.ts';
import { createPool } from '../../base/worker-pool.ts';
import type { Span } from '../agenda.ts';
import type { CalendarJob, CalendarResult, FileEvents } from './ical-worker.ts';
import type { CalendarPreview } from './preview.ts';

export type { FileEvents } from './ical-worker.ts';

/** Options of `createCalendarWorkers`. */
export interface CalendarWorkersOptions {
  /** Largest number of worker threads. Default 2. */
  readonly workers?: number;
  /** Time limit of one file of a folder. Default 10,000. */
  readonly timeoutMs?: number;
  /** Time limit of a preview. Default 5,000: a page should not wait longer. */
  readonly previewMs?: number;
}

/** A file of the folder; its `stamp` changes when it is written. */
export interface CalendarFile {
  readonly path: string;
  readonly stamp: string;
}

/**
 * Reads calendar files in worker threads with limits of time and memory: strangers may have written them, and a rule or
 * a duration can take very long to evaluate. Every method rejects with `TOO_LARGE` on a limit, and with the signal's
 * reason on abort.
 */
export interface CalendarWorkers {
  /** Events of a file (see `eventsIn`), or the reason why it cannot be read; undefined if it is gone. */
  events(
    file: CalendarFile,
    options: Abortable & { readonly span: Span; readonly timeZone: string; readonly own?: readonly string[] },
  ): Promise<FileEvents | undefined>;
  /** True if a file contains an event with this UID. */
  holds(file: CalendarFile, uid: string, options?: Abortable): Promise<boolean>;
  /** Previews a file; see `previewCalendar`. */
  preview(text: string, timeZone: string, options?: Abortable): Promise<CalendarPreview>;
  /** Stops the workers; running jobs reject. */
  close(): Promise<void>;
}

/** Creates the workers. Threads start with the first job and end when idle; parsed files are cached until then. */
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
