import type { Row } from '../store/store.ts';
import type { Parts } from './parts.ts';

/** Timers fired at once, at most. */
const BATCH = 200;
/** A clock that was set is noticed within this time. */
const MAX_SLEEP_MS = 60_000;

/** Timers are rows with a due time; this wakes when the next one is due and hands each to `fire`. */
export class Timers {
  readonly #parts: Parts;
  readonly #fire: (timer: Row<'timer'>) => Promise<void>;
  #armedFor = Infinity;
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(parts: Parts, fire: (timer: Row<'timer'>) => Promise<void>) {
    this.#parts = parts;
    this.#fire = fire;
  }

  /** Makes sure to wake at `due`, or at the next timer in the store if none is given. */
  async arm(due?: number): Promise<void> {
    const next = due ?? (await this.#parts.store.list('timer', { order: [['due', 'asc']], limit: 1 }))[0]?.due;
    if (this.#isStopped || next === undefined || next >= this.#armedFor) return;
    this.#cancel();
    this.#armedFor = next;
    const wait = Math.min(Math.max(0, next - this.#parts.clock.now()), MAX_SLEEP_MS);
    this.#cancel = this.#parts.clock.delay(() => void this.#wake(), wait);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #wake(): Promise<void> {
    this.#armedFor = Infinity;
    const { store, clock, log } = this.#parts;
    try {
      for (;;) {
        const next = await store.list('timer', { order: [['due', 'asc']], limit: BATCH });
        const due = next.filter((timer) => timer.due <= clock.now());
        if (due.length === 0 || this.#isStopped) return await this.arm(next[0]?.due ?? Infinity);
        await Promise.all(due.map((timer) => this.#fire(timer)));
      }
    } catch (error) {
      log.error('timers could not be read; trying again', { error: String(error) });
      await this.arm(clock.now() + 1000);
    }
  }
}
