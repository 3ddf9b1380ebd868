import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';

/** How long to skip a mail that the provider failed to deliver. */
const SKIP_MS = 10 * 60_000;

/**
 * Mails that the provider failed to deliver while it delivers others. Such a mail does not block the others; the source
 * asks for it again after ten minutes, since the failure may be temporary.
 */
export class UnreadableMails {
  readonly #clock: Clock;
  readonly #atMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the result of `request` for a mail, and notes `MAIL_UNREADABLE`. */
  async track<T>(id: string, request: () => Promise<T>): Promise<T> {
    try {
      const result = await request();
      this.#atMs.delete(id);
      return result;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'MAIL_UNREADABLE') this.#atMs.set(id, this.#clock.now());
      throw error;
    }
  }

  /** Returns a test for the mails to skip now, among those that this process could not read. */
  skips(isUnreadable: (id: string) => boolean): (id: string) => boolean {
    return (id) => isUnreadable(id) && this.#clock.now() < (this.#atMs.get(id) ?? Infinity) + SKIP_MS;
  }
}
