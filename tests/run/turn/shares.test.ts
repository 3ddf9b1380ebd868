import { afterEach, describe, expect, test } from 'vitest';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { call, type Play, playModels, resultText, setStage, type Stage, transcriptFaults } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const boss = (maxIterations: number, more = '') => ({
  'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [helper, other]\nbudget: { maxIterations: ${maxIterations} }\n${more}`,
  'agents/other.yaml': 'id: other\nname: Other\ntools: [workspace]\n',
  'agents/helper.yaml': 'id: helper\nname: Helper\ntools: [workspace]\n',
});
const adds: Play = ({ turn }) => ({ tool_calls: [call('a', 'workspace_add_item', { data: String(turn) })] });

/** The director's play at its first turn and later; agents never stop by themselves. */
const play =
  (first: Play, later: Play = () => ({ content: 'Done.' }), agent: Play = adds): Play =>
  (request) =>
    (request.role === 'agent' ? agent : request.turn === 1 ? first : later)(request);

interface ToolError {
  readonly done?: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

async function results(threadId: string): Promise<ToolError[]> {
  const messages = await stage.messages(threadId);
  expect(transcriptFaults(messages)).toEqual([]);
  return messages.flatMap(({ role, content }) =>
    role === 'tool' ? [JSON.parse(resultText(content)) as ToolError] : [],
  );
}

describe('the turns of a director', () => {
  test('are shared with its agents, and the last one is its own', async () => {
    stage = await setStage({
      files: boss(5),
      models: playModels(play(() => ({ tool_calls: [call('a', 'agent__helper', { input: 'x' })] }))),
    });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'completed', summary: 'Done.', usage: { turns: 5 } });
    const [answer] = await results(run.dirThreadId);
    expect(answer).toMatchObject({ done: false, error: { code: 'LIMIT_STEPS' } });
    expect(answer?.error?.message).toContain('boss and its agents have used 4 of 5');
  });

  test('are not overdrawn by agents that work at the same time', async () => {
    const ask = () => ({
      tool_calls: [call('a', 'agent__helper', { input: 'x' }), call('b', 'agent__other', { input: 'y' })],
    });
    stage = await setStage({ files: boss(6), models: playModels(play(ask)) });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'completed', usage: { turns: 6 } });
  });

  test('end the run when its agents have used them and it asks for more', async () => {
    const ask: Play = ({ turn }) => ({ tool_calls: [call(`c${turn}`, 'agent__helper', { input: 'x' })] });
    stage = await setStage({ files: boss(4), models: playModels(play(ask, ask)) });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'failed', error: { code: 'LIMIT_STEPS' }, usage: { turns: 4 } });
    expect(run.error?.message).toBe('stopped after 4 model turns of boss and its agents (budget.maxIterations)');
  });

  test('are not multiplied by an answer with a thousand calls of agents', async () => {
    let requests = 0;
    const many = () => ({
      tool_calls: Array.from({ length: 1000 }, (_, n) => call(`c${n}`, 'agent__helper', { input: 'x' })),
    });
    const counted: Play = (request) => {
      requests++;
      return play(many)(request);
    };
    stage = await setStage({ files: boss(3), models: playModels(counted) });
    const run = await stage.ended(await stage.begin());
    expect(run.status).toBe('completed');
    expect(requests).toBe(3);
    const codes = (await results(run.dirThreadId)).map(({ error }) => error?.code);
    expect(codes).toHaveLength(1000);
    expect(codes.filter((code) => code === 'LIMIT_STEPS')).toHaveLength(64);
    expect(codes.filter((code) => code === 'TOOL_LIMIT')).toHaveLength(936);
  });
});

describe('the calls of one answer', () => {
  test('have a limit; for the rest the model reads an error', async () => {
    const add = (from: number, to: number) => ({
      tool_calls: Array.from({ length: to - from }, (_, n) =>
        call(`c${n}`, 'workspace_add_item', { data: `${from + n}` }),
      ),
    });
    stage = await setStage({
      files: { ...boss(9), 'settings.yaml': 'runs: { maxCallsPerAnswer: 2 }\n' },
      models: playModels(({ turn }) => (turn === 1 ? add(0, 4) : turn === 2 ? add(2, 4) : { content: 'Done.' })),
    });
    const run = await stage.ended(await stage.begin());
    expect((await results(run.dirThreadId)).map(({ error }) => error)).toEqual([
      undefined,
      undefined,
      ...[1, 2].map(() => ({
        code: 'TOOL_LIMIT',
        message: 'only the first 2 tool calls of an answer are made; this answer has 4',
        hint: 'make the call again in your next answer',
      })),
      undefined,
      undefined,
    ]);
    expect((await listItems(stage.app.deps.store, run.id)).map(({ data }) => data)).toEqual(['0', '1', '2', '3']);
  });
});

describe('the open approvals of a run', () => {
  const remove = (...ids: string[]) => ids.map((id) => call(id, 'workspace_remove_item', { id }));

  test('have a limit, agents included; for the rest the model reads an error', async () => {
    const answers: Play = ({ role, turn }) => {
      if (turn > 1) return { content: 'Done.' };
      if (role === 'agent') return { tool_calls: remove('x', 'y') };
      return { tool_calls: [...remove('a', 'b'), call('h', 'agent__helper', { input: 'x' })] };
    };
    stage = await setStage({
      files: {
        ...boss(9, 'tools: [workspace]\npermissions: { ask: [workspace_remove_item], allow: ["*"] }\n'),
        'settings.yaml': 'runs: { maxOpenApprovals: 3 }\n',
      },
      models: playModels(answers),
    });
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'waiting');
    const { store } = stage.app.deps;
    const pending = await store.list('approval', { where: [['status', '=', 'pending']] });
    expect(pending).toHaveLength(3);
    for (const approval of pending) await stage.app.engine.decide(approval.id, { decision: 'deny', by: 'test' });
    const run = await stage.ended(id);
    expect(run.status).toBe('completed');
    const threads = await store.list('thread', { where: [['run', '=', id]] });
    const refused = (await Promise.all(threads.map((thread) => results(thread.id))))
      .flat()
      .filter(({ error }) => error?.code === 'TOOL_LIMIT');
    expect(refused.map(({ error }) => error)).toEqual([
      {
        code: 'TOOL_LIMIT',
        message: '3 calls of this run already wait for a person',
        hint: 'make the call again when a person has answered them',
      },
    ]);
  });
});
