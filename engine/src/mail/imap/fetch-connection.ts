import type { ImapFlow } from 'imapflow';
import { type Abortable, orAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { connectOptions } from './connect-options.ts';
import { imapError, type ImapTarget, isLoginRefused } from './error.ts';

export interface ImapFetchOptions extends ImapTarget {
  /** Looked up at each connection, so that a new one is taken without a restart. `ACCOUNT_FAILED` where it is not there. */
  readonly password: () => string;
  readonly clock: Clock;
}

/** The shortest and longest wait before a lost connection is made again; it grows until a look has come to its end. */
const BACKOFF_MS = { first: 1000, most: 300_000 };

/** A server that has refused us is left alone for so long: too many attempts lock an account. */
const REFUSED_MS = 300_000;

/** A mail of 64 MB and what may be around it; more than that is not taken into memory. */
const MAX_LITERAL_BYTES = 80 * 1024 * 1024;

/**
 * The one connection of an account, with its mailbox open for reading only. It is made when somebody asks, and kept while
 * somebody watches; then the server tells of new mail (IDLE, RFC 2177), and a connection that is lost is announced after a
 * wait that grows, for the next look to make it again.
 */
export class ImapFetchConnection {
  readonly #options: ImapFetchOptions;
  readonly #listeners = new Set<() => void>();
  #client: ImapFlow | undefined;
  #backoffMs = BACKOFF_MS.first;
  #cancelAnnouncing: (() => void) | undefined;
  #refused: { readonly error: EngineError; readonly password: string; readonly atMs: number } | undefined;
  /** Mail has arrived since this was last set to false. */
  hasArrivals = false;
  /** Mail may have gone since this was last set to false: the server said so, or was not listened to. */
  hasRemovals = true;

  constructor(options: ImapFetchOptions) {
    this.#options = options;
  }

  /** The connection, up and with everything seen that the server has. `ACCOUNT_FAILED`; rejects on abort. */
  async open({ signal }: Abortable = {}): Promise<ImapFlow> {
    signal?.throwIfAborted();
    try {
      if (this.#client?.usable !== true) await this.#connect(signal);
      else await orAbort(this.#client.noop(), signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw this.fail(error);
    }
    if (this.#client?.usable !== true) throw this.fail(new Error('it was closed'));
    return this.#client;
  }

  /** A look has come to its end: a connection that is lost from now on is made again soon. */
  resetBackoff(): void {
    this.#backoffMs = BACKOFF_MS.first;
  }

  /** Makes an error of the connection one to show, and has it made anew. */
  fail(error: unknown): EngineError {
    this.close();
    this.#announceLater();
    return imapError(error, this.#options);
  }

  /** Calls `onChange` when mail has arrived, changed or gone, or a lost connection should be made again. */
  watch(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    return () => {
      this.#listeners.delete(onChange);
      this.closeIfUnwatched();
    };
  }

  /** Closes the connection where nobody watches it. */
  closeIfUnwatched(): void {
    if (this.#listeners.size > 0) return;
    this.#cancelAnnouncing?.();
    this.#cancelAnnouncing = undefined;
    this.close();
  }

  close(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.close();
  }

  async #connect(signal: AbortSignal | undefined): Promise<void> {
    const { mailbox, clock } = this.#options;
    const pass = this.#options.password();
    const refused = this.#refused;
    if (refused?.password === pass && clock.now() - refused.atMs < REFUSED_MS) throw refused.error;
    this.close();
    const { ImapFlow } = await import('imapflow');
    signal?.throwIfAborted();
    const client = new ImapFlow({
      ...connectOptions(this.#options, pass),
      ...{ autoIdleDelay: 2000, maxLiteralSize: MAX_LITERAL_BYTES },
    });
    this.#client = client;
    this.hasRemovals = true;
    client.on('exists', () => {
      this.hasArrivals = true;
      this.#announce();
    });
    client.on('expunge', () => {
      this.hasRemovals = true;
      this.#announce();
    });
    client.on('flags', () => this.#announce());
    // What was asked of it rejects by itself; an error that nobody waits for ends in `close`.
    client.on('error', () => {});
    client.on('close', () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#announceLater();
    });
    try {
      await orAbort(client.connect(), signal);
      signal?.throwIfAborted();
      await orAbort(client.mailboxOpen(mailbox, { readOnly: true }), signal);
      this.#refused = undefined;
    } catch (error) {
      client.close();
      if (isLoginRefused(error))
        this.#refused = { error: imapError(error, this.#options), password: pass, atMs: clock.now() };
      throw error;
    }
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  #announceLater(): void {
    if (this.#listeners.size === 0 || this.#cancelAnnouncing !== undefined) return;
    const waitMs = this.#refused === undefined ? this.#backoffMs : REFUSED_MS;
    this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MS.most);
    this.#cancelAnnouncing = this.#options.clock.delay(() => {
      this.#cancelAnnouncing = undefined;
      this.#announce();
    }, waitMs);
  }
}
