import { enableCompileCache, getCompileCacheDir } from 'node:module';
import type { HeapInfo } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { createPool, type Pool } from '../../engine/src/base/worker-pool.ts';
import type { OddJob } from './odd-worker.ts';

let pool: Pool<OddJob, unknown> | undefined;

function start(
  options: { size?: number; timeoutMs?: number; maxHeapMb?: number; maxBufferMb?: number } = {},
): Pool<OddJob, unknown> {
  pool = createPool<OddJob, unknown>({
    entry: new URL('./odd-worker.ts', import.meta.url),
    size: 1,
    timeoutMs: 10_000,
    maxHeapMb: 64,
    tooCostly: 'MAIL_TOO_COSTLY',
    ...options,
  });
  return pool;
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  return pool?.close();
});

test('jobs are answered each with its own result, more of them than workers', async () => {
  const { run } = start({ size: 2 });
  const values = await Promise.all([1, 2, 3, 4, 5].map((value) => run({ do: 'echo', value })));
  expect(values).toEqual([1, 2, 3, 4, 5]);
});

test('an error of the job is the rejection, and the worker goes on', async () => {
  const { run } = start();
  await expect(run({ do: 'throw' })).rejects.toMatchObject({ code: 'INTERNAL', message: 'broken' });
  await expect(run({ do: 'recurse' })).rejects.toMatchObject({ code: 'INTERNAL' });
  await expect(run({ do: 'echo', value: 'still here' })).resolves.toBe('still here');
});

test('a thread keeps little memory for new objects, however many its jobs make', async () => {
  // V8 goes above its limit for a moment while it collects; without a limit it takes 64 MB here.
  await expect(start().run({ do: 'churn' })).resolves.toBeLessThan(32 * 1024 * 1024);
});

test('an EngineError keeps its code, its hint and whether it may be retried', async () => {
  await expect(start().run({ do: 'reject-known' })).rejects.toMatchObject({
    code: 'MAIL_UNSETTLED',
    message: 'not yet',
    hint: 'wait',
    retryable: true,
  });
});

test.each([
  ['hangs', { do: 'hang' }, /longer than 0.3 s/],
  ['ends its thread', { do: 'exit' }, /ended before its job was done/],
  ['takes all memory', { do: 'hoard' }, /more than 64 MB/],
] as const)(
  'only the job that %s fails, with the code of the pool, and a new worker takes the next',
  async (_name, job, message) => {
    const { run } = start(job.do === 'hang' ? { timeoutMs: 300 } : {});
    await run({ do: 'echo', value: 'warm' });
    const bad = run(job);
    const good = run({ do: 'echo', value: 'next' });
    await expect(bad).rejects.toMatchObject({ code: 'MAIL_TOO_COSTLY', message: expect.stringMatching(message) });
    await expect(good).resolves.toBe('next');
  },
);

test('a job that takes more memory in buffers than the pool allows is stopped, and a new worker takes the next', async () => {
  const { run } = start({ maxBufferMb: 64 });
  await expect(run({ do: 'buffers' })).rejects.toMatchObject({
    code: 'MAIL_TOO_COSTLY',
    message: 'needed more than 64 MB of memory and was stopped',
  });
  await expect(run({ do: 'echo', value: 'next' })).resolves.toBe('next');
});

test('what was asked about the memory of a job says nothing of the next one', async () => {
  const { run } = start({ maxBufferMb: 64 });
  await run({ do: 'echo', value: 'warm' });
  const memory = Promise.withResolvers<HeapInfo>();
  const asked = vi.spyOn(Worker.prototype, 'getHeapStatistics').mockReturnValue(memory.promise);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const first = run({ do: 'churn' });
  vi.advanceTimersByTime(250);
  expect(asked).toHaveBeenCalledOnce();
  await first;
  const second = run({ do: 'hang' }, { timeoutMs: 300 });
  memory.resolve({ external_memory: 2 ** 40 } as HeapInfo);
  await expect(second).rejects.toMatchObject({ message: 'took longer than 0.3 s and was stopped' });
});

/** Short jobs that wait until the only thread has ended its first job. */
function runShort(jobs: readonly OddJob[]): Promise<PromiseSettledResult<unknown>[]> {
  const { run } = start({ timeoutMs: 3000 });
  void run({ do: 'echo', value: 'first' });
  return Promise.allSettled(jobs.map((job) => run(job, { isShort: true })));
}

test('short jobs that wait go to a thread in one message, eight at most, and others alone', async () => {
  const waiting = Array.from({ length: 10 }, () => ({ do: 'message' }) as const);
  const messages = (await runShort(waiting)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
  expect(messages).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 3, 3]);
  const alone = await Promise.all([1, 2].map(() => pool?.run({ do: 'message' })));
  expect(alone).toEqual([4, 5]);
});

test.each([
  ['throws', { do: 'throw' }, 'INTERNAL'],
  ['hangs', { do: 'hang' }, 'MAIL_TOO_COSTLY'],
  ['ends its thread', { do: 'exit' }, 'MAIL_TOO_COSTLY'],
  ['takes all memory', { do: 'hoard' }, 'MAIL_TOO_COSTLY'],
] as const)('of short jobs in one message, one that %s fails alone', async (_name, bad, code) => {
  const echo = (value: number) => ({ do: 'echo', value }) as const;
  expect(await runShort([echo(1), bad, echo(2)])).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: { code } },
    { status: 'fulfilled', value: 2 },
  ]);
});

test('buffers of several short jobs are handed over', async () => {
  const results = await runShort([1, 2].map((size) => ({ do: 'bytes', size }) as const));
  expect(results).toMatchObject([{ value: new Uint8Array(1) }, { value: new Uint8Array(2) }]);
});

test('a waiting job that is aborted never runs, and rejects with the reason of the signal', async () => {
  const { run } = start({ timeoutMs: 500 });
  const controller = new AbortController();
  const hanging = run({ do: 'hang' });
  const waiting = run({ do: 'echo', value: 1 }, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(hanging).rejects.toMatchObject({ code: 'MAIL_TOO_COSTLY' });
});

test('a running job that is aborted rejects at once, and its worker is used again when it has ended', async () => {
  const { run } = start();
  const controller = new AbortController();
  await run({ do: 'echo', value: 'warm' });
  const running = run({ do: 'bytes', size: 10_000_000 }, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await expect(run({ do: 'echo', value: 2 })).resolves.toBe(2);
});

test('a thread that does not start in time says so, and that it may be tried again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  pool = createPool<OddJob, unknown>({
    ...{ size: 1, timeoutMs: 1000, maxHeapMb: 64, tooCostly: 'MAIL_TOO_COSTLY' },
    entry: new URL('data:text/javascript,setInterval(()=>{},1000)'),
  });
  const job = expect(pool.run({ do: 'echo', value: 1 })).rejects.toMatchObject({ code: 'BUSY', retryable: true });
  await vi.advanceTimersByTimeAsync(30_000);
  await job;
});

test('a signal that is aborted already starts nothing', async () => {
  const { run } = start();
  const signal = AbortSignal.abort(new Error('before'));
  await expect(run({ do: 'echo', value: 1 }, { signal })).rejects.toThrow('before');
});

test('buffers are handed over in both directions', async () => {
  const { run } = start();
  const bytes = new Uint8Array(1000);
  await run({ do: 'echo', value: bytes }, { transfer: [bytes.buffer] });
  expect(bytes.byteLength).toBe(0);
  await expect(run({ do: 'bytes', size: 5 })).resolves.toHaveLength(5);
});

test('a job that cannot be sent fails alone', async () => {
  const { run } = start();
  await expect(run({ do: 'echo', value: () => {} })).rejects.toThrow(/could not be cloned/);
  await expect(run({ do: 'echo', value: 3 })).resolves.toBe(3);
});

test('workers take compiled code from where their process keeps it', async () => {
  enableCompileCache();
  const folder = getCompileCacheDir();
  expect(folder).toBeDefined();
  await expect(start().run({ do: 'compiled' })).resolves.toBe(folder);
});

test('workers see no environment variables', async () => {
  await expect(start().run({ do: 'env' })).resolves.toEqual([]);
});

test('closing rejects what is under way and what comes later', async () => {
  const { run, close } = start();
  const running = run({ do: 'hang' });
  const waiting = run({ do: 'echo', value: 1 });
  const outcomes = Promise.allSettled([running, waiting]);
  await close();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(run({ do: 'echo', value: 1 })).rejects.toMatchObject({ code: 'INTERNAL' });
});
