import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import type { Graph } from '../../account/microsoft/graph.ts';
import { isBroken } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import { messagePath } from './message.ts';

const READ = scopesFor('outlook', ['read']);

/** Mails that are read in one go, of which Outlook works on four at a time: each is held until it is asked for. */
const AHEAD = 12;

/** A batch of mails above this is read one by one. */
const MAX_BATCH_BYTES = 24 * 1024 * 1024;

/** Larger mails are not even fetched; the mail room would not read them. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Of the last so many mails that were given, all but one have been read: it is a backlog, and the next will be too. */
const DENSE = 4;

/** A mail that is given, in the order of giving. */
export interface NextMail {
  readonly id: string;
  /** False for one with attachments: nobody knows how large it is. */
  readonly isSmall: boolean;
}

/**
 * Raw MIME of the mails of a page. Who asks for one after the other gets them a dozen at a time in one request; a mail that is known
 * already is not asked for, and after some of those every mail is read alone again.
 */
export class OutlookReader {
  readonly #graph: Graph;
  readonly #ahead = new Map<string, Promise<Uint8Array | undefined>>();
  #page: readonly NextMail[] = [];
  /** Numbers of the mails that were read last, counted from the first page on. */
  #recent: number[] = [];
  #before = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  /** The mails that are given next. What was read ahead and not asked for is let go. */
  startPage(page: readonly NextMail[]): void {
    this.#before += this.#page.length;
    this.#page = page;
    this.#ahead.clear();
  }

  /**
   * Raw MIME in a buffer of its own. `MAIL_UNSETTLED` (retryable) where the mail is gone, `MAIL_TOO_COSTLY` where it is too
   * large, `MAIL_UNREADABLE` where Exchange fails at it, else as `Graph` throws.
   */
  async read(id: string, { signal }: Abortable): Promise<Uint8Array> {
    this.#readAhead(id, signal);
    const early = this.#ahead.get(id);
    this.#ahead.delete(id);
    const bytes = await early;
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
      .slice(at, at + AHEAD)
      .filter((next) => next.isSmall && !this.#ahead.has(next.id))
      .map((next) => next.id);
    if (ids.length < 2 || ids[0] !== id) return;
    const batch = this.#batch(ids, signal);
    ids.forEach((one, n) => {
      const bytes = batch.then((all) => all[n]);
      this.#ahead.set(one, bytes);
    });
  }

  /** Never rejects: what is missing is read alone, and that tells what is wrong. */
  async #batch(ids: readonly string[], signal: AbortSignal | undefined): Promise<readonly (Uint8Array | undefined)[]> {
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
 * MIME from a part of a batch. Graph gives binary content in base64 and text as it is, and does not say which: but no MIME is
 * without a colon, and no base64 has one. Text that is not ASCII has lost its bytes on the way, so it is read anew.
 */
export function mimeOf(body: unknown): Uint8Array | undefined {
  if (typeof body !== 'string' || body === '') return undefined;
  const isText = body.includes(':');
  if (isText && !/^[\x00-\x7f]*$/.test(body)) return undefined;
  const bytes = Buffer.from(body, isText ? 'latin1' : 'base64');
  // Small buffers of Node share memory, which cannot be handed to a worker.
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
