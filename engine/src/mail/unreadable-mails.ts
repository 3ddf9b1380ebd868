import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';

/** So long a mail that the provider failed at is left alone. */
const LEFT_MS = 10 * 60_000;

/**
 * Mails that a provider failed at though it gives others. One of them keeps nobody from the others, and is asked for again after
 * ten minutes: it may have been the provider's bad hour.
 */
export class UnreadableMails {
  readonly #clock: Clock;
  readonly #atMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `ask` gives of a mail; `MAIL_UNREADABLE` is noted. */
  async track<T>(id: string, ask: () => Promise<T>): Promise<T> {
    try {
      const given = await ask();
      this.#atMs.delete(id);
      return given;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'MAIL_UNREADABLE') this.#atMs.set(id, this.#clock.now());
      throw error;
    }
  }

  /** Of mails that this process could not read, those that it is not to try now. */
  skips(isUnreadable: (id: string) => boolean): (id: string) => boolean {
    return (id) => isUnreadable(id) && this.#clock.now() < (this.#atMs.get(id) ?? Infinity) + LEFT_MS;
  }
}
