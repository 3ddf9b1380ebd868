import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { createPool } from '../../base/worker-pool.ts';
import { type DocumentText, MAX_DOCUMENT_BYTES, type TextSummary } from '../document.ts';
import type { TextSource } from './read-text.ts';
import type { TextJob } from './text-worker.ts';

/** Options of `createTextWorkers`. */
export interface TextWorkersOptions {
  /** Largest number of worker threads. Default 2. */
  readonly workers?: number;
  /** Time limit of one file. Default 20,000. */
  readonly timeoutMs?: number;
  /** Largest JavaScript heap for one file, in MB. Default 256. */
  readonly maxHeapMb?: number;
  /** Most memory in buffers for one file, in MB. Default 384. */
  readonly maxBufferMb?: number;
}

/**
 * Reads text from files in worker threads with limits of time and memory: others may have made the files to exhaust both.
 * Both methods reject with `FILE_TOO_COSTLY` on a limit, and with the signal's reason on abort.
 */
export interface TextWorkers {
  /** The text of a file; see `readText`. `TOO_LARGE` for one above 32 MB. Takes `bytes` away from the caller. */
  read(source: TextSource, options?: Abortable): Promise<DocumentText>;
  /** See `summarizeText`. */
  summarize(text: string, maxCharacters: number, focus: string, options?: Abortable): Promise<TextSummary>;
  /** Stops the threads; running jobs reject. */
  close(): Promise<void>;
}

/** Creates the workers. A thread starts with the first job and ends when idle. */
export function createTextWorkers(options: TextWorkersOptions = {}): TextWorkers {
  const { workers = 2, timeoutMs = 20_000, maxHeapMb = 256, maxBufferMb = 384 } = options;
  const pool = createPool<TextJob, DocumentText | TextSummary>({
    entry: new URL('./text-worker.ts', import.meta.url),
    ...{ size: workers, timeoutMs, maxHeapMb, maxBufferMb, tooCostly: 'FILE_TOO_COSTLY' },
  });
  return {
    async read({ bytes, name, mimeType }, { signal } = {}) {
      if (bytes.byteLength > MAX_DOCUMENT_BYTES)
        throw new EngineError(
          'TOO_LARGE',
          `the file has ${bytes.byteLength} bytes; text is read from at most ${MAX_DOCUMENT_BYTES}`,
        );
      const { buffer } = bytes;
      const transfer = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? [buffer] : [];
      const result = await pool.run({ kind: 'read', bytes, name, mimeType }, { signal, transfer });
      if ('text' in result) return result;
      throw new EngineError('INTERNAL', 'the worker returned something other than a text');
    },
    async summarize(text, maxCharacters, focus, { signal } = {}) {
      const result = await pool.run({ kind: 'summarize', text, maxCharacters, focus }, { signal });
      if ('summary' in result) return result;
      throw new EngineError('INTERNAL', 'the worker returned something other than a summary');
    },
    close: () => pool.close(),
  };
}
