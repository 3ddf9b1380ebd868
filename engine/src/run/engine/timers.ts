import { STORE_RETRY_MS } from '../../store/outage.ts';
import type { Row } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Step } from '../step/step.ts';
import type { ClockWatch } from './clock-watch.ts';
import type { PersistentSteps } from './persistent-steps.ts';
import { bodyOf } from '../../store/damaged-row.ts';

/** Most timers that fire at once. */
const BATCH = 200;
/** Longest sleep in milliseconds: a clock that was set is noticed within this time. */
const MAX_SLEEP_MS = 60_000;

/**
 * Fires the timers in the store. Timers are rows with a due time; this sleeps until the next one is due, and sends each
 * to its machine, once.
 */
export class Timers {
  readonly #deps: Dependencies;
  readonly #steps: PersistentSteps;
  readonly #clockWatch: ClockWatch;
  /** Timers of runs that cannot be read: skipped until the next start, since they would stay due for ever. */
  readonly #unreadable = new Set<string>();
  /** Timers that fire now. One that the store holds up does not hold up the others. */
  readonly #firing = new Set<string>();
  /** True where more timers were due than may fire at once. */
  #hasMore = false;
  #armedFor = Infinity;
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(deps: Dependencies, steps: PersistentSteps, clockWatch: ClockWatch) {
    this.#deps = deps;
    this.#steps = steps;
    this.#clockWatch = clockWatch;
  }

  /** As `arm` without a time; where the store cannot be read, it is read again after a second. */
  async rearm(): Promise<void> {
    const { clock, log } = this.#deps;
    try {
      await this.arm();
    } catch (error) {
      log.error('timers could not be read; trying again', { error: String(error) });
      await this.arm(clock.now() + STORE_RETRY_MS);
    }
  }

  /** Wakes at `due` (epoch milliseconds) at the latest. Default: when the next timer in the store is due. */
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
      // A clock that was set is corrected before any timer counts as due.
      await this.#clockWatch.check();
      // One more than may fire: it says that there are more.
      const limit = BATCH + 1 + this.#firing.size + this.#unreadable.size;
      const rows = await store.list('timer', { order: [['due', 'asc']], limit, bodies: false });
      if (this.#isStopped) return;
      const next = rows.filter((timer) => !this.#unreadable.has(keyOf(timer)) && !this.#firing.has(keyOf(timer)));
      // Read once: a timer that fell due between two readings would neither fire nor be waited for.
      const now = clock.now();
      const due = next.filter((timer) => timer.due <= now);
      const free = BATCH - this.#firing.size;
      this.#hasMore = due.length > free;
      for (const timer of due.slice(0, free)) void this.#fire(timer);
      const later = next.find((timer) => timer.due > now);
      if (later !== undefined) await this.arm(later.due);
    } catch (error) {
      log.error('timers could not be read; trying again', { error: String(error) });
      await this.arm(clock.now() + STORE_RETRY_MS);
    }
  }

  /** Fires one timer, whatever becomes of the others. */
  async #fire(timer: Row<'timer'>): Promise<void> {
    const key = keyOf(timer);
    this.#firing.add(key);
    const isFired = await this.#steps.settle(timer.root, (step) => fire(step, timer));
    this.#firing.delete(key);
    if (this.#isStopped) return;
    if (!isFired) this.#unreadable.add(key);
    if (!this.#hasMore) return;
    this.#hasMore = false;
    void this.#wake();
  }
}

function keyOf({ machine, name, due }: Row<'timer'>): string {
  return [machine, name, due].join('\0');
}

/**
 * Fires the due timers of the step's run, in order of their time; `nextDue` of the step becomes the time of the next
 * one. Timers up to `until` (epoch milliseconds) are due even if the clock of this process is behind.
 */
export async function fireDue(step: Step, until = 0): Promise<void> {
  const now = Math.max(step.now, until);
  const rows = await step.draft.list('timer', {
    where: [['root', '=', step.runState.record.run.id]],
    order: [['due', 'asc']],
    bodies: false,
  });
  for (const row of rows) {
    if (row.due <= now) await fire(step, row);
    else step.nextDue = Math.min(step.nextDue, row.due);
  }
}

/** Sends a timer's event to its machine; does nothing where the timer was changed or cancelled since it was read. */
async function fire(step: Step, { machine, name, due }: Row<'timer'>): Promise<void> {
  const timer = await step.draft.get('timer', { machine, name });
  if (timer?.due !== due) return;
  await step.draft.add({ op: 'delete', table: 'timer', where: { machine, name } });
  await step.send(machine, { ...bodyOf<{ type: string }>('timer', timer), at: step.now });
}
