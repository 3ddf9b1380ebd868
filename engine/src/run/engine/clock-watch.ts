import { isRecord } from '../../base/json.ts';
import type { Row } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { PersistentSteps } from './persistent-steps.ts';
import type { Step } from '../step/step.ts';

/** While runs work, the time is noted this often. */
const BEAT_MS = 30_000;
/** Who was away for longer than this did not work meanwhile; shorter pauses count, or a crash loop never ends. */
export const AWAY_MS = 2 * BEAT_MS;
/** A clock that differs by less is not worth a correction. */
const TOLERANCE_MS = 5000;
/** Runs put right at a time. */
const LANES = 64;
const ROW = 'pulse';

interface ClockWatchOptions {
  /** Whether runs work now: then the time is stored, for the next start. Default: false. */
  readonly isWorking?: () => boolean;
  /** The timers that this process answers for; without it all that are stored. */
  readonly timers?: () => Promise<readonly Row<'timer'>[]>;
}

/**
 * Time limits count work. What the clock says has passed although nobody worked (the process was away, the machine slept,
 * somebody set the clock) is taken out of them, and timers that a clock set back has put out of reach are brought back.
 */
export class ClockWatch {
  readonly #deps: Dependencies;
  readonly #steps: PersistentSteps;
  readonly #options: ClockWatchOptions;
  #wall = 0;
  #steady = 0;
  #cancel: () => void = () => {};

  constructor(deps: Dependencies, steps: PersistentSteps, options: ClockWatchOptions) {
    this.#deps = deps;
    this.#steps = steps;
    this.#options = options;
  }

  /** Puts right what happened while no process worked here, then begins to beat. */
  async start(): Promise<void> {
    const { store, clock } = this.#deps;
    const row = await store.get('meta', { name: ROW });
    const last: unknown = row === undefined ? undefined : JSON.parse(row.body);
    this.#note();
    if (isRecord(last) && typeof last['at'] === 'number') {
      const awayMs = clock.now() - last['at'];
      if (awayMs > AWAY_MS || awayMs < -TOLERANCE_MS) await this.#shift(awayMs);
    }
    this.#beatLater();
  }

  /** Begins to beat, where what happened before is put right by others. */
  watch(): void {
    this.#note();
    this.#beatLater();
  }

  stop(): void {
    this.#cancel();
  }

  /** Looks at the clock; resolves once what it has put wrong is right again. */
  async check(): Promise<void> {
    const { clock } = this.#deps;
    const steady = clock.steady?.();
    if (steady === undefined) return;
    const byMs = clock.now() - this.#wall - (steady - this.#steady);
    this.#note();
    if (Math.abs(byMs) > TOLERANCE_MS) await this.#shift(byMs);
  }

  #note(): void {
    const { clock } = this.#deps;
    this.#wall = clock.now();
    this.#steady = clock.steady?.() ?? this.#wall;
  }

  #beatLater(): void {
    this.#cancel = this.#deps.clock.delay(() => {
      this.#beatLater();
      void this.#beat();
    }, BEAT_MS);
  }

  async #beat(): Promise<void> {
    const { store, clock, log } = this.#deps;
    try {
      await this.check();
      const body = JSON.stringify({ at: clock.now() });
      if (this.#options.isWorking?.() === true)
        await store.apply([{ op: 'put', table: 'meta', row: { name: ROW, body } }]);
    } catch (error) {
      log.warn('the time could not be noted', { error: String(error) });
    }
  }

  async #shift(byMs: number): Promise<void> {
    const { store, log } = this.#deps;
    log.info('time has passed without work, or the clock was set: time limits are put right', {
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
          .catch((error: unknown) => log.warn('timers of a run stay as they are', { run: root, error: String(error) }));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
}

async function shiftTimer(step: Step, { machine, name, due }: Row<'timer'>, byMs: number): Promise<void> {
  if (name === 'deadline') return step.send(machine, { type: 'TIME_SHIFTED', at: step.now, byMs });
  // What waits for something outside does not wait longer because we were away.
  if (byMs > 0 || (await step.draft.get('timer', { machine, name }))?.due !== due) return;
  const sooner = Math.max(step.now, due + byMs);
  await step.draft.add({ op: 'update', table: 'timer', key: { machine, name }, set: { due: sooner } });
  step.nextDue = Math.min(step.nextDue, sooner);
}
