import type { Row } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';

/** Timers fired at once, at most. */
const BATCH = 200;
/** A clock that was set is noticed within this time. */
const MAX_SLEEP_MS = 60_000;

/** Timers are rows with a due time; this wakes when the next one is due and hands each to `fire`, once. */
export class Timers {
  readonly #deps: Dependencies;
  /** False where the timer's run could not take it. */
  readonly #fire: (timer: Row<'timer'>) => Promise<boolean>;
  /** Puts right what a clock that was set has put wrong, before any timer counts as due. */
  readonly #beforeWake: () => Promise<void>;
  /** Timers of runs that cannot be read: left alone until the next start, or they would be due for ever. */
  readonly #left = new Set<string>();
  #armedFor = Infinity;
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(
    deps: Dependencies,
    ways: { fire: (timer: Row<'timer'>) => Promise<boolean>; beforeWake: () => Promise<void> },
  ) {
    this.#deps = deps;
    this.#fire = ways.fire;
    this.#beforeWake = ways.beforeWake;
  }

  /** Makes sure to wake at `due`, or at the next timer in the store if none is given. */
  async arm(due?: number): Promise<void> {
    const next =
      due ?? (await this.#deps.store.list('timer', { order: [['due', 'asc']], limit: 1, bodies: false }))[0]?.due;
    if (this.#isStopped || next === undefined || next >= this.#armedFor) return;
    this.#cancel();
    this.#armedFor = next;
    const wait = Math.min(Math.max(0, next - this.#deps.clock.now()), MAX_SLEEP_MS);
    this.#cancel = this.#deps.clock.delay(() => void this.#wake(), wait);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #wake(): Promise<void> {
    this.#armedFor = Infinity;
    const { store, clock, log } = this.#deps;
    try {
      await this.#beforeWake();
      for (;;) {
        const limit = BATCH + this.#left.size;
        const rows = await store.list('timer', { order: [['due', 'asc']], limit, bodies: false });
        const next = rows.filter((timer) => !this.#left.has(keyOf(timer)));
        const due = next.filter((timer) => timer.due <= clock.now());
        if (due.length === 0 || this.#isStopped) return await this.arm(next[0]?.due ?? Infinity);
        await Promise.all(due.map((timer) => this.#ring(timer)));
      }
    } catch (error) {
      log.error('timers could not be read; trying again', { error: String(error) });
      await this.arm(clock.now() + 1000);
    }
  }

  async #ring(timer: Row<'timer'>): Promise<void> {
    if (!(await this.#fire(timer)) && !this.#isStopped) this.#left.add(keyOf(timer));
  }
}

function keyOf({ machine, name, due }: Row<'timer'>): string {
  return [machine, name, due].join('\0');
}
