import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import type { Models } from '../../../engine/src/model/model.ts';
import { entryScope, recordOf, type Run } from '../../../engine/src/run/run.ts';
import { openSession, readSession } from '../../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../../engine/src/run/session/take-message.ts';
import { listSpend } from '../../../engine/src/budget/spend.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';
import { listEntries } from '../../../engine/src/trace/entries.ts';
import { storedEvents } from '../../../engine/src/trace/provider-events.ts';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { call, type Play, playModels, setStage, type Stage, transcriptFaults } from '../harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HELPER = 'id: helper\nname: Helper\napiConfigId: main\n';

let stage: Stage;
afterEach(() => stage.close());

type Options = Parameters<typeof setStage>[0];

/** A session with `helper`, opened by Jane. */
async function open(play: Play, options: Options = {}): Promise<string> {
  const files = { 'agents/helper.yaml': HELPER, ...options.files };
  stage = await setStage({ models: playModels(play), ...options, files });
  return (await openSession(stage.app.deps, 'helper', 'jane')).id;
}

async function say(id: string, content: string): Promise<string> {
  const run = await acceptMessage(stage.app.deps, id, { content, by: 'jane' });
  stage.app.engine.queued();
  return run.id;
}

const ask = async (id: string, content: string): Promise<Run> => stage.ended(await say(id, content));
const done: Play = () => ({ content: 'Done.' });
const record = (id: string) => readSession(stage.app.deps.store, id);
async function entries(runId: string) {
  const { store } = stage.app.deps;
  const row = await store.get('run', { id: runId });
  if (row === undefined) throw new Error('no run');
  return listEntries(store, entryScope(recordOf(row)));
}
const isWaiting = ({ status }: Run) => status === 'waiting';

/** Answers once the test lets it. */
function held(): { play: Play; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { play: () => promise.then(() => ({ content: 'Done.' })), release: resolve };
}

describe('a message whose process dies', () => {
  test('is worked on after the restart, and leaves its session free', async () => {
    let asked = 0;
    const play: Play = ({ signal }) =>
      asked++ === 0
        ? new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        : { content: 'Done.' };
    const id = await open(play);
    const runId = await say(id, 'one');
    await expect.poll(() => asked).toBe(1);
    await stage.restart();
    expect(await stage.ended(runId)).toMatchObject({ status: 'completed', summary: 'Done.' });
    expect(await record(id)).toMatchObject({ status: 'ongoing', runId: '' });
    expect((await ask(id, 'two')).status).toBe('completed');
    expect(transcriptFaults(await stage.messages(id))).toEqual([]);
  });

  test('goes on waiting for its limit, and then goes on', async () => {
    const clock = new SimulatedClock();
    const id = await open(done, {
      clock,
      files: { 'agents/helper.yaml': `${HELPER}limits: { requestsPerHour: 1 }\n` },
    });
    await ask(id, 'one');
    const runId = await say(id, 'two');
    await stage.until(runId, isWaiting);
    await stage.restart();
    expect(await stage.run(runId)).toMatchObject({ waitingFor: 'limit', limit: 'agent helper' });
    clock.advance(HOUR);
    expect(await stage.ended(runId)).toMatchObject({ status: 'completed' });
  });
});

describe('a message that comes to nothing', () => {
  test.each<[string, Options & { play?: Play }, string]>([
    [
      'for its budget',
      {
        files: { 'agents/helper.yaml': `${HELPER}budget: { maxIterations: 1 }\n` },
        play: () => ({ tool_calls: [call('a', 'workspace_list_items', {})] }),
      },
      'LIMIT_STEPS',
    ],
    [
      'for want of a model',
      {
        models: {
          ...playModels(done),
          open: () => ({
            ask: async () => {
              throw new Error('never');
            },
            available: async () => ({ ok: false, why: 'it is away' }),
          }),
        } as Models,
      },
      'MODEL_NONE_AVAILABLE',
    ],
  ])('%s leaves its session open', async (_name, { play = done, ...options }, code) => {
    const id = await open(play, options);
    expect(await ask(id, 'one')).toMatchObject({ status: 'failed', error: { code } });
    expect(await record(id)).toMatchObject({ status: 'ongoing', runId: '' });
    expect(await ask(id, 'two')).toMatchObject({ status: 'failed', error: { code } });
    expect(transcriptFaults(await stage.messages(id))).toEqual([]);
  });

  test('has no earlier answer as its result', async () => {
    let asked = 0;
    const id = await open(() => {
      if (asked++ > 0) throw new ModelError('MODEL_AUTH', 'no');
      return { content: 'Done.' };
    });
    await ask(id, 'one');
    const run = await ask(id, 'two');
    expect((await entries(run.id)).at(-1)).toMatchObject({ detail: { action: 'agent_failed' }, result: '' });
  });

  test('because its machine cannot be read is closed by a person, and the transcript is whole', async () => {
    const { play, release } = held();
    const id = await open(
      (request) =>
        request.turn === 1 ? { tool_calls: [call('a', 'workspace_add_item', { data: 'x' })] } : play(request),
      { files: { 'agents/helper.yaml': `${HELPER}permissions: { ask: [workspace_add_item] }\n` } },
    );
    const runId = await say(id, 'one');
    await stage.until(runId, isWaiting);
    await stage.app.deps.store.apply([{ op: 'update', table: 'machine', key: { id: runId }, set: { version: '0.9' } }]);
    await stage.restart();
    await stage.app.engine.cancel(runId);
    expect(await stage.run(runId)).toMatchObject({ status: 'cancelled' });
    expect(await stage.run(runId)).not.toHaveProperty('waitingFor');
    expect((await entries(runId)).at(-1)).toMatchObject({ agent: 'helper', detail: { action: 'agent_cancelled' } });
    expect(await record(id)).toMatchObject({ status: 'ongoing', runId: '' });
    expect(transcriptFaults(await stage.messages(id))).toEqual([]);
    release();
  });
});

describe('two messages that come at once', () => {
  test('are not both taken', async () => {
    const { play, release } = held();
    const id = await open(play);
    const taken = await Promise.allSettled(
      ['one', 'two'].map((content) => acceptMessage(stage.app.deps, id, { content, by: 'jane' })),
    );
    expect(taken.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(taken[1]).toMatchObject({ reason: { code: 'SESSION_BUSY' } });
    expect(await stage.app.deps.store.count('run')).toBe(1);
    release();
  });

  test('are taken one after the other where the first was done before the second could be written', async () => {
    const id = await open(done);
    const { deps } = stage.app;
    const { store } = deps;
    const { promise: gate, resolve: letIn } = Promise.withResolvers<void>();
    const slowStore = withApply(store, (changes) => gate.then(() => store.apply(changes)));
    const slow = acceptMessage({ ...deps, store: slowStore }, id, { content: 'slow', by: 'jane' });
    await ask(id, 'quick');
    letIn();
    const run = await slow;
    stage.app.engine.queued();
    await stage.ended(run.id);
    const said = (await stage.messages(id)).map(({ content }) => content);
    expect(said.slice(1)).toEqual(['quick', 'Done.', 'slow', 'Done.']);
    expect((await record(id)).opened.runs).toHaveLength(2);
  });
});

describe('the api of a session', () => {
  test('stays local where the director who lends it must', async () => {
    const opened = new Set<string>();
    const played = playModels(done);
    const id = await open(done, {
      models: {
        ...played,
        open(api) {
          opened.add(api.id);
          return played.open(api);
        },
      },
      files: {
        'agents/helper.yaml': 'id: helper\nname: Helper\n',
        'apis/main.yaml': 'id: main\nprovider: openai\nmodel: m\napiKey: ${env:KEY}\nfallback: [near]\n',
        'apis/near.yaml': 'id: near\nprovider: ollama\nmodel: m\nlocality: local\n',
        'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nlocality: local\nagents: [helper]\n',
      },
    });
    expect(await ask(id, 'one')).toMatchObject({ status: 'completed', apis: [{ id: 'near' }] });
    expect(opened).toEqual(new Set(['near']));
  });

  test('is what its spending is booked under, by agent', async () => {
    const clock = new SimulatedClock();
    const id = await open(done, { clock });
    await ask(id, 'one');
    await ask(id, 'two');
    expect(await listSpend(stage.app.deps.store, '2000-01-01')).toMatchObject([
      { directorId: '', agentId: 'helper', apiId: 'main', runs: 2, turns: 2, inputTokens: 20 },
    ]);
  });
});

describe('what is deleted of a session', () => {
  const adds: Play = ({ turn, messages }) =>
    turn === 1
      ? { tool_calls: [call('a', 'workspace_add_item', { data: String(messages.at(-1)?.content) })] }
      : { content: 'Done.' };
  const events = async (id: string) =>
    (await storedEvents(stage.app.deps.store, id, 100)).map(({ body }) => body.runId);
  const settings = { 'settings.yaml': 'runs: { retainDays: 30 }\nsessionTimeoutMinutes: 525600\n' };

  test('with an old run is what belongs to it alone: later messages build on what was said', async () => {
    const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'));
    const id = await open(adds, { clock, files: settings });
    const old = await ask(id, 'one');
    clock.advance(20 * DAY);
    const young = await ask(id, 'two');
    const said = await stage.messages(id);
    clock.advance(20 * DAY);
    expect(await stage.app.retention.sweep()).toMatchObject({ runs: 1 });
    const { store } = stage.app.deps;
    expect(await store.get('run', { id: old.id })).toBeUndefined();
    expect(await stage.messages(id)).toEqual(said);
    expect(await events(id)).toEqual(Array(4).fill(young.id));
    expect(await listItems(store, young.workspaceId)).toHaveLength(2);
    expect((await record(id)).opened.runs).toEqual([young.id]);
    expect((await ask(id, 'three')).status).toBe('completed');
  });

  test('with its last run is all of it', async () => {
    const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'));
    const id = await open(adds, { clock, files: settings });
    await ask(id, 'one');
    await ask(id, 'two');
    clock.advance(31 * DAY);
    expect(await stage.app.retention.sweep()).toMatchObject({ runs: 2 });
    const tables = ['run', 'machine', 'thread', 'message', 'event', 'entry', 'item', 'ledger', 'timer'] as const;
    for (const table of tables) expect([table, await stage.app.deps.store.count(table)]).toEqual([table, 0]);
  });

  test('goes by age where nothing was ever said in it', async () => {
    const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'));
    await open(done, { clock, files: settings });
    clock.advance(31 * DAY);
    const young = await openSession(stage.app.deps, 'helper', 'jane');
    const busy = await openSession(stage.app.deps, 'helper', 'jane');
    await ask(busy.id, 'x');
    await stage.app.retention.sweep();
    const rows = await stage.app.deps.store.list('thread', { order: [['id', 'asc']] });
    expect(rows.map((row) => row.id)).toEqual([young.id, busy.id]);
  });
});
