import { afterEach, describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { recordingSource } from '../../../engine/src/app/scratch/recording-source.ts';
import { recordRun } from '../../../engine/src/replay/read/recording.ts';
import { retryRun } from '../../../engine/src/run/lifecycle/retry.ts';
import { readRunTree } from '../../../engine/src/run/run-trace.ts';
import { recordOf } from '../../../engine/src/run/run.ts';
import { type ChatTurn, startTurn } from '../../../engine/src/run/session/chat-turn.ts';
import { readSession } from '../../../engine/src/run/session/session.ts';
import { readMessages, readThread } from '../../../engine/src/run/thread.ts';
import { call, type Play, playModels, setStage, type Stage } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const FILES = {
  'agents/clerk.yaml':
    'id: clerk\nname: Clerk\napiConfigId: main\ntools: [workspace]\npermissions: { ask: [workspace_add_item] }\n',
};
const TURN: ChatTurn = {
  ...{ chatId: 'c_1', participantId: 'a_1', name: 'Critic', apiConfigId: 'main' },
  ...{ prompt: '# Role\nYou doubt.', message: 'What do you think?' },
  ...{ title: 'Critic in Design', by: 'jane' },
};
const CLERK: ChatTurn = { ...TURN, name: 'The clerk', agentId: 'clerk', apiConfigId: undefined };

async function open(play: Play): Promise<void> {
  stage = await setStage({ files: FILES, models: playModels(play) });
}

async function begin(turn: ChatTurn): Promise<string> {
  const { run, changes } = await startTurn(stage.app.deps, turn);
  await stage.app.deps.store.apply(changes);
  stage.app.engine.queued();
  return run.id;
}

describe('a turn in a chat', () => {
  test('of a participant that is an api has its prompt, no tools and no other thread', async () => {
    const requests: ModelRequest[] = [];
    await open((request) => {
      requests.push(request);
      return { content: 'I doubt it.' };
    });
    const run = await stage.ended(await begin(TURN));
    expect(run).toMatchObject({
      ...{ status: 'completed', agentId: 'a_1', agentName: 'Critic', startedBy: 'jane', summary: 'I doubt it.' },
      apis: [{ id: 'main' }],
    });
    expect(requests.map(({ messages, tools }) => [messages.at(-1)?.content, tools?.length ?? 0])).toEqual([
      ['# Role\nYou doubt.', 0],
    ]);
    expect(await readThread(stage.app.deps.store, run.sessionId ?? '')).toMatchObject({ status: 'completed' });
  });

  test('keeps its prompt in its thread alone, which lists of runs and of threads do not hold', async () => {
    const prompt = `# Role\n${'word '.repeat(20_000)}`;
    await open(() => ({ content: 'I doubt it.' }));
    const { store } = stage.app.deps;
    const { run, changes } = await startTurn(stage.app.deps, { ...TURN, prompt, message: 'x'.repeat(3000) });
    await store.apply(changes);
    const bodies = async () => JSON.stringify([await store.list('run'), await store.list('machine')]);
    expect(run.trigger.message).toBe('x'.repeat(2000));
    expect(await bodies()).not.toContain('word word');
    stage.app.engine.queued();
    const { sessionId = '' } = await stage.ended(run.id);
    const asked = (await readMessages(store, sessionId)).filter(({ role }) => role === 'user');
    expect(asked.map(({ content }) => content === prompt)).toEqual([true]);
    expect(await bodies()).not.toContain('word word');
    expect(JSON.stringify(await readThread(store, sessionId))).not.toContain('word word');
  });

  test('that is cancelled before it begins leaves no prompt', async () => {
    await open(() => ({ content: 'never' }));
    const { store } = stage.app.deps;
    const { run, changes } = await startTurn(stage.app.deps, TURN);
    await store.apply(changes);
    await stage.app.engine.cancel(run.id);
    const { sessionId = '' } = await stage.ended(run.id);
    expect(await readThread(store, sessionId)).toMatchObject({ opened: { chatId: 'c_1' } });
    expect(JSON.stringify(await readThread(store, sessionId))).not.toContain('You doubt');
  });

  test('of an agent has its tools and its permissions', async () => {
    await open(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { content: 'Added.' }
        : { tool_calls: [call('a', 'workspace_add_item', { label: 'Note', data: 'hello' })] },
    );
    const id = await begin(CLERK);
    expect(await stage.until(id, ({ status }) => status === 'waiting')).toMatchObject({ waitingFor: 'approval' });
    const [approval] = await stage.app.deps.store.list('approval');
    await stage.app.engine.decide(approval?.id ?? '', { decision: 'allow', by: 'jane' });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed', agentId: 'clerk', summary: 'Added.' });
  });

  test('goes on after a restart', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await open(() => promise.then(() => ({ content: 'too late' })));
    const id = await begin(TURN);
    await stage.until(id, ({ status }) => status === 'running');
    await stage.restart({ models: playModels(() => ({ content: 'here again' })) });
    resolve();
    expect(await stage.ended(id)).toMatchObject({ status: 'completed', summary: 'here again' });
  });

  test('is shown while it is written', async () => {
    await open(() => ({ content: 'I doubt it.' }));
    const shown: string[] = [];
    stage.app.deps.live.answers.subscribe(({ text }) => void shown.push(text));
    await stage.ended(await begin(TURN));
    await expect.poll(() => shown.join('')).toBe('I doubt it.');
  });

  test('has its title where its prompt would be, and a trace', async () => {
    await open(() => ({ content: 'I doubt it.' }));
    const run = await stage.ended(await begin(TURN));
    const row = await stage.app.deps.store.get('run', { id: run.id });
    if (row === undefined) throw new Error('no run');
    const tree = await readRunTree(stage.app.deps.store, recordOf(row));
    expect(JSON.stringify(tree)).toContain('Critic · Critic in Design');
  });

  test('counts as spent by its participant', async () => {
    await open(() => ({ content: 'I doubt it.' }));
    await stage.ended(await begin(TURN));
    expect(await stage.app.deps.store.list('spend')).toMatchObject([
      { body: expect.stringContaining('"agentId":"a_1"') as string },
    ]);
  });

  test('is no session, and is neither repeated nor played again', async () => {
    await open(() => ({ refusal: 'no' }));
    const { store } = stage.app.deps;
    const run = await stage.ended(await begin(TURN));
    expect(run.status).toBe('failed');
    const refused = (code: string) => expect.objectContaining({ code }) as Error;
    await expect(readSession(store, run.sessionId ?? '')).rejects.toThrow(refused('SESSION_NOT_FOUND'));
    await expect(recordRun(recordingSource(stage.app), run.id)).rejects.toThrow('a turn in a group chat');
    await expect(retryRun(stage.app.deps, run.id, 'jane')).rejects.toThrow('a turn in a group chat');
  });

  test('is tainted where others wrote what it reads', async () => {
    await open(() => ({ content: 'x' }));
    const run = await stage.ended(await begin({ ...TURN, taint: 'messages of other participants' }));
    const thread = await readThread(stage.app.deps.store, run.sessionId ?? '');
    expect(thread?.taint).toMatchObject({ cause: 'messages of other participants' });
  });

  test.each([
    { name: 'api', turn: { ...TURN, apiConfigId: 'nope' } },
    { name: 'agent', turn: { ...CLERK, agentId: 'nope' } },
  ])('of an $name that the config does not have is refused', async ({ turn }) => {
    await open(() => ({ content: 'x' }));
    await expect(startTurn(stage.app.deps, turn)).rejects.toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }) as Error,
    );
  });
});
