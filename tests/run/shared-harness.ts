import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '../../engine/src/base/clock.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { type Logger, silentLogger } from '../../engine/src/base/log.ts';
import { type App, type AppOptions, openApp } from '../../engine/src/app/app.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import type { ClusterDependencies } from '../../engine/src/run/dependencies.ts';
import type { RunJob, Queue } from '../../engine/src/cluster/queue/queue.ts';
import { recordOf, type Run } from '../../engine/src/run/run.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store, Wake } from '../../engine/src/store/store.ts';
import { withApply } from '../../engine/src/store/with-apply.ts';
import { BASIC } from './harness.ts';
import { nextTry, PATIENCE_MS } from '../next-try.ts';

interface Job {
  readonly id: string;
  readonly run: string;
  at: number;
  readonly dueAt: number;
  readonly priority: number;
  holder: string;
  tries: number;
}

/** A job in the hands of a worker. */
interface Hand {
  readonly worker: string;
  readonly controller: AbortController;
  /** Whether the worker has given a sign of life of late. */
  isHeld: boolean;
  /** Whether it is the worker's no more, for the queue. */
  isGone: boolean;
  /** Called when the worker is heard again. */
  onHeldAgain: () => void;
}

/** A queue in memory that several workers take from, as pg-boss is one in a database. */
export class MemoryQueue {
  readonly jobs: Job[] = [];
  readonly #clock: Clock;
  readonly #workers = new Map<
    string,
    { look: (job: RunJob) => Promise<void>; concurrency: () => number; busy: number }
  >();
  readonly #hands = new Map<string, Hand>();
  #next = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(wakes: readonly Wake[]): void {
    for (const { run, at, priority } of wakes) {
      this.jobs.push({ id: `job${this.#next++}`, run, at, dueAt: at, priority, holder: '', tries: 0 });
      const wait = at - this.#clock.now();
      if (wait > 0) this.#clock.delay(() => this.pump(), wait + 1);
    }
    this.pump();
  }

  /** The queue as one worker sees it. */
  of(worker: string): Queue {
    return {
      enqueue: async (_link, wakes) => this.add(wakes),
      work: async (look, concurrency) => {
        this.#workers.set(worker, { look, concurrency, busy: 0 });
        this.pump();
      },
      stats: async () => ({ ready: 0, oldestMs: 0, deferred: 0, active: 0 }),
      stop: async () => void this.#workers.delete(worker),
    };
  }

  /** The worker shows no sign of life for too long: it no longer holds what it has, but has not noticed. */
  freeze(worker: string): void {
    this.#workers.delete(worker);
    for (const hand of this.#hands.values())
      if (hand.worker === worker) Object.assign(hand, { isHeld: false, isGone: true });
  }

  /** The worker has shown no sign of life for a while, yet nobody has taken anything from it. */
  silence(worker: string): void {
    for (const hand of this.#hands.values()) if (hand.worker === worker) hand.isHeld = false;
  }

  /** The worker shows a sign of life, and has its jobs still. */
  hear(worker: string): void {
    for (const hand of this.#hands.values())
      if (hand.worker === worker && !hand.isGone) {
        hand.isHeld = true;
        hand.onHeldAgain();
      }
  }

  /** Its jobs go to others. */
  giveAway(worker: string): void {
    for (const job of this.jobs) if (job.holder === worker) job.holder = '';
    this.pump();
  }

  /** It notices. */
  tell(worker: string): void {
    for (const hand of this.#hands.values()) if (hand.worker === worker) hand.controller.abort();
  }

  pump(): void {
    const due = this.jobs.filter((job) => job.holder === '' && job.at <= this.#clock.now());
    due.sort((a, b) => b.priority - a.priority);
    for (const job of due) {
      const free = [...this.#workers].find(([, one]) => one.busy < one.concurrency());
      if (free !== undefined) void this.#hand(job, ...free);
    }
  }

  async #hand(job: Job, worker: string, slot: { look: (job: RunJob) => Promise<void>; busy: number }): Promise<void> {
    job.holder = worker;
    slot.busy++;
    const hand: Hand = {
      ...{ worker, controller: new AbortController(), isHeld: true, isGone: false },
      onHeldAgain: () => {},
    };
    const key = `${worker} ${job.id} ${job.tries}`;
    this.#hands.set(key, hand);
    const isRetry = job.tries++ > 0;
    const { signal } = hand.controller;
    let isDone = false;
    try {
      await slot.look({
        ...{ runId: job.run, jobId: job.id, isRetry, dueAt: job.dueAt, signal },
        isHeld: () => hand.isHeld,
        onHeldAgain: (fn) => void (hand.onHeldAgain = fn),
      });
      isDone = true;
    } catch {
      job.at = this.#clock.now() + 50;
      this.#clock.delay(() => this.pump(), 60);
    }
    this.#hands.delete(key);
    slot.busy--;
    if (job.holder === worker && !hand.isGone) {
      if (isDone) this.jobs.splice(this.jobs.indexOf(job), 1);
      else job.holder = '';
    }
    this.pump();
  }
}

export interface SharedStage {
  readonly apps: App[];
  readonly queue: MemoryQueue;
  readonly store: Store;
  /** Runs that one process told the others it has stepped. */
  readonly told: string[];
  /** Starts a run in the first process. */
  begin(message?: string): Promise<string>;
  until(id: string, state: (run: Run) => boolean): Promise<Run>;
  ended(id: string): Promise<Run>;
  close(): Promise<void>;
}

export interface SharedOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly files?: Readonly<Record<string, string>>;
  /** Which of the processes only answer calls and take no runs. */
  readonly idle?: readonly number[];
  /** Which of them hear nothing of what others step. */
  readonly deaf?: readonly number[];
  readonly each?: (n: number) => Partial<AppOptions>;
  readonly livenessOf?: ClusterDependencies['livenessOf'];
  readonly isAlive?: ClusterDependencies['isAlive'];
  /** In place of the store of the process. */
  readonly storeOf?: (store: Store, n: number) => Store;
}

/** Several processes' engines on one store, within one process: `w0`, `w1`, … */
export async function setSharedStage(count: number, options: SharedOptions = {}): Promise<SharedStage> {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-shared-'));
  for (const [name, text] of Object.entries({ ...BASIC, ...options.files })) {
    const file = join(root, 'config', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const clock = options.clock ?? systemClock;
  const inner = openSqlite({ dir: root, synchronous: 'NORMAL' });
  const queue = new MemoryQueue(clock);
  const told: string[] = [];
  const hearers = new Map<string, (runId: string) => void>();
  const store = withApply(inner, async (changes) => {
    await inner.apply(changes);
    queue.add(changes.filter((change) => change.op === 'wake'));
  });
  const open = (n: number) => {
    const worker = `w${n}`;
    const shared: ClusterDependencies = {
      worker,
      queue: queue.of(worker),
      notifyStepped(runId) {
        told.push(runId);
        for (const [other, hear] of hearers) if (other !== worker) hear(runId);
      },
      onStepped(listener) {
        if (options.deaf?.includes(n) !== true) hearers.set(worker, listener);
        return () => void hearers.delete(worker);
      },
      livenessOf: options.livenessOf ?? (async () => 'alive'),
      isAlive: options.isAlive ?? (() => true),
    };
    return openApp({
      configDir: join(root, 'config'),
      dataDir: join(root, `data${n}`),
      env: () => 'sk-test-key',
      log: options.log ?? silentLogger,
      watch: false,
      clock,
      ...options.each?.(n),
      storeHandle: { store: options.storeOf?.(store, n) ?? store, shared, close: async () => {} },
    });
  };
  const apps: App[] = [];
  for (let n = 0; n < count; n++) apps.push(await open(n));
  for (const [n, app] of apps.entries()) if (options.idle?.includes(n) !== true) await app.engine.start();
  const stage: SharedStage = {
    apps,
    queue,
    store,
    told,
    async begin(message = 'do it') {
      const { deps, config } = apps[0]!;
      const { run, changes } = await createRun(deps, {
        config: config.current(),
        directorId: 'boss',
        trigger: { kind: 'message', message },
        startedBy: 'test',
      });
      await store.apply(changes);
      return run.id;
    },
    async until(id, state) {
      for (let tries = 0, began = Date.now(); ; tries++) {
        const row = await store.get('run', { id });
        if (row === undefined) throw new EngineError('NOT_FOUND', id);
        const { run } = recordOf(row);
        if (state(run)) return run;
        if (Date.now() - began > PATIENCE_MS) throw new Error(`still ${run.status}: ${JSON.stringify(run.error)}`);
        await nextTry(tries);
      }
    },
    ended: (id) => stage.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status)),
    async close() {
      for (const app of apps) await app.close();
      await inner.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return stage;
}
