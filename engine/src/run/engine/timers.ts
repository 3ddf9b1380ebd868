import type { Row } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Step } from '../step/step.ts';
import type { ClockWatch } from './clock-watch.ts';
import type { PersistentSteps } from './persistent-steps.ts';

/** Timers fired at once, at most. */
const BATCH = 200;
/** A clock that was set is noticed within this time. */
const MAX_SLEEP_MS = 60_000;

/** Timers are rows with a due time; this wakes when the next one is due and sends each to its machine, once. */
export class Timers {
  readonly #deps: Dependencies;
  readonly #steps: PersistentSteps;
  readonly #clockWatch: ClockWatch;
  /** Timers of runs that cannot be read: left alone until the next start, or they would be due for ever. */
  readonly #left = new Set<string>();
  #armedFor = Infinity;
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(deps: Dependencies, steps: PersistentSteps, clockWatch: ClockWatch) {
    this.#deps = deps;
    this.#steps = steps;
    this.#clockWatch = clockWatch;
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
      // A clock that was set is corrected before any timer counts as due.
      await this.#clockWatch.check();
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
    const isFired = await this.#steps.settle(timer.root, (step) => fire(step, timer));
    if (!isFired && !this.#isStopped) this.#left.add(keyOf(timer));
  }
}

function keyOf({ machine, name, due }: Row<'timer'>): string {
  return [machine, name, due].join('\0');
}

/**
 * Hands the run's timers that are due to their machines, in order of their time; the next one is armed with the step. `until`
 * is the time by a clock that is ahead of ours.
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

/** Hands a timer's event to its machine; one that was set anew or taken back meanwhile is no longer due. */
async function fire(step: Step, { machine, name, due }: Row<'timer'>): Promise<void> {
  const timer = await step.draft.get('timer', { machine, name });
  if (timer?.due !== due) return;
  await step.draft.add({ op: 'delete', table: 'timer', where: { machine, name } });
  await step.send(machine, { ...(JSON.parse(timer.body) as { type: string }), at: step.now });
}
