import { join } from 'node:path';
import { type Clock, systemClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { type App, openApp } from '../../../engine/src/app/app.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import type { SqlDatabase, SqlConnection } from '../../../engine/src/store/postgres/sql-database.ts';
import { someTime } from '../doomed.ts';
import type { Point } from '../kill-loop.ts';
import { type World, worldTools } from '../outside-world.ts';
import { randomModels } from '../random-model.ts';

/** What becomes of whatever a dead process waits for. */
const never = () => new Promise<never>(() => {});

/** The place at which one ends itself, and at which pass. */
export interface Doom {
  readonly point: Point;
  readonly after: number;
}

/**
 * What a process has of the world, which a test can cut off for good. From then on it is as others see one that was killed:
 * nothing of it arrives, what it was just writing is rolled back unless it was being committed, no timer of it rings.
 */
export class Lifeline {
  isCut = false;
  readonly cutOff: Promise<void>;
  readonly clock: Clock;
  #doom: Doom | undefined;
  #passes = 0;
  #tell: () => void = () => {};

  constructor(doom: Doom | undefined) {
    this.#doom = doom;
    this.cutOff = new Promise((resolve) => (this.#tell = resolve));
    const delay: Clock['delay'] = (fn, ms) => systemClock.delay(() => (this.isCut ? undefined : fn()), ms);
    this.clock = { ...systemClock, delay };
  }

  cut(): void {
    this.isCut = true;
    this.#tell();
  }

  /** Whether it is to end itself. */
  get isDoomed(): boolean {
    return this.#doom !== undefined;
  }

  /** It is to live, unless it is dead. */
  spare(): void {
    this.#doom = undefined;
  }

  /** At a narrow place, where it may end itself. */
  readonly pass = (point: Point): void => {
    if (point === this.#doom?.point && ++this.#passes === this.#doom.after) this.cut();
  };

  /** Lets time pass; never ends for the dead. */
  pause(ms: number): Promise<void> {
    return this.#alive(someTime(ms));
  }

  /** The way of this process to a database. */
  link(database: SqlDatabase): SqlDatabase {
    const query: SqlConnection['query'] = (text, values) =>
      this.isCut ? never() : this.#alive(database.query(text, values));
    return {
      query,
      transaction: (work) =>
        this.isCut ? never() : this.#alive(database.transaction((link) => work(this.#breaking(link)))),
      listen: (channel, onNotice, onGap) =>
        this.#alive(database.listen(channel, (payload) => (this.isCut ? undefined : onNotice(payload)), onGap)),
      holdLock: (take, drop, onGap) => this.#alive(database.holdLock(take, drop, onGap)),
      notify: async (channel, payload) => void (await query('SELECT pg_notify($1, $2)', [channel, payload])),
      close: async () => {},
    };
  }

  /** A transaction whose connection is gone is rolled back. */
  #breaking(link: SqlConnection): SqlConnection {
    return {
      query: async (text, values) => {
        if (!this.isCut) {
          const result = await link.query(text, values);
          if (!this.isCut) return result;
        }
        throw new Error('the process was killed');
      },
    };
  }

  async #alive<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      return this.isCut ? await never() : result;
    } catch (error) {
      if (this.isCut) return never();
      throw error;
    }
  }
}

export interface LiteOptions {
  readonly root: string;
  readonly slot: number;
  readonly database: SqlDatabase;
  readonly world: World;
  readonly dedupes: boolean;
  readonly latencyMs: number;
  readonly doom?: Doom | undefined;
}

/** One of several "processes" within this one. */
export interface LiteProcess {
  readonly app: App;
  readonly worker: string;
  readonly life: Lifeline;
  /** Ends the threads that it has left in this process. */
  bury(): Promise<unknown>;
}

/** Opens and starts one; the last slot is a worker without config. */
export async function startLite(options: LiteOptions): Promise<LiteProcess> {
  const { root, slot, database, world, dedupes, latencyMs, doom } = options;
  const life = new Lifeline(doom);
  const isStart = slot < 2;
  const pause = () => life.pause(latencyMs);
  const env = (name: string) => (name === 'KEY' ? 'sk-test-key' : undefined);
  const [log, redactor, { clock }] = [silentLogger, createRedactor(), life];
  const storeHandle = await openSharedStore({
    ...{ url: '', env, log, redactor, version: '0', clock, database: life.link(database) },
  });
  const app = await openApp({
    ...{ env, log, redactor, clock, storeHandle, probe: life.pass },
    configDir: join(root, isStart ? 'config' : 'none'),
    dataDir: join(root, `data-${slot}`),
    role: isStart ? 'start' : 'worker',
    // In the control every process dies within an effect that the next one repeats.
    models: randomModels({ pause, fails: dedupes, favourite: dedupes ? undefined : 'post' }),
    tools: worldTools({
      ...{ world, dedupes, pause },
      // A refused repetition would not be seen.
      ...(!dedupes && { refusals: 0 }),
      happened: (tool) => void (!dedupes && tool === 'fire' ? undefined : life.pass('in-effect')),
    }),
  });
  await app.start();
  if (isStart) {
    app.fetcher.start();
    app.notices.start();
  }
  return {
    app,
    worker: storeHandle.shared?.worker ?? '',
    life,
    bury: () => Promise.all([app.mailWorkers.close(), app.filterPool.close()]),
  };
}
