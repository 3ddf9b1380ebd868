import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type MessagePort, Worker, type WorkerOptions } from 'node:worker_threads';
import type { Abortable } from './abort.ts';
import type { ErrorCode } from './error-code.ts';
import { EngineError, fromThreadError, type ThreadError, toThreadError } from './error.ts';
import type { WorkerStart } from './worker-entry.ts';

type Transfer = NonNullable<WorkerOptions['transferList']>;

/** Messages to and from a worker thread. Both survive structured cloning. */
type Request = { readonly jobs: readonly unknown[] };
type Reply = { readonly ready: true } | { readonly outcomes: readonly Outcome[] };
type Outcome = { readonly value: unknown } | { readonly error: ThreadError };

/** Options of `createPool`. */
export interface PoolOptions {
  /** The module of the worker thread, a TypeScript file that calls `serveJobs`. */
  readonly entry: URL;
  /** Largest number of threads. A thread starts when a job needs it. */
  readonly size: number;
  /** Time limit of one job; a thread that exceeds it is replaced. */
  readonly timeoutMs: number;
  /** Largest JavaScript heap of a thread, in MB. A job that needs more fails, and its thread is replaced. */
  readonly maxHeapMb: number;
  /** Most memory of a thread in buffers, in MB, which `maxHeapMb` does not count; checked four times a second. Default: no limit. */
  readonly maxBufferMb?: number;
  /** Stack size of a thread in MB. Default 4, as in Node. */
  readonly stackMb?: number;
  /** An idle thread ends after this time. Default 30,000. */
  readonly idleMs?: number;
  /** Error code of a job that exceeds a limit or ends its thread. */
  readonly tooCostly: ErrorCode;
}

/** Options of one job. */
export interface RunOptions extends Abortable {
  /** Time limit of this job instead of the pool's. */
  readonly timeoutMs?: number;
  /** Buffers to transfer instead of copy. */
  readonly transfer?: Transfer;
  /**
   * True for a job of about a millisecond without `transfer` that may run twice: it shares a message, which costs much, with others that
   * wait. Where they take long, or end their thread, each runs again alone.
   */
  readonly isShort?: boolean;
}

/** Worker threads for jobs, with limits of time and memory for each job. */
export interface Pool<Job, Result> {
  /**
   * Runs one job; jobs wait in order while all threads are busy. Rejects with the thrown error of the job, with
   * `tooCostly` on a limit, with `BUSY` (retryable) where no thread starts, or with the signal's reason on abort. The
   * result of an aborted job that has begun is dropped.
   */
  run(job: Job, options?: RunOptions): Promise<Result>;
  /** Stops all threads at once; unfinished jobs reject with `INTERNAL`. */
  close(): Promise<void>;
}

interface Task {
  readonly job: unknown;
  isShort: boolean;
  readonly options: RunOptions;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
}

/** A worker thread and its jobs; several only if all are short. */
interface PoolWorker {
  readonly thread: Worker;
  /** True once the thread has loaded its code. */
  isReady: boolean;
  tasks: readonly Task[];
  /** Time limit of the start or of the jobs; for an idle thread, the time until it ends. */
  timer: NodeJS.Timeout | undefined;
  /** Checks the memory of a job. */
  watch: NodeJS.Timeout | undefined;
}

/** Longest time for a thread to load its code, on a busy machine. */
const START_MS = 30_000;
/** Time between two checks of a job's memory. */
const WATCH_MS = 250;
/** Most short jobs that go to a thread together, and their time limit. */
const SHARED = { jobs: 8, ms: 2000 } as const;
/** Memory of a thread for new objects, where Node allows 48: a job needs little, and several threads stay alive in a busy server. */
const YOUNG = { maxYoungGenerationSizeMb: 12 } as const;

const START = new URL('./worker-entry.ts', import.meta.url);

function startOf(entry: URL): WorkerStart {
  const folder = getCompileCacheDir();
  // Node adds a folder for its version to the configured one.
  return { entry: entry.href, ...(folder !== undefined && { compiled: dirname(folder) }) };
}

/** Creates a pool without threads. Idle threads do not keep the process alive. */
export function createPool<Job, Result>(options: PoolOptions): Pool<Job, Result> {
  const threads = new WorkerPool(options);
  return { run: (job, more) => threads.run<Result>(job, more), close: () => threads.close() };
}

class WorkerPool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<PoolWorker>();
  readonly #queue: Task[] = [];
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  run<Result>(job: unknown, options: RunOptions = {}): Promise<Result> {
    const { signal } = options;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#isClosed) return Promise.reject(closedError());
    return new Promise<Result>((resolve, reject) => {
      const onAbort = () => {
        const at = this.#queue.indexOf(task);
        if (at >= 0) this.#queue.splice(at, 1);
        reject(signal?.reason);
      };
      const done = () => signal?.removeEventListener('abort', onAbort);
      const task: Task = {
        ...{ job, options, isShort: options.isShort === true },
        resolve: (value) => (done(), resolve(value)),
        reject: (reason) => (done(), reject(reason)),
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(task);
      this.#assign();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = closedError();
    for (const task of this.#queue.splice(0)) task.reject(closed);
    const all = [...this.#workers];
    for (const worker of all) this.#remove(worker, closed);
    await Promise.all(all.map(({ thread }) => thread.terminate()));
  }

  /** Passes waiting jobs to idle threads, and starts threads up to the limit. */
  #assign(): void {
    while (this.#queue.length > 0) {
      const idle = [...this.#workers].find(({ tasks }) => tasks.length === 0);
      const worker = idle ?? (this.#workers.size < this.#options.size ? this.#start() : undefined);
      if (worker === undefined) return;
      clearTimeout(worker.timer);
      worker.tasks = this.#nextTasks();
      worker.thread.ref();
      if (worker.isReady) this.#post(worker);
      else worker.timer = setTimeout(() => this.#remove(worker, notStarted()), START_MS);
    }
  }

  /** The job that waits longest or, where all threads are busy, its share of the short ones. */
  #nextTasks(): Task[] {
    const long = this.#queue.findIndex(({ isShort }) => !isShort);
    const most = Math.min(SHARED.jobs, Math.ceil(this.#queue.length / this.#options.size), long < 0 ? Infinity : long);
    return this.#queue.splice(0, Math.max(1, most));
  }

  #start(): PoolWorker {
    const { entry, maxHeapMb, stackMb = 4 } = this.#options;
    const thread = new Worker(START, {
      execArgv: [],
      // Code that reads hostile input must not see the secrets of the environment.
      env: {},
      workerData: startOf(entry),
      resourceLimits: { ...YOUNG, maxOldGenerationSizeMb: maxHeapMb, stackSizeMb: stackMb },
    });
    const worker: PoolWorker = { thread, isReady: false, tasks: [], timer: undefined, watch: undefined };
    this.#workers.add(worker);
    thread.on('message', (reply: Reply) => this.#onReply(worker, reply));
    thread.on('error', (error: Error & { code?: string }) => this.#remove(worker, this.#deathOf(error)));
    thread.on('exit', () => this.#remove(worker, this.#deathOf()));
    return worker;
  }

  #post(worker: PoolWorker): void {
    const [{ tooCostly }, { tasks }] = [this.#options, worker];
    const { timeoutMs = this.#options.timeoutMs, transfer = [] } = tasks[0]?.options ?? {};
    const limitMs = tasks.length > 1 ? Math.min(SHARED.ms, timeoutMs) : timeoutMs;
    const late = () =>
      this.#remove(worker, new EngineError(tooCostly, `took longer than ${limitMs / 1000} s and was stopped`));
    worker.timer = setTimeout(late, limitMs);
    this.#watchMemory(worker);
    const request: Request = { jobs: tasks.map(({ job }) => job) };
    try {
      worker.thread.postMessage(request, transfer);
    } catch (cause) {
      this.#fail(worker, cause);
      this.#release(worker);
    }
  }

  #watchMemory(worker: PoolWorker): void {
    const [{ maxBufferMb, tooCostly }, { tasks }] = [this.#options, worker];
    if (maxBufferMb === undefined) return;
    const check = async () => {
      // Rejects where the thread has just ended.
      const used = await worker.thread.getHeapStatistics().catch(() => undefined);
      // The answer may come when the thread has begun another job.
      if (used === undefined || used.external_memory <= maxBufferMb * 1024 * 1024 || worker.tasks !== tasks) return;
      this.#remove(worker, new EngineError(tooCostly, `needed more than ${maxBufferMb} MB of memory and was stopped`));
    };
    worker.watch = setInterval(() => void check(), WATCH_MS).unref();
  }

  #onReply(worker: PoolWorker, reply: Reply): void {
    const { tasks } = worker;
    if ('ready' in reply) {
      worker.isReady = true;
      clearTimeout(worker.timer);
      if (tasks.length > 0) this.#post(worker);
      return;
    }
    if (tasks.length === 0) return;
    for (const [n, outcome] of reply.outcomes.entries())
      if ('error' in outcome) tasks[n]?.reject(fromThreadError(outcome.error));
      else tasks[n]?.resolve(outcome.value as never);
    this.#release(worker);
  }

  /** Marks a thread as idle. */
  #release(worker: PoolWorker): void {
    clearTimeout(worker.timer);
    clearInterval(worker.watch);
    worker.tasks = [];
    worker.thread.unref();
    worker.timer = setTimeout(() => this.#remove(worker, this.#deathOf()), this.#options.idleMs ?? 30_000).unref();
    this.#assign();
  }

  /** Rejects the job of a thread. Of several each runs again alone, so that the others do not fail with one of them. */
  #fail(worker: PoolWorker, reason: unknown): void {
    const { tasks } = worker;
    worker.tasks = [];
    if (tasks.length > 1 && !this.#isClosed) {
      for (const task of tasks) task.isShort = false;
      this.#queue.unshift(...tasks.filter(({ options }) => options.signal?.aborted !== true));
    } else for (const task of tasks) task.reject(reason);
  }

  /** Removes a thread; only its own job fails. */
  #remove(worker: PoolWorker, reason: EngineError): void {
    if (!this.#workers.delete(worker)) return;
    clearTimeout(worker.timer);
    clearInterval(worker.watch);
    void worker.thread.terminate();
    this.#fail(worker, reason);
    if (!this.#isClosed) this.#assign();
  }

  #deathOf(error?: Error & { code?: string }): EngineError {
    const { maxHeapMb, tooCostly } = this.#options;
    if (error?.code === 'ERR_WORKER_OUT_OF_MEMORY')
      return new EngineError(tooCostly, `needed more than ${maxHeapMb} MB of memory and was stopped`);
    return new EngineError(tooCostly, 'the worker thread ended before its job was done', { cause: error });
  }
}

const closedError = () => new EngineError('INTERNAL', 'the workers are closed');
const notStarted = () => new EngineError('BUSY', 'no worker thread started within 30 s', { retryable: true });

/**
 * The part inside the worker thread: answers each job with the result of `work`, or with its error. `transfer` picks
 * the buffers of a result to transfer instead of copy. Does nothing where `port` is null, as in the main thread.
 */
export function serveJobs<Job, Result>(
  port: MessagePort | null,
  work: (job: Job) => Result | Promise<Result>,
  transfer: (result: Result) => Transfer = () => [],
): void {
  if (port === null) return;
  port.on('message', async ({ jobs }: Request) => {
    const outcomes: Outcome[] = [];
    // Each once: results may be views of one buffer.
    const buffers = new Set<Transfer[number]>();
    for (const job of jobs)
      try {
        const value = await work(job as Job);
        for (const buffer of transfer(value)) buffers.add(buffer);
        outcomes.push({ value });
      } catch (error) {
        outcomes.push({ error: toThreadError(error) });
      }
    try {
      port.postMessage({ outcomes }, [...buffers]);
    } catch (error) {
      port.postMessage({ outcomes: jobs.map(() => ({ error: toThreadError(error) })) });
    }
  });
  port.postMessage({ ready: true });
}
