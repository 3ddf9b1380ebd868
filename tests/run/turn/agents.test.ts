import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { entryScope, recordOf } from '../../../engine/src/run/run.ts';
import { type ConversationThread, threadOf, viewThread } from '../../../engine/src/run/thread.ts';
import { listEntries } from '../../../engine/src/trace/entries.ts';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { call, type Play, playModels, setStage, type Stage, transcriptFaults } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const byRole =
  (director: Play, agent: Play): Play =>
  (request) =>
    (request.role === 'director' ? director : agent)(request);
const lastUser = ({ messages }: ModelRequest) => messages.findLast(({ role }) => role === 'user')?.content ?? '';
const toolResult = ({ messages }: ModelRequest, back = 1) =>
  JSON.parse(String(messages.filter(({ role }) => role === 'tool').at(-back)?.content)) as never as Record<
    string,
    unknown
  >;

async function threads(runId: string): Promise<ConversationThread[]> {
  const { store, clock } = stage.app.deps;
  const rows = await store.list('thread', { where: [['run', '=', runId]], order: [['id', 'asc']] });
  return Promise.all(rows.map((row) => viewThread(store, threadOf(row), { messages: true, now: clock.now() })));
}

async function entries(runId: string) {
  const row = await stage.app.deps.store.get('run', { id: runId });
  if (row === undefined) throw new Error('no run');
  return listEntries(stage.app.deps.store, entryScope(recordOf(row)));
}

describe('delegation', () => {
  test('gives the director what the agent said and did, in the shape that it knows', async () => {
    let result: Record<string, unknown> = {};
    stage = await setStage({
      models: playModels(
        byRole(
          (request) => {
            if (request.turn === 1) return { tool_calls: [call('a', 'agent__helper', { input: 'write a note' })] };
            result = toolResult(request);
            return { content: 'Done.' };
          },
          ({ turn }) =>
            turn === 1
              ? {
                  tool_calls: [
                    call('x', 'workspace_add_item', { data: 'note' }),
                    call('y', 'workspace_get_item', { id: 'none' }),
                  ],
                }
              : { content: 'Noted.' },
        ),
      ),
    });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'completed', usage: { turns: 4 } });
    expect(result).toEqual({
      sessionId: expect.stringMatching(/^th_/),
      output: 'Noted.',
      toolCalls: [
        { name: 'workspace_add_item', args: { data: 'note' }, success: true },
        { name: 'workspace_get_item', args: { id: 'none' }, success: false, error: 'no item "none" in this workspace' },
      ],
      done: true,
    });
    const [item] = await listItems(stage.app.deps.store, run.workspaceId);
    expect(item?.context).toMatchObject({
      createdBy: 'agent',
      agentId: 'helper',
      agent: { id: 'helper', name: 'Helper' },
    });
  });

  test('shows the agent its prompt and its input, not the mail, and not the discovery of directors', async () => {
    const seen: ModelRequest[] = [];
    stage = await setStage({
      models: playModels(
        byRole(
          ({ turn }) =>
            turn === 1 ? { tool_calls: [call('a', 'agent__helper', { input: 'only this' })] } : { content: 'Done.' },
          (request) => {
            seen.push(request);
            return { content: 'ok' };
          },
        ),
      ),
    });
    await stage.ended(await stage.begin('boss', 'the secret of the mail'));
    expect(seen[0]?.messages).toEqual([
      { role: 'system', content: 'You are Helper. Helps.' },
      { role: 'user', content: 'only this' },
    ]);
    expect(seen[0]?.tools.map((tool) => tool.function.name)).toEqual([
      'workspace_add_item',
      'workspace_list_items',
      'workspace_get_item',
      'workspace_update_item',
      'workspace_remove_item',
    ]);
  });

  test('goes on in one session per agent, and queues parallel asks in it', async () => {
    const asked: string[] = [];
    const ids: unknown[] = [];
    stage = await setStage({
      models: playModels(
        byRole(
          (request) => {
            if (request.turn === 1)
              return {
                tool_calls: [
                  call('a', 'agent__helper', { input: 'one' }),
                  call('b', 'agent__helper', { input: 'two' }),
                ],
              };
            if (request.turn === 2) {
              ids.push(toolResult(request, 1)['sessionId'], toolResult(request, 2)['sessionId']);
              return { tool_calls: [call('a', 'agent__helper', { input: 'three', sessionId: String(ids[0]) })] };
            }
            ids.push(toolResult(request)['sessionId']);
            return { content: 'Done.' };
          },
          (request) => {
            asked.push(`${request.messages.filter(({ role }) => role === 'user').length}:${lastUser(request)}`);
            return { content: `answer to ${lastUser(request)}` };
          },
        ),
      ),
    });
    const run = await stage.ended(await stage.begin());
    expect(run.status).toBe('completed');
    expect(asked).toEqual(['1:one', '2:two', '3:three']);
    expect(new Set(ids).size).toBe(1);
    const [director, session] = await threads(run.id);
    expect(transcriptFaults(director?.messages ?? [])).toEqual([]);
    expect(director).toMatchObject({ kind: 'director', status: 'completed', finalized: true });
    expect(session).toMatchObject({
      kind: 'agent',
      agentId: 'helper',
      status: 'completed',
      finalized: false,
      parentThreadId: run.dirThreadId,
    });
    expect(session?.endedAt).toBeDefined();
  });

  test('tells the director that a session has expired, and opens a new one when asked without', async () => {
    const clock = new SimulatedClock();
    const results: Record<string, unknown>[] = [];
    let proceed = () => {};
    const waited = new Promise<void>((resolve) => (proceed = resolve));
    stage = await setStage({
      clock,
      files: { 'settings.yaml': 'sessionTimeoutMinutes: 5\n' },
      models: playModels(
        byRole(
          async (request) => {
            const { turn } = request;
            if (turn > 1) results.push(toolResult(request));
            if (turn === 1) return { tool_calls: [call('a', 'agent__helper', { input: 'one' })] };
            if (turn === 2) {
              await waited;
              return {
                tool_calls: [
                  call('b', 'agent__helper', { input: 'two', sessionId: String(results[0]?.['sessionId']) }),
                ],
              };
            }
            return turn === 3 ? { tool_calls: [call('c', 'agent__helper', { input: 'three' })] } : { content: 'Done.' };
          },
          () => ({ content: 'ok' }),
        ),
      ),
    });
    const id = await stage.begin();
    await stage.until(id, () => results.length === 1);
    clock.advance(5 * 60_000 + 1);
    await expect.poll(async () => (await threads(id))[1]?.status).toBe('expired');
    proceed();
    await stage.ended(id);
    expect(results[1]).toMatchObject({ error: { code: 'SESSION_EXPIRED', reason: 'expired' } });
    expect(results[2]).toMatchObject({ output: 'ok', done: true });
    expect(results[2]?.['sessionId']).not.toBe(results[0]?.['sessionId']);
    expect((await entries(id)).map(({ detail }) => detail.action)).toContain('session_expired');
  });

  test('says done: false when the agent stopped on a limit, and keeps its partial result', async () => {
    let result: Record<string, unknown> = {};
    stage = await setStage({
      files: { 'agents/helper.yaml': 'id: helper\nname: Helper\nbudget: { maxIterations: 2 }\n' },
      models: playModels(
        byRole(
          (request) => {
            if (request.turn === 1) return { tool_calls: [call('a', 'agent__helper', { input: 'go' })] };
            result = toolResult(request);
            return { content: 'Done.' };
          },
          ({ turn }) => ({
            content: `thinking ${turn}`,
            tool_calls: [call('x', 'workspace_add_item', { data: 'part' })],
          }),
        ),
      ),
    });
    const run = await stage.ended(await stage.begin());
    expect(run.status).toBe('completed');
    expect(result).toMatchObject({ output: 'thinking 2', done: false, error: { code: 'LIMIT_STEPS' } });
    expect(await listItems(stage.app.deps.store, run.workspaceId)).toHaveLength(2);
  });

  test('lets the director restrict the tools of one ask', async () => {
    const shown: string[][] = [];
    stage = await setStage({
      models: playModels(
        byRole(
          ({ turn }) => {
            if (turn === 1)
              return { tool_calls: [call('a', 'agent__helper', { input: 'x', options: { allowTools: false } })] };
            if (turn === 2)
              return {
                tool_calls: [
                  call('a', 'agent__helper', { input: 'x', options: { toolFilter: ['workspace_get_item'] } }),
                ],
              };
            return { content: 'Done.' };
          },
          ({ tools }) => {
            shown.push(tools.map((tool) => tool.function.name));
            return { content: 'ok' };
          },
        ),
      ),
    });
    await stage.ended(await stage.begin());
    expect(shown).toEqual([[], ['workspace_get_item']]);
  });

  test('lists agents by their order, and those without one as the director does', async () => {
    let prompt = '';
    let roster: unknown;
    const agent = (id: string, order = '') => ({ [`agents/${id}.yaml`]: `id: ${id}\nname: ${id}\n${order}` });
    stage = await setStage({
      files: {
        'directors/boss.yaml':
          'id: boss\nname: Boss\napiConfigId: main\nagents: [zoe, ann, second, first]\nprompt: [{ role: system, content: "{{agents}}" }]\n',
        ...{ ...agent('zoe'), ...agent('ann'), ...agent('second', 'order: 20\n'), ...agent('first', 'order: 10\n') },
      },
      models: playModels((request) => {
        prompt = request.messages[0]?.content ?? '';
        if (request.turn === 1) return { tool_calls: [call('a', 'list_agents', '')] };
        roster = toolResult(request);
        return { content: 'Done.' };
      }),
    });
    await stage.ended(await stage.begin());
    expect((roster as { id: string }[]).map(({ id }) => id)).toEqual(['first', 'second', 'zoe', 'ann']);
    expect(prompt).toBe('- first: first\n- second: second\n- zoe: zoe\n- ann: ann');
  });

  test('answers discovery with the roster and the tools', async () => {
    const results: unknown[] = [];
    stage = await setStage({
      models: playModels((request) => {
        if (request.turn === 1)
          return {
            tool_calls: [
              call('a', 'list_agents', ''),
              call('b', 'list_tools', {}),
              call('c', 'describe_tool', { name: 'agent__helper' }),
            ],
          };
        results.push(toolResult(request, 3), toolResult(request, 2), toolResult(request, 1));
        return { content: 'Done.' };
      }),
    });
    await stage.ended(await stage.begin());
    expect(results[0]).toEqual([{ id: 'helper', name: 'Helper', summary: 'Helps.', apiConfigId: 'main' }]);
    expect((results[1] as { name: string; paramsSummary: string }[])[0]).toMatchObject({
      name: 'agent__helper',
      paramsSummary: 'input: string, sessionId?: string, options?: object',
    });
    expect(results[2]).toMatchObject({ name: 'agent__helper', parameters: { required: ['input'] } });
  });
});

test('every entry carries the fields that diagnostics are grouped by', async () => {
  stage = await setStage({
    models: playModels(
      byRole(
        ({ turn }) =>
          turn === 1
            ? { tool_calls: [call('a', 'agent__helper', { input: 'x' }), call('b', 'nowhere', { n: 1 })] }
            : { content: 'Done.' },
        ({ turn }) => (turn === 1 ? { tool_calls: [call('x', 'workspace_list_items', {})] } : { content: 'ok' }),
      ),
    ),
  });
  const run = await stage.ended(await stage.begin('boss', 'please'));
  const list = await entries(run.id);
  for (const entry of list) {
    expect(entry).toMatchObject({
      director: 'boss',
      directorName: 'Boss',
      emailSummary: 'please',
      dirThreadId: run.dirThreadId,
      runId: run.id,
    });
    expect(Date.parse(entry.timestamp)).not.toBeNaN();
    expect(['director', 'agent', 'tool', 'result']).toContain(entry.phase);
    if (entry.phase === 'tool') expect(entry.detail.tool).toEqual(expect.any(String));
    if (entry.phase === 'tool') expect(entry.detail).toHaveProperty('request');
    if (entry.agent !== '') expect(entry.agentThreadId).toMatch(/^th_/);
    expect(entry.error !== undefined || entry.result !== undefined || entry.detail.action !== undefined).toBe(true);
  }
  expect(list.map(({ phase, detail }) => `${phase} ${detail.action ?? detail.tool}`)).toEqual([
    'director director_start',
    'tool nowhere',
    'agent agent_start',
    'tool workspace_list_items',
    'agent agent_output',
    'tool agent__helper',
    'agent session_completed',
    'director director_complete',
  ]);
  expect(list.find(({ detail }) => detail.tool === 'nowhere')).toMatchObject({
    error: { code: 'TOOL_UNKNOWN' },
    detail: { request: { n: 1 } },
  });
  expect(list.find(({ detail }) => detail.action === 'agent_output')).toMatchObject({
    result: 'ok',
    agent: 'helper',
    agentName: 'Helper',
  });
});

describe('an example in a prompt', () => {
  const EXAMPLE =
    'prompt:\n  - { role: system, content: S }\n  - { role: user, content: Q }\n  - { role: tool, name: t, content: r }\n  - { role: assistant, content: THE EXAMPLE }\n';

  test('is no answer and no call of an agent that fails before it answers', async () => {
    let result: Record<string, unknown> = {};
    stage = await setStage({
      models: playModels((request) => {
        if (request.role === 'agent') throw new EngineError('MODEL_BAD_REQUEST', 'no');
        if (request.turn === 1) return { tool_calls: [call('a', 'agent__helper', { input: 'x' })] };
        result = toolResult(request);
        return { content: 'Done.' };
      }),
      files: { 'agents/helper.yaml': `id: helper\nname: Helper\n${EXAMPLE}` },
    });
    await stage.ended(await stage.begin());
    expect(result).toMatchObject({ done: false, output: '', toolCalls: [] });
  });

  test('is no answer of a director that fails before it answers', async () => {
    stage = await setStage({
      models: playModels(() => {
        throw new EngineError('MODEL_BAD_REQUEST', 'no');
      }),
      files: { 'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\n${EXAMPLE}` },
    });
    const run = await stage.ended(await stage.begin());
    const end = (await entries(run.id)).find(({ detail }) => detail?.action === 'director_failed');
    expect(end?.result).toBe('');
    expect(transcriptFaults(await stage.messages(run.dirThreadId))).toEqual([]);
  });
});
