import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { createPool } from '../../base/worker-pool.ts';
import type { MailFacts, MailParser, ParsedMail, RawSource } from '../mail.ts';
import type { AttachmentFile, MailJob, MailResult } from './mail-worker.ts';
import { textToHtml } from '../html/text-to-html.ts';

export interface MailWorkersOptions {
  /** Most worker threads at a time. Default 2. */
  readonly workers?: number;
  /** Longest time for one mail. Default 20,000. */
  readonly timeoutMs?: number;
  /** Largest JavaScript heap for one mail, in MB. Default 256. */
  readonly maxHeapMb?: number;
  /** Largest mail that is read. Default 64 MB: providers stop at 25 to 50. */
  readonly maxBytes?: number;
  /** An idle worker is closed after this time. Default 30,000. */
  readonly idleMs?: number;
}

/** marked needs time in the square of the depth of lists; nobody waits longer for a page. */
const MARKDOWN_MS = 5000;

/**
 * All work on hostile bytes, done in worker threads with limits of time and memory; the main loop only passes strings
 * and buffers on. Every method rejects with the signal's reason on abort.
 */
export interface MailWorkers extends MailParser {
  /** One attachment by its index. `raw` is handed over. `NOT_FOUND` where the mail has no such attachment. */
  attachment(raw: Uint8Array, index: number, options?: Abortable): Promise<AttachmentFile>;
  /** See `safeHtml`; `cid:` images are looked up in `raw`, which is handed over. `MAIL_TOO_COSTLY` on a limit. */
  html(html: string, options?: Abortable & { readonly images?: boolean; readonly raw?: Uint8Array }): Promise<string>;
  /** See `safeMarkdown`; Markdown that costs too much is shown as the text that it is. */
  markdown(text: string, options?: Abortable & { readonly images?: boolean }): Promise<string>;
  /** Stops the workers; what is under way rejects. */
  close(): Promise<void>;
}

/** The mail room. Workers start with the first job and end when idle. */
export function createMailWorkers(options: MailWorkersOptions = {}): MailWorkers {
  const { maxBytes = 64 * 1024 * 1024 } = options;
  const pool = createPool<MailJob, MailResult>({
    entry: new URL('./mail-worker.ts', import.meta.url),
    size: options.workers ?? 2,
    timeoutMs: options.timeoutMs ?? 20_000,
    maxHeapMb: options.maxHeapMb ?? 256,
    idleMs: options.idleMs ?? 30_000,
    tooCostly: 'MAIL_TOO_COSTLY',
  });

  async function parse(source: RawSource, facts: MailFacts, { signal }: Abortable = {}): Promise<ParsedMail> {
    if (source.kind === 'bytes' && source.bytes.byteLength > maxBytes)
      throw new EngineError(
        'MAIL_TOO_COSTLY',
        `the mail has ${source.bytes.byteLength} bytes; at most ${maxBytes} are read`,
      );
    const ask = (lightly: boolean) => pool.run({ kind: 'parse', source, facts, maxBytes, lightly }, { signal });
    try {
      return expectMail(await ask(false));
    } catch (error) {
      const isLimit = error instanceof EngineError && error.code === 'MAIL_TOO_COSTLY' && !isOversize(source, maxBytes);
      if (!isLimit) throw error;
      return expectMail(await ask(true));
    }
  }

  return {
    parse,
    async attachment(raw, index, { signal } = {}) {
      const file = await pool.run({ kind: 'attachment', raw, index }, { signal, transfer: handOver(raw) });
      if (typeof file === 'object' && 'bytes' in file) return file;
      throw new EngineError('NOT_FOUND', `the mail has no attachment ${index}`);
    },
    async html(html, { signal, images = false, raw } = {}) {
      const job: MailJob = { kind: 'html', html, images, ...(raw && { raw }) };
      return String(await pool.run(job, { signal, transfer: raw ? handOver(raw) : [] }));
    },
    async markdown(text, { signal, images = false } = {}) {
      const rendered = pool.run({ kind: 'markdown', text, images }, { signal, timeoutMs: MARKDOWN_MS });
      return String(
        await rendered.catch((error: unknown) => {
          if (!(error instanceof EngineError) || error.code !== 'MAIL_TOO_COSTLY') throw error;
          return pool.run({ kind: 'html', html: textToHtml(text), images: false }, { signal });
        }),
      );
    },
    close: () => pool.close(),
  };
}

/** Only a view of a whole buffer is handed over: the rest of a shared one (Node pools small ones) is not ours. */
function handOver(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? [buffer] : [];
}

function expectMail(result: MailResult): ParsedMail {
  if (typeof result === 'object' && 'summary' in result) return result;
  throw new EngineError('INTERNAL', 'the mail worker answered with something that is no mail');
}

function isOversize(source: RawSource, maxBytes: number): boolean {
  return (source.kind === 'file' ? source.size : source.bytes.byteLength) > maxBytes;
}
