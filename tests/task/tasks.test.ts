import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import type { ModelRequest } from '../../engine/src/model/model.ts';
import { ModelError } from '../../engine/src/model/model-error.ts';
import { listNotifications } from '../../engine/src/notification/notification-rows.ts';
import { retryRun } from '../../engine/src/run/lifecycle/retry.ts';
import { readSession } from '../../engine/src/run/session/session.ts';
import { withApply } from '../../engine/src/store/with-apply.ts';
import { readTaskRow, type Task, viewTask } from '../../engine/src/task/task.ts';
import { DueTasks } from '../../engine/src/intake/due/tasks.ts';
import { call, type Play, playModels, setStage, type Stage } from '../run/harness.ts';
import { PATIENCE_MS } from '../next-try.ts';

/** 2026-11-23T12:00:00Z, a Monday. */
const NOW = Date.UTC(2026, 10, 23, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const FILES = {
  'settings.yaml': 'calendar: { timeZone: Europe/Berlin }\nruns: { concurrency: 1, retainDays: 30 }\n',
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace, notification]\npermissions: { allow: ["*"] }\nprompt: [{ role: user, content: "{{message}}" }]\n',
  'agents/helper.yaml': 'id: helper\nname: Helper\napiConfigId: main\n',
};

let stage: Stage;
let clock: SimulatedClock;
let play: Play;
const done: Play = () => ({ content: 'Done.' });

beforeAll(async () => {
  clock = new SimulatedClock(NOW);
  stage = await setStage({ clock, files: FILES, models: playModels((request) => play(request)) });
  stage.app.notices.start();
});
afterAll(() => stage.close());
beforeEach(() => void (play = done));

const add = (task: Partial<Parameters<typeof stage.app.tasks.add>[0]> = {}) =>
  stage.app.tasks.add({ title: 'Tidy up', assignedTo: 'boss', ...task }, 'jane');
const view = async (id: string) => viewTask(stage.app.deps, await readTaskRow(stage.app.deps.store, id));

/** The task, once `state` holds for it. */
async function until(id: string, state: (task: Task) => boolean): Promise<Task> {
  for (const began = Date.now(); ;) {
    const task = await view(id);
    if (state(task)) return task;
    if (Date.now() - began > PATIENCE_MS) throw new Error(`still ${JSON.stringify(task)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const ended = (id: string) => until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
/** Title and text of the notifications. */
const news = async () =>
  (await listNotifications(stage.app.deps.store, { limit: 100 })).map(({ title, text }) => [title, text]);
const isRunning = ({ status }: Task) => status === 'running';

/** A model that answers once it is released; aborted when its run is cancelled. */
function held(): { readonly play: Play; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waits: Play = ({ signal }) =>
    new Promise((answer, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      void promise.then(() => answer({ content: 'Done.' }));
    });
  return { play: waits, release: resolve };
}

describe('a task', () => {
  test('of a director starts a run on its title, instructions and files, for the person who added it', async () => {
    let seen: ModelRequest | undefined;
    play = (request) => {
      seen = request;
      return { content: 'All tidy.' };
    };
    const { id } = await add({ instructions: 'Sort the notes.', files: ['lab:/a.md', 'b.md'], priority: 'high' });
    const task = await ended(id);
    expect(task).toMatchObject({
      ...{ status: 'completed', assignedTo: 'boss', assignee: 'director', priority: 'high', createdBy: 'jane' },
      ...{ title: 'Tidy up', instructions: 'Sort the notes.', files: ['lab:/a.md', 'b.md'], summary: 'All tidy.' },
      ...{ createdAt: '2026-11-23T12:00:00.000Z', startedAt: expect.any(String), endedAt: expect.any(String) },
    });
    expect(seen?.messages.at(-1)?.content).toBe('Task: Tidy up\n\nSort the notes.\n\nFiles:\n- lab:/a.md\n- b.md');
    expect(await stage.run(task.runId ?? '')).toMatchObject({
      startedBy: 'jane',
      trigger: { kind: 'task', taskId: id, dueAt: '2026-11-23T12:00:00.000Z' },
    });
  });

  test('of an agent opens a session, which names the task', async () => {
    const { id } = await add({ assignedTo: 'helper' });
    const { runId = '', sessionId = '', status } = await ended(id);
    expect(status).toBe('completed');
    expect((await readSession(stage.app.deps.store, sessionId)).opened).toMatchObject({ taskId: id, runs: [runId] });
  });

  test('of an agent is announced when it ends, since nobody waits for its answer', async () => {
    play = () => {
      throw new ModelError('MODEL_AUTH', 'no');
    };
    await ended((await add({ title: 'Call home', assignedTo: 'helper' })).id);
    expect(await news()).toContainEqual(['Helper: run failed', expect.stringContaining('Task: Call home')]);
  });

  test('keeps no secret that its text has', async () => {
    stage.app.deps.redactor.add('hunter2-and-more');
    const { id } = await add({ title: 'Use hunter2-and-more', instructions: 'The key is hunter2-and-more.' });
    expect(JSON.stringify(await ended(id))).not.toContain('hunter2');
    expect(JSON.stringify(await stage.app.deps.store.list('task'))).not.toContain('hunter2');
  });

  test('starts when it is due, and not before', async () => {
    const { id, dueAt } = await add({ dueAt: '2026-11-23T15:00' });
    expect(dueAt).toBe('2026-11-23T14:00:00.000Z');
    clock.advance(2 * HOUR - 1000);
    // A task that is due at once has gone by.
    await ended((await add()).id);
    expect(await view(id)).toMatchObject({ status: 'pending' });
    clock.advance(1000);
    expect(await ended(id)).toMatchObject({ status: 'completed', startedAt: '2026-11-23T14:00:00.000Z' });
  });

  test('goes before others that are due by its priority, and then by its time', async () => {
    const { play: hold, release } = held();
    const order: string[] = [];
    play = (request) => {
      order.push(String(request.messages.at(-1)?.content).slice('Task: '.length));
      return order.length === 1 ? hold(request) : { content: 'Done.' };
    };
    const first = await add({ title: 'first' });
    await until(first.id, isRunning);
    const rest = [
      await add({ title: 'queued' }),
      await add({ title: 'low', priority: 'low' }),
      await add({ title: 'normal' }),
      await add({ title: 'urgent', priority: 'urgent' }),
      await add({ title: 'high', priority: 'high' }),
      await add({ title: 'older', dueAt: '2026-11-01T08:00' }),
    ];
    await until(rest[0]?.id ?? '', isRunning);
    release();
    for (const { id } of rest) await ended(id);
    expect(order).toEqual(['first', 'queued', 'urgent', 'high', 'older', 'normal', 'low']);
  });

  test.each([
    { name: 'an empty title', task: { title: ' ' }, code: 'BAD_REQUEST', says: /title/ },
    { name: 'an unknown assignee', task: { assignedTo: 'bos' }, code: 'NOT_FOUND', says: /did you mean "boss"/ },
    { name: 'a time that is none', task: { dueAt: 'tomorrow' }, code: 'BAD_REQUEST', says: /dueAt: "tomorrow"/ },
    { name: 'a far time', task: { dueAt: '2126-01-01' }, code: 'BAD_REQUEST', says: /10 years/ },
    { name: 'a file without a path', task: { files: [''] }, code: 'BAD_REQUEST', says: /files/ },
  ])('with $name is refused', async ({ task, code, says }) => {
    await expect(add(task)).rejects.toMatchObject({ code, message: expect.stringMatching(says) as string });
  });

  test('whose assignee is gone when it is due fails, and others start', async () => {
    const { id } = await add({ title: 'Travel', assignedTo: 'helper', dueAt: '2026-11-24T08:00' });
    const other = await add({ dueAt: '2026-11-24T08:00' });
    const { deps } = stage.app;
    const config = { ...deps.config.current(), agents: new Map() };
    await stage.app.notices.stop();
    const loop = new DueTasks({ ...deps, config: { ...deps.config, current: () => config } }, () =>
      stage.app.engine.queued(),
    );
    clock.advance(DAY);
    loop.start();
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: { code: 'NOT_FOUND' },
      endedAt: expect.any(String),
    });
    expect(await ended(other.id)).toMatchObject({ status: 'completed' });
    expect(await news()).toContainEqual(['Task not started: Travel', expect.stringMatching(/^NOT_FOUND: /)]);
    await loop.stop();
    stage.app.notices.start();
  });
});

describe('cancelling a task', () => {
  test('that is pending keeps it from starting', async () => {
    const { id } = await add({ dueAt: '2026-12-24T08:00' });
    expect(await stage.app.tasks.cancel(id)).toMatchObject({ status: 'cancelled', endedAt: expect.any(String) });
    await expect(stage.app.tasks.cancel(id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('that runs cancels its run, and it can be tried again', async () => {
    play = held().play;
    const { id } = await add();
    const { runId = '' } = await until(id, isRunning);
    expect(await stage.app.tasks.cancel(id)).toMatchObject({ status: 'cancelled' });
    expect(await stage.run(runId)).toMatchObject({ status: 'cancelled' });
    play = done;
    expect(await stage.app.tasks.retry(id)).toMatchObject({ status: 'pending' });
    const again = await ended(id);
    expect(again).toMatchObject({ status: 'completed' });
    expect(await stage.run(again.runId ?? '')).toMatchObject({ retryOf: runId });
  });
});

describe('a failed task that is tried again', () => {
  test('repeats its run: what that run has written already asks a person', async () => {
    play = ({ turn }) => {
      if (turn > 1) throw new ModelError('MODEL_AUTH', 'no');
      return { tool_calls: [call('a', 'notify', { title: 'Hello' })] };
    };
    const { id } = await add();
    const first = await ended(id);
    expect(first).toMatchObject({ status: 'failed', error: { code: 'MODEL_AUTH' } });
    await stage.app.tasks.retry(id);
    await until(id, ({ runId }) => runId !== undefined && runId !== first.runId);
    const { runId = '' } = await until(id, ({ waitingFor }) => waitingFor === 'approval');
    expect(await stage.run(runId)).toMatchObject({
      doneBefore: ['notify'],
      startedBy: 'jane',
      trigger: { taskId: id },
    });
    await stage.app.tasks.cancel(id);
  });

  test('repeats its run also where its assignee was gone in between', async () => {
    play = ({ turn }) => {
      if (turn > 1) throw new ModelError('MODEL_AUTH', 'no');
      return { tool_calls: [call('a', 'notify', { title: 'Hello' })] };
    };
    const { id } = await add();
    const first = await ended(id);
    const { deps } = stage.app;
    await stage.app.notices.stop();
    await stage.app.tasks.retry(id);
    const config = { ...deps.config.current(), directors: new Map() };
    const loop = new DueTasks({ ...deps, config: { ...deps.config, current: () => config } }, () => {});
    loop.start();
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND' } });
    await loop.stop();
    stage.app.notices.start();
    await stage.app.tasks.retry(id);
    const { runId = '' } = await until(id, ({ waitingFor }) => waitingFor === 'approval');
    expect(await stage.run(runId)).toMatchObject({ doneBefore: ['notify'], retryOf: first.runId });
    await stage.app.tasks.cancel(id);
  });

  test('takes the run that a retry of its run has begun meanwhile, and holds up no others', async () => {
    play = () => {
      throw new ModelError('MODEL_AUTH', 'no');
    };
    const { id } = await add();
    const { runId = '' } = await ended(id);
    play = done;
    await stage.app.notices.stop();
    await stage.app.tasks.retry(id);
    const { run } = await retryRun(stage.app.deps, runId, 'jane');
    const other = await add({ title: 'Other' });
    stage.app.notices.start();
    stage.app.engine.queued();
    expect(await ended(other.id)).toMatchObject({ status: 'completed' });
    expect(await ended(id)).toMatchObject({ status: 'completed', runId: run.id });
  });

  test('goes on in the session of its agent', async () => {
    play = () => {
      throw new ModelError('MODEL_AUTH', 'no');
    };
    const { id } = await add({ assignedTo: 'helper' });
    const first = await ended(id);
    play = done;
    await stage.app.tasks.retry(id);
    const second = await until(id, ({ status }) => status === 'completed');
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.runId).not.toBe(first.runId);
    expect(second).not.toHaveProperty('error');
  });

  test('is not started a second time by a retry of its run', async () => {
    play = () => {
      throw new ModelError('MODEL_AUTH', 'no');
    };
    const { id } = await add();
    const { runId = '' } = await ended(id);
    play = done;
    const { run } = await retryRun(stage.app.deps, runId, 'jane');
    expect(await view(id)).toMatchObject({ status: 'running', runId: run.id });
    stage.app.engine.queued();
    expect(await ended(id)).toMatchObject({ status: 'completed', runId: run.id });
    await expect(stage.app.tasks.retry(id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('the store', () => {
  test('has a started task with its run, or neither', async () => {
    const { deps } = stage.app;
    await stage.app.notices.stop();
    const { id } = await add();
    const broken = withApply(deps.store, async () => {
      throw new Error('the power is gone');
    });
    const loop = new DueTasks({ ...deps, store: broken }, () => {});
    const runs = await deps.store.count('run');
    loop.start();
    await loop.stop();
    expect(await view(id)).toMatchObject({ status: 'pending' });
    expect(await deps.store.count('run')).toBe(runs);
    stage.app.notices.start();
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    expect(await deps.store.count('run')).toBe(runs + 1);
  });

  test('loses old tasks with their runs, and those that never had one', async () => {
    const before = await stage.app.deps.store.count('task');
    expect(before).toBeGreaterThan(0);
    const { id } = await add({ dueAt: '2027-10-01T08:00' });
    clock.advance(60 * DAY);
    await stage.app.retention.sweep();
    expect((await stage.app.deps.store.list('task')).map((row) => row.id)).toEqual([id]);
    expect(await view(id)).toMatchObject({ status: 'pending' });
  });
});
