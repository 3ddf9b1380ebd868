import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import type { Graph } from '../../account/microsoft/graph.ts';
import { isBroken } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import { messagePath } from './message.ts';

const READ = scopesFor('outlook', ['read']);

/** Mails per read-ahead batch, of which Outlook handles four at a time; each stays in memory until it is read. */
const READ_AHEAD = 12;

/** Largest batch; the mails of a larger one are read one by one. */
const MAX_BATCH_BYTES = 24 * 1024 * 1024;

/** Larger mails are not read, since the mail workers would not parse them. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Read-ahead starts where all but one of the last `DENSE` mails were read: then it is a backlog, and the next will be
 * read too.
 */
const DENSE = 4;

/** A mail in the order of the page. */
export interface NextMail {
  readonly id: string;
  /** False for a mail with attachments, whose size is unknown. */
  readonly isSmall: boolean;
}

/**
 * Reads the raw MIME of the mails of a page. A caller that reads one mail after the other gets them a dozen at a time
 * from one request. A known mail is not read; after some of those, each mail is read alone again.
 */
export class OutlookReader {
  readonly #graph: Graph;
  readonly #ahead = new Map<string, Promise<Uint8Array | undefined>>();
  #page: readonly NextMail[] = [];
  /** Positions of the mails that were read last, counted over all pages. */
  #recent: number[] = [];
  #before = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  /** Starts a page. Drops mails that were read ahead and not used. */
  startPage(page: readonly NextMail[]): void {
    this.#before += this.#page.length;
    this.#page = page;
    this.#ahead.clear();
  }

  /**
   * Returns raw MIME in a buffer of its own. `MAIL_UNSETTLED` (retryable) where the mail is gone, `MAIL_TOO_COSTLY`
   * where it is too large, `MAIL_UNREADABLE` where Exchange fails to deliver it, else as `Graph` throws.
   */
  async read(id: string, { signal }: Abortable): Promise<Uint8Array> {
    this.#readAhead(id, signal);
    const ahead = this.#ahead.get(id);
    this.#ahead.delete(id);
    const bytes = await ahead;
    signal?.throwIfAborted();
    if (bytes !== undefined) return bytes;
    try {
      return await this.#graph.bytes({ path: pathOf(id), scopes: READ, maxBytes: MAX_BYTES, signal });
    } catch (error) {
      throw mailError(error, id);
    }
  }

  #readAhead(id: string, signal: AbortSignal | undefined): void {
    const at = this.#page.findIndex((next) => next.id === id);
    if (at < 0) return;
    const oldest = this.#recent[0];
    const number = this.#before + at;
    const isDense = this.#recent.length === DENSE - 1 && oldest !== undefined && number - oldest <= DENSE;
    this.#recent = [...this.#recent, number].slice(1 - DENSE);
    if (!isDense || this.#ahead.has(id)) return;
    const ids = this.#page
      .slice(at, at + READ_AHEAD)
      .filter((next) => next.isSmall && !this.#ahead.has(next.id))
      .map((next) => next.id);
    if (ids.length < 2 || ids[0] !== id) return;
    const batch = this.#readBatch(ids, signal);
    ids.forEach((one, n) => {
      const bytes = batch.then((all) => all[n]);
      this.#ahead.set(one, bytes);
    });
  }

  /** Never rejects: a missing mail is read alone, and that request reports its error. */
  async #readBatch(
    ids: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const requests = ids.map((id) => ({ path: pathOf(id), scopes: READ }));
    try {
      const answers = await this.#graph.batch(requests, { maxBytes: MAX_BATCH_BYTES, signal });
      return answers.map((answer) => (answer.ok ? mimeOf(answer.body) : undefined));
    } catch {
      return [];
    }
  }
}

function pathOf(id: string): string {
  return `${messagePath(id)}/$value`;
}

/**
 * MIME from a part of a batch. Graph returns binary content in base64 and text unchanged, and does not say which: MIME
 * always has a colon, base64 never. Text that is not ASCII has lost its original bytes, so the mail is read again.
 */
export function mimeOf(body: unknown): Uint8Array | undefined {
  if (typeof body !== 'string' || body === '') return undefined;
  const isText = body.includes(':');
  if (isText && !/^[\x00-\x7f]*$/.test(body)) return undefined;
  const bytes = Buffer.from(body, isText ? 'latin1' : 'base64');
  // Small buffers of Node share memory, which cannot be transferred to a worker.
  return new Uint8Array(bytes);
}

function mailError(error: unknown, id: string): unknown {
  if (!(error instanceof EngineError)) return error;
  if (error.code === 'NOT_FOUND')
    return new EngineError('MAIL_UNSETTLED', `mail ${id} is gone`, { retryable: true, cause: error });
  if (error.code === 'TOO_LARGE')
    return new EngineError('MAIL_TOO_COSTLY', `mail ${id} has more than ${MAX_BYTES} bytes`, { cause: error });
  if (isBroken(error)) return new EngineError('MAIL_UNREADABLE', error.message, { hint: error.hint, cause: error });
  return error;
}
