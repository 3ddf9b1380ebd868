import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { readLease } from '../../../engine/src/run/lease.ts';
import { readMessages } from '../../../engine/src/run/thread.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { call, type Play, playModels, transcriptFaults } from '../harness.ts';
import { setSharedStage, type SharedOptions, type SharedStage } from '../shared-harness.ts';

let stage: SharedStage;
afterEach(() => stage.close());

/** A tool that acts on the world, and waits where the test says so. */
function worldTool(repeat: WorldTool['repeat'], run: WorldTool['run'], more: Partial<WorldTool> = {}): WorldTool {
  const parameters = { type: 'object', properties: {}, additionalProperties: true };
  const head = { name: 'poke', family: 'poke', description: 'Pokes.', parameters, effects: 'write' as const };
  return { ...head, repeat, run, ...more };
}

const POKING = {
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [poke]\npermissions: { allow: [poke] }\n',
};
const ASKING = {
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [poke]\npermissions: { ask: [poke] }\n',
};

const pokes: Play = ({ turn }: ModelRequest) =>
  turn === 1 ? { tool_calls: [call('c1', 'poke', {})] } : { content: 'done' };

async function whole(runId: string): Promise<void> {
  const run = await stage.ended(runId);
  expect(transcriptFaults(await readMessages(stage.store, run.dirThreadId))).toEqual([]);
}

describe('several processes on one store', () => {
  test('share runs: each is worked by one of them, from its first step to its last', async () => {
    const seen = [0, 0, 0];
    const models = (n: number) =>
      playModels(async ({ turn }) => {
        seen[n]!++;
        await new Promise((resolve) => setImmediate(resolve));
        return turn < 3 ? { tool_calls: [call(`c${turn}`, 'list_tools', {})] } : { content: 'done' };
      });
    stage = await setSharedStage(3, {
      each: (n) => ({ models: models(n) }),
      files: { 'settings.yaml': 'runs: { concurrency: 2 }\n' },
    });
    const ids = await Promise.all(Array.from({ length: 24 }, () => stage.begin()));
    for (const id of ids) await whole(id);
    expect(seen.reduce((sum, n) => sum + n)).toBe(24 * 3);
    expect(seen.every((n) => n > 0)).toBe(true);
    // With so many at once a thread makes the commits: the end of a run can be read a moment before its worker knows of it.
    await expect.poll(() => stage.queue.jobs).toEqual([]);
    expect(await stage.store.count('lease')).toBe(0);
  });

  test('let a person answer in one of them what runs on in another', async () => {
    const done: string[] = [];
    const tools = [worldTool('once', async (_args, { key }) => void done.push(key))];
    stage = await setSharedStage(2, {
      idle: [0],
      files: ASKING,
      each: () => ({ models: playModels(pokes), tools }),
    });
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'waiting');
    expect(await readLease(stage.store, id)).toMatchObject({ worker: '' });
    const [approval] = await stage.store.list('approval');
    await stage.apps[0]!.engine.decide(approval!.id, { decision: 'allow', by: 'jane' });
    await whole(id);
    expect(done).toHaveLength(1);
  });

  test('take one answer of two that come to two of them at once', async () => {
    const done: string[] = [];
    const tools = [worldTool('once', async (_args, { key }) => void done.push(key))];
    stage = await setSharedStage(2, { files: ASKING, each: () => ({ models: playModels(pokes), tools }) });
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'waiting');
    const [approval] = await stage.store.list('approval');
    const answers = await Promise.allSettled(
      stage.apps.map(({ engine }, n) =>
        engine.decide(approval!.id, { decision: n === 0 ? 'allow' : 'deny', by: `person ${n}` }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'APPROVAL_DECIDED' } });
    await whole(id);
    expect(done).toHaveLength(answers[0]?.status === 'fulfilled' ? 1 : 0);
  });

  test('let one of them cancel what another works on: it stops at once', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<AbortSignal>();
    const tools = [
      worldTool('key', async (_args, { signal }) => {
        resolve(signal ?? new AbortController().signal);
        await new Promise(() => {});
      }),
    ];
    stage = await setSharedStage(2, { idle: [0], files: POKING, each: () => ({ models: playModels(pokes), tools }) });
    const id = await stage.begin();
    const signal = await begun;
    await stage.apps[0]!.engine.cancel(id);
    expect((await stage.ended(id)).status).toBe('cancelled');
    await expect.poll(() => signal.aborted).toBe(true);
    await expect.poll(() => stage.apps[1]!.engine.load().working).toBe(0);
    await whole(id);
  });

  test('take over from one that has died, and ask the model again', async () => {
    const { promise: stuck, resolve } = Promise.withResolvers<void>();
    const models = (n: number) =>
      playModels(async () => {
        if (n === 1) return { content: 'done by the other' };
        resolve();
        return new Promise(() => {});
      });
    stage = await setSharedStage(2, { idle: [1], each: (n) => ({ models: models(n) }) });
    const id = await stage.begin();
    await stuck;
    stage.queue.freeze('w0');
    await stage.apps[1]!.engine.start();
    stage.queue.giveAway('w0');
    expect((await stage.ended(id)).summary).toBe('done by the other');
  });

  test('never let one that was frozen commit or act after another has gone on', async () => {
    const done: string[] = [];
    const answers = Promise.withResolvers<void>();
    let asked = 0;
    const models = (n: number) =>
      playModels(async (request) => {
        asked++;
        if (n === 0 && request.turn === 1) await answers.promise;
        return pokes(request);
      });
    const tools = (n: number) => [
      worldTool('lookup', async (_args, { key }) => void done.push(`w${n} ${key}`), {
        reconcile: async () => undefined,
      }),
    ];
    stage = await setSharedStage(2, {
      idle: [1],
      files: POKING,
      each: (n) => ({ models: models(n), tools: tools(n) }),
    });
    const id = await stage.begin();
    await expect.poll(() => asked).toBe(1);
    stage.queue.freeze('w0');
    await stage.apps[1]!.engine.start();
    stage.queue.giveAway('w0');
    await whole(id);
    // It wakes up: its answer comes too late, and what would follow from it is not done.
    answers.resolve();
    await expect.poll(() => stage.apps[0]!.engine.load().effects).toBe(0);
    stage.queue.tell('w0');
    expect(done).toEqual([`w1 ${id}/1/c1`]);
    await whole(id);
  });

  test('a frozen one that wakes before its effect does not perform it', async () => {
    const done: string[] = [];
    const looked = Promise.withResolvers<void>();
    const inLookUp = Promise.withResolvers<void>();
    const tools = (n: number) => [
      worldTool('lookup', async () => void done.push(`w${n}`), {
        reconcile: async () => {
          if (n === 0) {
            inLookUp.resolve();
            await looked.promise;
          }
          return undefined;
        },
      }),
    ];
    let isFirst = true;
    const models = playModels(async (request) => {
      if (request.turn === 1 && isFirst) {
        isFirst = false;
        stage.queue.freeze('w0');
        stage.queue.giveAway('w0');
      }
      return pokes(request);
    });
    stage = await setSharedStage(3, { idle: [0, 1], files: POKING, each: (n) => ({ models, tools: tools(n) }) });
    const id = await stage.begin();
    await whole(id);
    looked.resolve();
    expect(done).toEqual(['w2']);
  });

  test('wait for a limit without holding the run, and go on when it opens', async () => {
    const clock = new SimulatedClock();
    let isLimited = true;
    const models = playModels(async () => {
      if (!isLimited) return { content: 'done' };
      isLimited = false;
      const { ModelError } = await import('../../../engine/src/model/model-error.ts');
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 60_000 });
    });
    stage = await setSharedStage(2, { clock, each: () => ({ models }) });
    const id = await stage.begin();
    await stage.until(id, ({ waitingFor }) => waitingFor === 'limit');
    await expect.poll(() => stage.apps.map((app) => app.engine.load().working)).toEqual([0, 0]);
    expect(await readLease(stage.store, id)).toMatchObject({ worker: '' });
    clock.advance(61_000);
    expect((await stage.ended(id)).status).toBe('completed');
  });

  test('ring the time limit of a run in hand', async () => {
    const clock = new SimulatedClock();
    const models = playModels(() => new Promise(() => {}));
    const files = { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nbudget: { maxMinutes: 5 }\n' };
    stage = await setSharedStage(2, { clock, files, each: () => ({ models }) });
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'running');
    await expect.poll(() => stage.apps.reduce((sum, app) => sum + app.engine.load().effects, 0)).toBe(1);
    clock.advance(5 * 60_000);
    expect((await stage.ended(id)).error?.code).toBe('LIMIT_TIME');
  });

  test('do not count the time in which no process had the run', async () => {
    const clock = new SimulatedClock();
    const begun = Promise.withResolvers<void>();
    const models = (n: number) =>
      playModels(async () => {
        if (n === 1) return { content: 'done' };
        begun.resolve();
        return new Promise(() => {});
      });
    const files = { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nbudget: { maxMinutes: 5 }\n' };
    stage = await setSharedStage(2, { clock, idle: [1], files, each: (n) => ({ models: models(n) }) });
    const id = await stage.begin();
    await begun.promise;
    stage.queue.freeze('w0');
    clock.advance(3 * 24 * 3_600_000);
    await stage.apps[1]!.engine.start();
    stage.queue.giveAway('w0');
    expect((await stage.ended(id)).status).toBe('completed');
  });

  test('hand over at once what one gives back as it stops', async () => {
    const begun = Promise.withResolvers<void>();
    const models = (n: number) =>
      playModels(async () => {
        if (n === 1) return { content: 'done' };
        begun.resolve();
        return new Promise(() => {});
      });
    stage = await setSharedStage(2, { idle: [1], each: (n) => ({ models: models(n) }) });
    const id = await stage.begin();
    await begun.promise;
    await stage.apps[0]!.engine.stop();
    await stage.apps[1]!.engine.start();
    expect((await stage.ended(id)).status).toBe('completed');
  });

  test('leave a run alone that another version has written', async () => {
    stage = await setSharedStage(2, {
      idle: [0, 1],
      each: () => ({ models: playModels(() => ({ content: 'done' })) }),
    });
    const id = await stage.begin();
    const machine = await stage.store.get('machine', { id });
    await stage.store.apply([{ op: 'update', table: 'machine', key: { id }, set: { version: '99' } }]);
    await stage.apps[0]!.engine.start();
    await expect.poll(() => stage.queue.jobs[0]?.tries).toBeGreaterThan(1);
    expect(await stage.store.get('run', { id })).toMatchObject({ status: 'queued' });
    await stage.store.apply([{ op: 'update', table: 'machine', key: { id }, set: { version: machine!.version } }]);
    expect((await stage.ended(id)).status).toBe('completed');
  });

  test('take a run from a process that is dead although its job is gone', async () => {
    stage = await setSharedStage(1, {
      idle: [0],
      each: () => ({ models: playModels(() => ({ content: 'done' })) }),
      livenessOf: async () => 'dead',
    });
    const id = await stage.begin();
    await stage.store.apply([
      { op: 'insert', table: 'lease', row: { run: id, worker: 'gone', job: 'old', rev: 7, at: 1 } },
    ]);
    await stage.apps[0]!.engine.start();
    expect((await stage.ended(id)).status).toBe('completed');
  });

  test('keep a run in hand while any part of it works, also when another one has stepped it unheard', async () => {
    const files = {
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\nagents: [helper, other]\ntools: [poke]\npermissions: { ask: [poke] }\n',
      'agents/other.yaml': 'id: other\nname: Other\ndescription: Helps too.\n',
    };
    const [fails, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asked = { boss: 0, helper: 0, other: 0 };
    const models = playModels(async ({ actorId, turn }) => {
      asked[actorId as keyof typeof asked]++;
      if (actorId === 'boss' && turn === 1)
        return {
          tool_calls: [
            call('c1', 'agent__helper', { input: 'help' }),
            call('c2', 'agent__other', { input: 'help' }),
            call('c3', 'poke', {}),
          ],
        };
      if (actorId === 'helper' && asked.helper === 1) {
        await fails.promise;
        const { ModelError } = await import('../../../engine/src/model/model-error.ts');
        throw new ModelError('MODEL_UNAVAILABLE', 'busy', { retryable: true, retryAfterMs: 100 });
      }
      if (actorId === 'other') await answers.promise;
      return { content: 'done' };
    });
    const tools = [worldTool('once', async () => 1)];
    stage = await setSharedStage(2, { idle: [0], deaf: [1], files, each: () => ({ models, tools }) });
    const id = await stage.begin();
    await expect.poll(() => asked).toEqual({ boss: 1, helper: 1, other: 1 });
    const [approval] = await stage.store.list('approval');
    await stage.apps[0]!.engine.decide(approval!.id, { decision: 'deny', by: 'jane' });
    fails.resolve();
    const failure = async () => (await stage.store.list('event')).some(({ body }) => body.includes('"kind":"error"'));
    await expect.poll(failure).toBe(true);
    expect(await readLease(stage.store, id)).toMatchObject({ worker: 'w1' });
    answers.resolve();
    await whole(id);
    expect(asked).toEqual({ boss: 2, helper: 2, other: 1 });
  });

  test('ring a timer that falls due just while the run is looked at', async () => {
    const clock = new SimulatedClock();
    let isLimited = true;
    const models = playModels(async () => {
      if (!isLimited) return { content: 'done' };
      isLimited = false;
      const { ModelError } = await import('../../../engine/src/model/model-error.ts');
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 60_000 });
    });
    const [reached, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isHeldUp = false;
    const storeOf = (store: Store): Store =>
      withApply(store, async (changes) => {
        // A look that finds nothing to do changes nothing.
        if (isHeldUp && changes.length === 0) {
          reached.resolve();
          await goesOn.promise;
        }
        await store.apply(changes);
      });
    stage = await setSharedStage(1, { clock, each: () => ({ models }), storeOf });
    const id = await stage.begin();
    await stage.until(id, ({ waitingFor }) => waitingFor === 'limit');
    await expect.poll(() => stage.apps[0]!.engine.load().working).toBe(0);
    isHeldUp = true;
    await stage.store.apply([{ op: 'wake', run: id, at: 0, priority: 0 }]);
    await reached.promise;
    isHeldUp = false;
    clock.advance(61_000);
    await expect.poll(() => stage.queue.jobs.filter(({ tries }) => tries > 0).length).toBe(2);
    goesOn.resolve();
    expect((await stage.ended(id)).status).toBe('completed');
  });

  test('leave no lease of a run that was ended after its process had died', async () => {
    const begun = Promise.withResolvers<void>();
    const models = playModels(() => {
      begun.resolve();
      return new Promise(() => {});
    });
    stage = await setSharedStage(2, { idle: [1], each: () => ({ models }) });
    const id = await stage.begin();
    await begun.promise;
    stage.queue.freeze('w0');
    await stage.apps[1]!.engine.cancel(id);
    await stage.apps[1]!.engine.start();
    stage.queue.giveAway('w0');
    await expect.poll(() => stage.queue.jobs).toEqual([]);
    expect(await stage.store.list('lease')).toEqual([]);
  });

  test('ring a timer whose look has come, although their own clock is behind that of whoever set it', async () => {
    const clock = new SimulatedClock();
    let isLimited = true;
    const models = playModels(async () => {
      if (!isLimited) return { content: 'done' };
      isLimited = false;
      const { ModelError } = await import('../../../engine/src/model/model-error.ts');
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 60_000 });
    });
    const behind = {
      now: () => clock.now() - 10_000,
      steady: () => clock.steady(),
      delay: (fn: () => void, ms: number) => clock.delay(fn, ms),
    };
    stage = await setSharedStage(2, {
      clock,
      idle: [1],
      each: (n) => ({ models, ...(n === 1 && { clock: behind }) }),
    });
    const id = await stage.begin();
    await stage.until(id, ({ waitingFor }) => waitingFor === 'limit');
    stage.queue.freeze('w0');
    await stage.apps[1]!.engine.start();
    clock.advance(61_000);
    expect((await stage.ended(id)).status).toBe('completed');
  });

  test('ring a timer whose look comes just as the run is let go', async () => {
    const clock = new SimulatedClock();
    let isLimited = true;
    const models = playModels(async () => {
      if (!isLimited) return { content: 'done' };
      isLimited = false;
      const { ModelError } = await import('../../../engine/src/model/model-error.ts');
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 60_000 });
    });
    const [committed, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const storeOf = (store: Store): Store =>
      withApply(store, async (changes) => {
        await store.apply(changes);
        // The server has the commit, and with it the look for later; this process does not know yet.
        if (!changes.some((change) => change.op === 'wake' && change.at > 0)) return;
        committed.resolve();
        await goesOn.promise;
      });
    stage = await setSharedStage(1, { clock, each: () => ({ models }), storeOf });
    const id = await stage.begin();
    await committed.promise;
    clock.advance(61_000);
    await expect.poll(() => stage.queue.jobs.filter(({ tries }) => tries > 0).length).toBe(2);
    goesOn.resolve();
    expect((await stage.ended(id)).status).toBe('completed');
  });

  test('give the job of a run back that they let go because they were silent for too long', async () => {
    let asked = 0;
    const models = playModels(() => (asked++ === 0 ? new Promise(() => {}) : { content: 'done' }));
    stage = await setSharedStage(1, { each: () => ({ models }) });
    const id = await stage.begin();
    await expect.poll(() => asked).toBe(1);
    stage.queue.silence('w0');
    await stage.store.apply([{ op: 'wake', run: id, at: 0, priority: 0 }]);
    expect((await stage.ended(id)).status).toBe('completed');
  });

  /** A run whose model answers after `mute`: the call that it asks for is made after `hear`, and not before. */
  async function beginNothing(
    { isAlive }: Pick<SharedOptions, 'isAlive'>,
    { mute, hear }: { readonly mute: () => void; readonly hear: () => void },
  ): Promise<void> {
    const asked: number[] = [];
    const answers = Promise.withResolvers<void>();
    const models = playModels(async (request) => {
      asked.push(request.turn);
      if (asked.length === 1) await answers.promise;
      return pokes(request);
    });
    const done: string[] = [];
    const tools = [worldTool('once', async (_args, { key }) => void done.push(key))];
    stage = await setSharedStage(1, { files: POKING, each: () => ({ models, tools }), ...(isAlive && { isAlive }) });
    const id = await stage.begin();
    await expect.poll(() => asked).toEqual([1]);
    mute();
    answers.resolve();
    // The answer is on disk, and the call that it asks for may not be made now.
    await expect.poll(() => stage.store.count('ledger')).toBe(1);
    await expect.poll(() => stage.apps[0]!.engine.load().effects).toBe(0);
    expect(done).toEqual([]);
    hear();
    await whole(id);
    expect(done).toEqual([`${id}/1/c1`]);
  }

  test('go on with a run whose job they could not confirm for a while', async () => {
    await beginNothing({}, { mute: () => stage.queue.silence('w0'), hear: () => stage.queue.hear('w0') });
  });

  test('let go a run that another one has taken from them, and keep no slot for it', async () => {
    const answers = Promise.withResolvers<void>();
    let asked = 0;
    const models = (n: number) =>
      playModels(async () => {
        if (n === 1) return { content: 'done by the other' };
        asked++;
        await answers.promise;
        return { content: 'too late' };
      });
    stage = await setSharedStage(2, {
      idle: [1],
      files: { 'settings.yaml': 'runs: { concurrency: 1 }\n' },
      each: (n) => ({ models: models(n) }),
      livenessOf: async () => 'dead',
    });
    const id = await stage.begin();
    await expect.poll(() => asked).toBe(1);
    await stage.apps[1]!.engine.start();
    await stage.store.apply([{ op: 'wake', run: id, at: 0, priority: 0 }]);
    expect((await stage.ended(id)).summary).toBe('done by the other');
    answers.resolve();
    await expect.poll(() => stage.apps.map(({ engine }) => engine.load().working)).toEqual([0, 0]);
    await expect.poll(() => stage.queue.jobs).toEqual([]);
    expect(await stage.store.list('lease')).toEqual([]);
    await whole(id);
  });

  test('begin nothing while others may take them for dead, and go on after that', async () => {
    let isAlive = true;
    const mute = () => void (isAlive = false);
    const hear = () => {
      isAlive = true;
      stage.apps[0]!.engine.lookAgain();
    };
    await beginNothing({ isAlive: () => isAlive }, { mute, hear });
  });
});
