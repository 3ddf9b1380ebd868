import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { ImapReader } from './reader.ts';

/** How long to wait before asking again for a mail that the server failed to deliver. */
const REFUSED_MS = 300_000;

/**
 * Mails that the server fails to deliver, and mails during whose requests it closes the connection. Mails are
 * identified by name.
 */
export class FailingMails {
  readonly #clock: Clock;
  /** Time of the last failed request, by name. */
  readonly #refusedAtMs = new Map<string, number>();
  /**
   * Names of mails whose request ended with a closed connection: each is requested alone, to find the one that causes
   * it.
   */
  readonly #alone = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a mail must be requested alone. */
  isAlone(name: string): boolean {
    return this.#alone.has(name);
  }

  /** Whether the server failed to deliver a mail a short while ago. */
  isRefused(name: string): boolean {
    const atMs = this.#refusedAtMs.get(name);
    return atMs !== undefined && this.#clock.now() - atMs < REFUSED_MS;
  }

  /** Whether to skip a mail that could not be read: for good, or for a while where the server failed to deliver it. */
  isSkipped(name: string, isUnreadable: ((name: string) => boolean) | undefined): boolean {
    return isUnreadable?.(name) === true && (!this.#refusedAtMs.has(name) || this.isRefused(name));
  }

  /**
   * Runs a request about some mails. Where the connection closes during a request for one mail alone, that mail is
   * skipped for a while.
   */
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

  /** Notes that the server failed to deliver a mail: `MAIL_UNREADABLE`. Other errors say nothing about the mail. */
  noteError(name: string, error: unknown): void {
    if (error instanceof EngineError && error.code === 'MAIL_UNREADABLE')
      this.#refusedAtMs.set(name, this.#clock.now());
  }

  /** Notes that the server delivered a mail. */
  noteGiven(name: string): void {
    this.#refusedAtMs.delete(name);
    this.#alone.delete(name);
  }
}
