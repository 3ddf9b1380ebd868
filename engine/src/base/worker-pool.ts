import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type MessagePort, Worker, type WorkerOptions } from 'node:worker_threads';
import type { Abortable } from './abort.ts';
import { type ErrorCode, statusOf } from './error-code.ts';
import { EngineError, type ErrorBody, errorBody } from './error.ts';
import type { WorkerStart } from './worker-entry.ts';

type Transfer = NonNullable<WorkerOptions['transferList']>;

/** Messages to and from a worker thread. Both survive structured cloning. */
type Request = { readonly id: number; readonly job: unknown };
type Reply =
  | { readonly ready: true }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ErrorBody; readonly retryable: boolean; readonly known: boolean };

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
  /**
   * Most memory of a thread outside its JavaScript heap, in MB: buffers, which `maxHeapMb` does not count. Checked four times
   * a second while a job runs. Default: no limit.
   */
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
}

/** Worker threads for jobs, with limits of time and memory for each job. */
export interface Pool<Job, Result> {
  /**
   * Runs one job; jobs wait in order while all threads are busy. Rejects with the thrown error of the job, with
   * `tooCostly` on a limit, or with the signal's reason on abort. The result of an aborted job that has begun is
   * dropped.
   */
  run(job: Job, options?: RunOptions): Promise<Result>;
  /** Stops all threads at once; unfinished jobs reject with `INTERNAL`. */
  close(): Promise<void>;
}

interface Task {
  readonly job: unknown;
  readonly options: RunOptions;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
}

/** A worker thread and its job. */
interface PoolWorker {
  readonly thread: Worker;
  /** True once the thread has loaded its code. */
  isReady: boolean;
  task: Task | undefined;
  /** Time limit of the start or of the job; for an idle thread, the time until it ends. */
  timer: NodeJS.Timeout | undefined;
  /** Checks the memory of a job. */
  watch: NodeJS.Timeout | undefined;
}

/** Longest time for a thread to load its code, on a busy machine. */
const START_MS = 30_000;

/** Time between two checks of a job's memory. */
const WATCH_MS = 250;

const START = new URL('./worker-entry.ts', import.meta.url);

function startOf(entry: URL): WorkerStart {
  const folder = getCompileCacheDir();
  // Node adds a folder for its version to the configured one.
  return { entry: entry.href, ...(folder !== undefined && { compiled: dirname(folder) }) };
}

/** Creates a pool without threads. Idle threads do not keep the process alive. */
export function createPool<Job, Result>(options: PoolOptions): Pool<Job, Result> {
  const threads = new WorkerPool(options);
  return {
    run: (job, runOptions) => threads.run<Result>(job, runOptions),
    close: () => threads.close(),
  };
}

class WorkerPool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<PoolWorker>();
  readonly #queue: Task[] = [];
  #isClosed = false;
  #lastId = 0;

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
        job,
        options,
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
      const idle = [...this.#workers].find(({ task }) => task === undefined);
      const worker = idle ?? (this.#workers.size < this.#options.size ? this.#start() : undefined);
      const task = worker === undefined ? undefined : this.#queue.shift();
      if (worker === undefined || task === undefined) return;
      clearTimeout(worker.timer);
      worker.task = task;
      worker.thread.ref();
      if (worker.isReady) this.#post(worker, task);
      else {
        const late = () => this.#remove(worker, new EngineError('INTERNAL', 'the worker thread did not start'));
        worker.timer = setTimeout(late, START_MS);
      }
    }
  }

  #start(): PoolWorker {
    const { entry, maxHeapMb, stackMb = 4 } = this.#options;
    const thread = new Worker(START, {
      execArgv: [],
      // Code that reads hostile input must not see the secrets of the environment.
      env: {},
      workerData: startOf(entry),
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, stackSizeMb: stackMb },
    });
    const worker: PoolWorker = { thread, isReady: false, task: undefined, timer: undefined, watch: undefined };
    this.#workers.add(worker);
    thread.on('message', (reply: Reply) => this.#onReply(worker, reply));
    thread.on('error', (error: Error & { code?: string }) => this.#remove(worker, this.#deathOf(error)));
    thread.on('exit', () => this.#remove(worker, this.#deathOf()));
    return worker;
  }

  #post(worker: PoolWorker, task: Task): void {
    const { timeoutMs, tooCostly } = this.#options;
    const limitMs = task.options.timeoutMs ?? timeoutMs;
    const late = () =>
      this.#remove(worker, new EngineError(tooCostly, `took longer than ${limitMs / 1000} s and was stopped`));
    worker.timer = setTimeout(late, limitMs);
    this.#watchMemory(worker);
    const request: Request = { id: ++this.#lastId, job: task.job };
    try {
      worker.thread.postMessage(request, task.options.transfer ?? []);
    } catch (cause) {
      task.reject(cause);
      this.#release(worker);
    }
  }

  #watchMemory(worker: PoolWorker): void {
    const { maxBufferMb, tooCostly } = this.#options;
    if (maxBufferMb === undefined) return;
    const check = async () => {
      // Rejects where the thread has just ended.
      const used = await worker.thread.getHeapStatistics().catch(() => undefined);
      if (used === undefined || used.external_memory <= maxBufferMb * 1024 * 1024 || worker.task === undefined) return;
      this.#remove(worker, new EngineError(tooCostly, `needed more than ${maxBufferMb} MB of memory and was stopped`));
    };
    worker.watch = setInterval(() => void check(), WATCH_MS).unref();
  }

  #onReply(worker: PoolWorker, reply: Reply): void {
    const { task } = worker;
    if ('ready' in reply) {
      worker.isReady = true;
      clearTimeout(worker.timer);
      if (task !== undefined) this.#post(worker, task);
      return;
    }
    if (task === undefined) return;
    if ('error' in reply) task.reject(revive(reply));
    else task.resolve(reply.value as never);
    this.#release(worker);
  }

  /** Marks a thread as idle. */
  #release(worker: PoolWorker): void {
    clearTimeout(worker.timer);
    clearInterval(worker.watch);
    worker.task = undefined;
    worker.thread.unref();
    const close = () => this.#remove(worker, this.#deathOf());
    worker.timer = setTimeout(close, this.#options.idleMs ?? 30_000).unref();
    this.#assign();
  }

  /** Removes a thread; only its own job fails. */
  #remove(worker: PoolWorker, reason: EngineError): void {
    if (!this.#workers.delete(worker)) return;
    clearTimeout(worker.timer);
    clearInterval(worker.watch);
    void worker.thread.terminate();
    worker.task?.reject(reason);
    worker.task = undefined;
    if (!this.#isClosed) this.#assign();
  }

  #deathOf(error?: Error & { code?: string }): EngineError {
    const { maxHeapMb, tooCostly } = this.#options;
    if (error?.code === 'ERR_WORKER_OUT_OF_MEMORY')
      return new EngineError(tooCostly, `needed more than ${maxHeapMb} MB of memory and was stopped`);
    return new EngineError(tooCostly, 'the worker thread ended before its job was done', { cause: error });
  }
}

function closedError(): EngineError {
  return new EngineError('INTERNAL', 'the workers are closed');
}

function revive({ error, retryable, known }: Extract<Reply, { error: unknown }>): EngineError {
  return known
    ? new EngineError(error.code as ErrorCode, error.message, { hint: error.hint, retryable })
    : new EngineError('INTERNAL', error.message, { expose: false });
}

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
  port.on('message', async ({ id, job }: Request) => {
    try {
      const value = await work(job as Job);
      port.postMessage({ id, value }, transfer(value));
    } catch (error) {
      const known = error instanceof EngineError && statusOf(error.code) !== undefined;
      port.postMessage({ id, error: errorBody(error), retryable: known && error.retryable, known });
    }
  });
  port.postMessage({ ready: true });
}
