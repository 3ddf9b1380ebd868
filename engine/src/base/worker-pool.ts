import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type MessagePort, Worker, type WorkerOptions } from 'node:worker_threads';
import type { Abortable } from './abort.ts';
import { type ErrorCode, statusOf } from './error-code.ts';
import { EngineError, type ErrorBody, errorBody } from './error.ts';
import type { WorkerStart } from './worker-entry.ts';

type Transfer = NonNullable<WorkerOptions['transferList']>;

/** What travels to a worker and back. Both survive structured cloning. */
type Request = { readonly id: number; readonly job: unknown };
type Reply =
  | { readonly ready: true }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ErrorBody; readonly retryable: boolean; readonly known: boolean };

export interface PoolOptions {
  /** The worker's entry, a TypeScript file that calls `serveJobs`. */
  readonly entry: URL;
  /** Most workers at a time. They start when there is work. */
  readonly size: number;
  /** A job that takes longer is given up and its worker replaced. */
  readonly timeoutMs: number;
  /** Largest JavaScript heap of a worker, in MB; a job that needs more fails and its worker is replaced. */
  readonly maxHeapMb: number;
  /** Stack of a worker in MB (Node's default is 4). */
  readonly stackMb?: number;
  /** An idle worker is closed after this time. Default 30,000. */
  readonly idleMs?: number;
  /** Code of the error that a job gets which is too slow, too large, or kills its worker. */
  readonly tooCostly: ErrorCode;
}

export interface RunOptions extends Abortable {
  /** In place of the pool's time limit. */
  readonly timeoutMs?: number;
  /** Buffers that are handed over instead of copied. */
  readonly transfer?: Transfer;
}

/** Threads that work off jobs, each job with limits of time and memory of its own. */
export interface Pool<Job, Result> {
  /**
   * Runs one job; jobs wait in order while all workers are busy. Rejects with the error that the worker threw, with
   * `tooCostly` where a limit was hit, or with the signal's reason on abort (a job that has begun ends unheard).
   */
  run(job: Job, options?: RunOptions): Promise<Result>;
  /** Stops all workers at once; unfinished jobs reject with `INTERNAL`. */
  close(): Promise<void>;
}

interface Task {
  readonly job: unknown;
  readonly options: RunOptions;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
}

interface Hand {
  readonly worker: Worker;
  isReady: boolean;
  task: Task | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Longest time that a worker may take to load its code on a busy machine. */
const START_MS = 30_000;

const START = new URL('./worker-entry.ts', import.meta.url);

function startOf(entry: URL): WorkerStart {
  const folder = getCompileCacheDir();
  // Node makes a folder for its version in the one that it is told.
  return { entry: entry.href, ...(folder !== undefined && { compiled: dirname(folder) }) };
}

/** A pool with no worker yet. Idle workers never keep the process alive. */
export function createPool<Job, Result>(options: PoolOptions): Pool<Job, Result> {
  const hands = new Set<Hand>();
  const queue: Task[] = [];
  let isClosed = false;
  let lastId = 0;

  function start(): Hand {
    const worker = new Worker(START, {
      execArgv: [],
      // Code that reads hostile input has no use for the environment, where secrets are.
      env: {},
      workerData: startOf(options.entry),
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb, stackSizeMb: options.stackMb ?? 4 },
    });
    const hand: Hand = { worker, isReady: false, task: undefined, timer: undefined };
    hands.add(hand);
    worker.on('message', (reply: Reply) => onReply(hand, reply));
    worker.on('error', (error: Error & { code?: string }) => lose(hand, died(error)));
    worker.on('exit', () => lose(hand, died()));
    return hand;
  }

  function died(error?: Error & { code?: string }): EngineError {
    if (error?.code === 'ERR_WORKER_OUT_OF_MEMORY')
      return new EngineError(options.tooCostly, `needed more than ${options.maxHeapMb} MB of memory and was stopped`);
    return new EngineError(options.tooCostly, 'the worker thread ended before its job was done', { cause: error });
  }

  /** Takes a worker out; only the job that it had fails. */
  function lose(hand: Hand, reason: EngineError): void {
    if (!hands.delete(hand)) return;
    clearTimeout(hand.timer);
    void hand.worker.terminate();
    hand.task?.reject(reason);
    hand.task = undefined;
    if (!isClosed) feed();
  }

  function feed(): void {
    while (queue.length > 0) {
      const idle = [...hands].find((hand) => hand.task === undefined);
      const hand = idle ?? (hands.size < options.size ? start() : undefined);
      const task = hand === undefined ? undefined : queue.shift();
      if (hand === undefined || task === undefined) return;
      clearTimeout(hand.timer);
      hand.task = task;
      hand.worker.ref();
      if (hand.isReady) post(hand, task);
      else
        hand.timer = setTimeout(
          () => lose(hand, new EngineError('INTERNAL', 'the worker thread did not start')),
          START_MS,
        );
    }
  }

  function post(hand: Hand, task: Task): void {
    const limitMs = task.options.timeoutMs ?? options.timeoutMs;
    const late = () =>
      lose(hand, new EngineError(options.tooCostly, `took longer than ${limitMs / 1000} s and was stopped`));
    hand.timer = setTimeout(late, limitMs);
    const request: Request = { id: ++lastId, job: task.job };
    try {
      hand.worker.postMessage(request, task.options.transfer ?? []);
    } catch (cause) {
      task.reject(cause);
      rest(hand);
    }
  }

  function onReply(hand: Hand, reply: Reply): void {
    const { task } = hand;
    if ('ready' in reply) {
      hand.isReady = true;
      clearTimeout(hand.timer);
      if (task !== undefined) post(hand, task);
      return;
    }
    if (task === undefined) return;
    if ('error' in reply) task.reject(revive(reply));
    else task.resolve(reply.value as never);
    rest(hand);
  }

  function rest(hand: Hand): void {
    clearTimeout(hand.timer);
    hand.task = undefined;
    hand.worker.unref();
    hand.timer = setTimeout(() => lose(hand, died()), options.idleMs ?? 30_000).unref();
    feed();
  }

  return {
    run(job, runOptions = {}) {
      const { signal } = runOptions;
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      if (isClosed) return Promise.reject(new EngineError('INTERNAL', 'the workers are closed'));
      return new Promise<Result>((resolve, reject) => {
        const onAbort = () => {
          const place = queue.indexOf(task);
          if (place >= 0) queue.splice(place, 1);
          reject(signal?.reason);
        };
        const done = () => signal?.removeEventListener('abort', onAbort);
        const task: Task = {
          job,
          options: runOptions,
          resolve: (value) => (done(), resolve(value)),
          reject: (reason) => (done(), reject(reason)),
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.push(task);
        feed();
      });
    },
    async close() {
      isClosed = true;
      const closed = new EngineError('INTERNAL', 'the workers are closed');
      for (const task of queue.splice(0)) task.reject(closed);
      const all = [...hands];
      for (const hand of all) lose(hand, closed);
      await Promise.all(all.map((hand) => hand.worker.terminate()));
    },
  };
}

function revive({ error, retryable, known }: Extract<Reply, { error: unknown }>): EngineError {
  return known
    ? new EngineError(error.code as ErrorCode, error.message, { hint: error.hint, retryable })
    : new EngineError('INTERNAL', error.message, { expose: false });
}

/**
 * The worker's side: answers each job with what `work` returns, or with what it throws. `transfer` picks the buffers of
 * a result that are handed over instead of copied. Does nothing where `port` is null, which is the main thread.
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
