import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { ImapReader } from './reader.ts';

/** A mail that the server has not given is asked for again after so long. */
const REFUSED_MS = 300_000;

/** Mails that the server does not give, by name, and mails over which it closes the connection. */
export class FailingMails {
  readonly #clock: Clock;
  /** When the server was asked last for mails that it did not give, by name. */
  readonly #refusedAtMs = new Map<string, number>();
  /** Mails over which the connection was closed, by name: each is asked for alone, to find the one that does it. */
  readonly #alone = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a mail is to be asked for in a request of its own. */
  isAlone(name: string): boolean {
    return this.#alone.has(name);
  }

  /** Whether the server did not give a mail a short while ago. */
  isRefused(name: string): boolean {
    const atMs = this.#refusedAtMs.get(name);
    return atMs !== undefined && this.#clock.now() - atMs < REFUSED_MS;
  }

  /** Whether a mail is left alone that could not be read: for good, unless it was the server that did not give it. */
  isSkipped(name: string, isUnreadable: ((name: string) => boolean) | undefined): boolean {
    return isUnreadable?.(name) === true && (!this.#refusedAtMs.has(name) || this.isRefused(name));
  }

  /** Asks about mails; where the connection is closed over one that was asked for alone, that one is left for a while. */
  async track<T>(
    names: readonly string[],
    { reader, signal }: { readonly reader: ImapReader; readonly signal: AbortSignal | undefined },
    request: () => Promise<T>,
  ): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (!reader.wasDisconnected || signal?.aborted === true) throw error;
      for (const name of names)
        if (names.length === 1 && this.#alone.has(name)) this.#refusedAtMs.set(name, this.#clock.now());
        else this.#alone.add(name);
      throw error;
    }
  }

  /** Notes that the server did not give a mail: `MAIL_UNREADABLE`. Other errors say nothing about the mail. */
  noteError(name: string, error: unknown): void {
    if (error instanceof EngineError && error.code === 'MAIL_UNREADABLE')
      this.#refusedAtMs.set(name, this.#clock.now());
  }

  /** The server has given a mail. */
  noteGiven(name: string): void {
    this.#refusedAtMs.delete(name);
    this.#alone.delete(name);
  }
}
