import type { ImapFlow } from 'imapflow';
import { type Abortable, orAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { connectOptions } from './connect-options.ts';
import { imapError, type ImapTarget, isLoginRefused } from './error.ts';

/** Options of the connection that fetches mail. */
export interface ImapFetchOptions extends ImapTarget {
  /**
   * Called for each connection, so that a new password is used without a restart. `ACCOUNT_FAILED` where there is none.
   */
  readonly password: () => string;
  readonly clock: Clock;
}

/** First and longest wait before a reconnect; the wait doubles until a fetch succeeds. */
const BACKOFF_MS = { first: 1000, most: 300_000 };

/** How long to wait after the server refused the login: too many attempts lock an account. */
const REFUSED_MS = 300_000;

/** A mail of 64 MB and its envelope; a larger literal is not read into memory. */
const MAX_LITERAL_BYTES = 80 * 1024 * 1024;

/**
 * The one connection of an account, with its mailbox open read-only. `open` connects; the connection stays open while
 * there is a watcher, and the server then announces new mail (IDLE, RFC 2177). When it is lost, the watchers are called
 * after a growing wait, so that the next fetch reconnects.
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
  /** Mail may be gone since this was last set to false: the server said so, or the connection is new. */
  hasRemovals = true;

  constructor(options: ImapFetchOptions) {
    this.#options = options;
  }

  /** Returns the open connection with the current state of the mailbox. `ACCOUNT_FAILED`; rejects on abort. */
  async open({ signal }: Abortable = {}): Promise<ImapFlow> {
    signal?.throwIfAborted();
    try {
      if (this.#client?.usable !== true) await this.#connect(signal);
      else await orAbort(this.#client.noop(), signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw this.fail(error);
    }
    if (this.#client?.usable !== true) throw this.fail(new Error('the server closed it'));
    return this.#client;
  }

  /** Called after a successful fetch: the next reconnect happens soon again. */
  resetBackoff(): void {
    this.#backoffMs = BACKOFF_MS.first;
  }

  /** Closes the connection after an error, plans a reconnect and returns the error to throw. */
  fail(error: unknown): EngineError {
    this.close();
    this.#announceLater();
    return imapError(error, this.#options);
  }

  /** Calls `onChange` when mail arrived, changed or is gone, or a lost connection should be opened again. */
  watch(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    return () => {
      this.#listeners.delete(onChange);
      this.closeIfUnwatched();
    };
  }

  /** Closes the connection where it has no watcher. */
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
    // A pending request rejects by itself; without one the error leads to `close`.
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
