import { afterEach, describe, expect, test } from 'vitest';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { call, type Play, playModels, resultText, setStage, type Stage, transcriptFaults } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

/** Answers by turn; the last one repeats. */
const turns =
  (...plays: ReturnType<Play>[]): Play =>
  ({ turn }) =>
    plays[Math.min(turn, plays.length) - 1] ?? { content: 'nothing left to say' };

async function play(played: Play, files: Record<string, string> = {}) {
  stage = await setStage({ models: playModels(played), files });
  const run = await stage.ended(await stage.begin());
  return { run, messages: await stage.messages(run.dirThreadId) };
}

describe('the loop', () => {
  test('puts what the model adds into the workspace and ends with its last word', async () => {
    const { run, messages } = await play(
      turns({ tool_calls: [call('a', 'workspace_add_item', { label: 'Note', data: 'hello' })] }, { content: 'Done.' }),
    );
    expect(run).toMatchObject({
      status: 'completed',
      summary: 'Done.',
      usage: { turns: 2, inputTokens: 20, outputTokens: 2, cost: null },
    });
    const [item] = await listItems(stage.app.deps.store, run.workspaceId);
    expect(item).toMatchObject({
      label: 'Note',
      data: 'hello',
      mimeType: 'text/plain',
      revision: 1,
      context: { director: { id: 'boss', name: 'Boss' }, createdBy: 'director', tool: 'workspace_add_item' },
    });
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(transcriptFaults(messages)).toEqual([]);
  });

  test.each<{ name: string; made: ReturnType<typeof call>; told: Record<string, unknown> }>([
    {
      name: 'arguments that are no JSON',
      made: call('a', 'workspace_add_item', '{"label":'),
      told: { code: 'TOOL_ARGUMENTS' },
    },
    {
      name: 'arguments that are no object',
      made: call('a', 'workspace_add_item', '[1]'),
      told: { code: 'TOOL_ARGUMENTS' },
    },
    {
      name: 'arguments of the wrong type',
      made: call('a', 'workspace_add_item', { label: 7 }),
      told: { code: 'TOOL_ARGUMENTS' },
    },
    {
      name: 'arguments that the tool does not take',
      made: call('a', 'workspace_add_item', { colour: 'red' }),
      told: { code: 'TOOL_ARGUMENTS' },
    },
    { name: 'a tool that does not exist', made: call('a', 'workspace_add_itm', {}), told: { code: 'TOOL_UNKNOWN' } },
    {
      name: 'an item that does not exist',
      made: call('a', 'workspace_get_item', { id: 'x' }),
      told: { code: 'ITEM_NOT_FOUND' },
    },
    {
      name: 'an agent session of nowhere',
      made: call('a', 'agent__helper', { input: 'hi', sessionId: 'th_x' }),
      told: { code: 'SESSION_NOT_FOUND', reason: 'not_found' },
    },
  ])('tells the model about $name, and goes on', async ({ made, told }) => {
    const { run, messages } = await play(turns({ tool_calls: [made] }, { content: 'I see.' }));
    expect(run.status).toBe('completed');
    const answer = messages.find(({ role }) => role === 'tool');
    expect(JSON.parse(resultText(answer?.content ?? ''))).toMatchObject({ error: told });
    expect(transcriptFaults(messages)).toEqual([]);
  });

  test('does not show what is denied, and refuses it by name when it is called all the same', async () => {
    const shown: string[] = [];
    const { run, messages } = await play(
      (request) => {
        shown.push(...request.tools.map((tool) => tool.function.name));
        return request.turn === 1
          ? { tool_calls: [call('a', 'workspace_remove_item', { id: 'x' })] }
          : { content: 'I see.' };
      },
      {
        'directors/boss.yaml':
          'id: boss\nname: Boss\napiConfigId: main\npermissions: { deny: [workspace_remove_item] }\n',
      },
    );
    expect(run.status).toBe('completed');
    expect(shown).toContain('workspace_add_item');
    expect(shown).not.toContain('workspace_remove_item');
    expect(JSON.parse(String(messages.find(({ role }) => role === 'tool')?.content))).toMatchObject({
      error: {
        code: 'TOOL_DENIED',
        message: expect.stringContaining('permissions.deny has "workspace_remove_item"') as string,
      },
    });
  });

  test('answers parallel calls each once, whatever becomes of them', async () => {
    const { run, messages } = await play(
      turns(
        {
          tool_calls: [
            call('a', 'workspace_add_item', { data: '1' }),
            call('b', 'nowhere', {}),
            call('c', 'agent__helper', { input: 'help' }),
            call('d', 'workspace_list_items', {}),
          ],
        },
        { content: 'Done.' },
      ),
    );
    expect(run.status).toBe('completed');
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(4);
    expect(transcriptFaults(messages)).toEqual([]);
  });

  test('lets a call see what an earlier call of the same answer wrote', async () => {
    const { messages } = await play(
      turns(
        { tool_calls: [call('a', 'workspace_add_item', { data: '1' }), call('b', 'workspace_list_items', {})] },
        { content: 'Done.' },
      ),
    );
    const listed = messages.findLast(({ role }) => role === 'tool');
    expect(JSON.parse(resultText(listed?.content ?? ''))).toMatchObject({ items: [{ data: '1' }] });
  });

  test('stops after its turns and keeps what is there', async () => {
    const { run, messages } = await play(
      ({ turn }) => ({ tool_calls: [call('a', 'workspace_add_item', { data: String(turn) })] }),
      {
        'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nbudget: { maxIterations: 3 }\n',
      },
    );
    expect(run).toMatchObject({ status: 'failed', error: { code: 'LIMIT_STEPS' }, usage: { turns: 3 } });
    expect(await listItems(stage.app.deps.store, run.workspaceId)).toHaveLength(3);
    expect(transcriptFaults(messages)).toEqual([]);
  });

  test('tells a model that refused, and fails when it refuses again and again', async () => {
    const { run, messages } = await play(() => ({ content: null, refusal: 'I would rather not' }));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'MODEL_REFUSED' } });
    expect(messages.filter(({ role, content }) => role === 'user' && content?.includes('refusal'))).toHaveLength(3);
  });

  test('refuses a run of a director that does not exist', async () => {
    stage = await setStage({ models: playModels(() => ({ content: '' })) });
    await expect(stage.begin('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND', hint: 'directors: boss' });
  });
});
