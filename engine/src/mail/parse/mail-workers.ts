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
  /** Largest mail to parse. Default 64 MB: providers allow 25 to 50. */
  readonly maxBytes?: number;
  /** Time after which an idle worker ends. Default 30,000. */
  readonly idleMs?: number;
}

/** Largest mail that is parsed in about a millisecond. */
const SHORT_BYTES = 64 * 1024;

/** Longest time for Markdown: marked needs quadratic time in the depth of lists. */
const MARKDOWN_MS = 5000;

/**
 * All work on untrusted bytes, in worker threads with limits of time and memory; the main thread only passes strings
 * and buffers on. Every method rejects with the signal's reason on abort.
 */
export interface MailWorkers extends MailParser {
  /** Returns one attachment by its index. Transfers `raw`. `NOT_FOUND` where the mail has no such attachment. */
  attachment(raw: Uint8Array, index: number, options?: Abortable): Promise<AttachmentFile>;
  /** See `safeHtml`; `cid:` images come from `raw`, which is transferred. `MAIL_TOO_COSTLY` above a limit. */
  html(html: string, options?: Abortable & { readonly images?: boolean; readonly raw?: Uint8Array }): Promise<string>;
  /** See `safeMarkdown`; Markdown above a limit is shown as plain text. */
  markdown(text: string, options?: Abortable & { readonly images?: boolean }): Promise<string>;
  /** See `namesRemoteImages`: for mail that was stored without the flag. */
  remoteImages(html: string, options?: Abortable): Promise<boolean>;
  /** Stops the workers; pending jobs reject. */
  close(): Promise<void>;
}

/** Creates the mail workers. A worker starts with the first job and ends when idle. */
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
    const size = sizeOf(source);
    if (source.kind === 'bytes' && size > maxBytes)
      throw new EngineError('MAIL_TOO_COSTLY', `the mail has ${size} bytes; at most ${maxBytes} are read`);
    const isShort = size <= SHORT_BYTES;
    const ask = (lightly: boolean) =>
      pool.run({ kind: 'parse', source, facts, maxBytes, lightly }, { signal, isShort });
    try {
      return expectMail(await ask(false));
    } catch (error) {
      const isLimit = error instanceof EngineError && error.code === 'MAIL_TOO_COSTLY' && size <= maxBytes;
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
    async remoteImages(html, { signal } = {}) {
      return html !== '' && (await pool.run({ kind: 'remoteImages', html }, { signal })) === true;
    },
    close: () => pool.close(),
  };
}

/** Transfers only a view of a whole buffer: the rest of a shared buffer (Node pools small ones) belongs to others. */
function handOver(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? [buffer] : [];
}

function expectMail(result: MailResult): ParsedMail {
  if (typeof result === 'object' && 'summary' in result) return result;
  throw new EngineError('INTERNAL', 'the mail worker returned something other than a mail');
}

function sizeOf(source: RawSource): number {
  return source.kind === 'file' ? source.size : source.bytes.byteLength;
}
