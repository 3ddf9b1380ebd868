import { isRecord } from '../../base/json.ts';
import type { Change, Row, Store } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { PersistentSteps } from './persistent-steps.ts';
import type { Step } from '../step/step.ts';
import { readableRows } from '../../store/readable-rows.ts';

/** While runs work, the current time is stored this often, in milliseconds. */
const BEAT_MS = 30_000;
/** While runs work, the process notices this often that it is alive, in milliseconds; else every `BEAT_MS`. */
const ALIVE_MS = 5000;
/** A process that was not alive for longer than this, in milliseconds, was frozen: all but `ALIVE_MS` did not count. */
const FROZEN_MS = 45_000;
/**
 * A pause longer than this, in milliseconds, is taken out of time limits. Shorter pauses count: a run that crashes the
 * process again and again must reach its limit.
 */
export const AWAY_MS = 2 * BEAT_MS;
/** A difference between the clocks below this, in milliseconds, is not corrected. */
const TOLERANCE_MS = 5000;
/** Runs corrected at a time. */
const LANES = 64;
const ROW = 'pulse';

interface ClockWatchOptions {
  /** Whether runs work now; only then is the current time stored for the next start. Default: false. */
  readonly isWorking?: () => boolean;
  /** The timers of the runs that this process drives. Default: all timers in the store. */
  readonly timers?: () => Promise<readonly Row<'timer'>[]>;
}

/**
 * Time limits count working time only. The watch finds out when the wall clock moved while no run worked (the process
 * was down or frozen, the machine slept, somebody set the clock), moves deadlines by that time, and moves timers closer that a
 * clock set back has put too far away.
 */
export class ClockWatch {
  readonly #deps: Dependencies;
  readonly #steps: PersistentSteps;
  readonly #options: ClockWatchOptions;
  #wall = 0;
  #steady = 0;
  /** When the current time was stored last, by the steady clock. */
  #storedAt = -Infinity;
  #cancel: () => void = () => {};

  constructor(deps: Dependencies, steps: PersistentSteps, options: ClockWatchOptions) {
    this.#deps = deps;
    this.#steps = steps;
    this.#options = options;
  }

  /** Corrects the time that passed while no process ran, then starts to watch. */
  async start(): Promise<void> {
    const { store, clock } = this.#deps;
    const row = await readableRows(store, () => {}).get('meta', { name: ROW });
    const last: unknown = row === undefined ? undefined : JSON.parse(row.body);
    this.#readClocks();
    const at = isRecord(last) && typeof last['at'] === 'number' ? last['at'] : await lastEntryAt(store);
    if (at !== undefined) {
      const awayMs = clock.now() - at;
      if (awayMs > AWAY_MS || awayMs < -TOLERANCE_MS) await this.#shift(awayMs);
      // From here on time counts again: a run that ends the process again and again reaches its limit.
      await store.apply([this.pulse()]);
      this.stored();
    }
    this.#beatLater();
  }

  /** Starts to watch only: where processes share the store, each run is corrected when a process takes it over. */
  watch(): void {
    this.#readClocks();
    this.#beatLater();
  }

  stop(): void {
    this.#cancel();
  }

  /** The change that stores the current time as the last one at which runs worked. */
  pulse(): Change {
    return { op: 'put', table: 'meta', row: { name: ROW, body: JSON.stringify({ at: this.#deps.clock.now() }) } };
  }

  /** To be called when a `pulse` is on disk. */
  stored(): void {
    this.#storedAt = this.#now();
  }

  /** Whether the stored time is so old that the next step must store it. */
  get isPulseDue(): boolean {
    return this.#now() - this.#storedAt >= BEAT_MS;
  }

  /** Compares the wall clock with the steady clock; resolves when a difference is corrected. */
  async check(): Promise<void> {
    const { clock } = this.#deps;
    const steady = clock.steady?.();
    if (steady === undefined) return;
    const passedMs = steady - this.#steady;
    const aliveMs = passedMs > FROZEN_MS ? ALIVE_MS : passedMs;
    const byMs = clock.now() - this.#wall - aliveMs;
    this.#readClocks();
    if (Math.abs(byMs) > TOLERANCE_MS) await this.#shift(byMs);
  }

  #readClocks(): void {
    const { clock } = this.#deps;
    this.#wall = clock.now();
    this.#steady = clock.steady?.() ?? this.#wall;
  }

  #beatLater(): void {
    this.#cancel = this.#deps.clock.delay(
      () => {
        this.#beatLater();
        void this.#beat();
      },
      this.#options.isWorking?.() === true ? ALIVE_MS : BEAT_MS,
    );
  }

  #now(): number {
    const { clock } = this.#deps;
    return clock.steady?.() ?? clock.now();
  }

  async #beat(): Promise<void> {
    const { store, log } = this.#deps;
    try {
      await this.check();
      if (this.#options.isWorking?.() !== true || !this.isPulseDue) return;
      await store.apply([this.pulse()]);
      this.stored();
    } catch (error) {
      log.warn('the current time could not be stored', { error: String(error) });
    }
  }

  async #shift(byMs: number): Promise<void> {
    const { store, log } = this.#deps;
    log.info('time passed without work, or the clock was set: time limits are corrected', {
      seconds: Math.round(byMs / 1000),
    });
    const timers = await (this.#options.timers?.() ?? store.list('timer', { bodies: false }));
    const byRoot = Map.groupBy(timers, ({ root }) => root);
    const waiting = [...byRoot];
    const lane = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [root, timers] = next;
        await this.#steps
          .persist(root, async (step) => {
            for (const timer of timers) await shiftTimer(step, timer, byMs);
          })
          .catch((error: unknown) =>
            log.warn('the timers of a run could not be corrected', { run: root, error: String(error) }),
          );
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
}

/** Time of the newest trace entry: where no time was stored yet, the last known moment of work. */
async function lastEntryAt(store: Store): Promise<number | undefined> {
  const [last] = await store.list('entry', { order: [['at', 'desc']], limit: 1, bodies: false });
  return last?.at;
}

async function shiftTimer(step: Step, { machine, name, due }: Row<'timer'>, byMs: number): Promise<void> {
  if (name === 'deadline') return step.send(machine, { type: 'TIME_SHIFTED', at: step.now, byMs });
  // A timer for something outside, such as a limit that opens, is not postponed by the pause.
  if (byMs > 0 || (await step.draft.get('timer', { machine, name }))?.due !== due) return;
  const sooner = Math.max(step.now, due + byMs);
  await step.draft.add({ op: 'update', table: 'timer', key: { machine, name }, set: { due: sooner } });
  step.nextDue = Math.min(step.nextDue, sooner);
}
