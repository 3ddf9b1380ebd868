import { afterEach, describe, expect, test } from 'vitest';
import { DISCOVERY_TOOLS } from '../../../engine/src/config/permissions.ts';
import type { ToolCall } from '../../../engine/src/model/model.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const BOSS =
  'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [workspace, calendar]\npermissions: { allow: [calendar_add], ask: [workspace_remove_item], deny: [workspace_update_item] }\n';

/** The results of these calls of one answer, as the director reads them. */
async function ask(...calls: readonly ToolCall[]): Promise<string[]> {
  let shown: readonly string[] = [];
  stage = await setStage({
    files: { 'directors/boss.yaml': BOSS },
    models: playModels(({ turn, tools }) => {
      shown = tools.map((tool) => tool.function.name);
      return turn === 1 ? { tool_calls: [...calls] } : { content: 'Done.' };
    }),
  });
  const run = await stage.ended(await stage.begin());
  expect(shown).toEqual(expect.arrayContaining([...DISCOVERY_TOOLS]));
  const messages = await stage.messages(run.dirThreadId);
  return messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
}

describe('validate_tool_params', () => {
  const check = async (name: string, params: unknown) => {
    const [result] = await ask(call('a', 'validate_tool_params', { name, params }));
    return JSON.parse(result ?? '') as { valid: boolean; errors: string[]; error?: { code: string; message: string } };
  };

  test('accepts arguments that fit, and calls nothing', async () => {
    const params = { label: 'A note', data: 'x' };
    expect(await check('workspace_add_item', params)).toEqual({ name: 'workspace_add_item', valid: true, errors: [] });
    expect(await stage.app.deps.store.list('item')).toEqual([]);
  });

  test('names every fault of arguments that do not fit', async () => {
    const { valid, errors } = await check('calendar_add', { event: { title: 1 }, evnt: {} });
    expect(valid).toBe(false);
    expect(errors.join('\n')).toMatch(/start/);
    expect(errors.join('\n')).toMatch(/event\/title must be string/);
    expect(errors.join('\n')).toMatch(/evnt/);
  });

  test('checks the arguments of an agent too', async () => {
    expect(await check('agent__helper', {})).toMatchObject({ valid: false, errors: [expect.stringMatching(/input/)] });
  });

  test('names the nearest tool where there is none of this name', async () => {
    const { error } = await check('workspace_add_itm', {});
    expect(error).toMatchObject({
      code: 'TOOL_UNKNOWN',
      message: expect.stringMatching(/"workspace_add_item"/) as string,
    });
  });
});

describe('read_api_docs', () => {
  test('documents one tool: purpose, effects, permission, parameters and their fields', async () => {
    const [docs] = await ask(call('a', 'read_api_docs', { name: 'calendar_add' }));
    expect(docs).toMatch(/^## calendar_add\n/);
    expect(docs).toContain('Changes something outside this run. Runs at once.');
    expect(docs).toMatch(/^- `event` \(object, required\)/m);
    expect(docs).toMatch(/^- `event\.title` \(string, required\): ./m);
    expect(docs).toMatch(/^- `event\.location` \(string\): ./m);
  });

  test('documents a family', async () => {
    const [docs] = await ask(call('a', 'read_api_docs', { name: 'calendar' }));
    expect(docs?.match(/^## .*$/gm)?.every((title) => title.startsWith('## calendar_'))).toBe(true);
  });

  test('documents all tools that the director may call, and says where a person is asked', async () => {
    const [docs = '', list = ''] = await ask(call('a', 'read_api_docs', {}), call('b', 'list_tools', {}));
    const names = (JSON.parse(list) as { name: string }[]).map(({ name }) => name);
    expect(docs.match(/^## .*$/gm)).toEqual(names.map((name) => `## ${name}`));
    expect(names).not.toContain('workspace_update_item');
    expect(docs).toMatch(/## workspace_remove_item\n\n.*\n\n.*A person is asked first\./);
  });

  test('names the nearest tool where there is none of this name', async () => {
    const [result = ''] = await ask(call('a', 'read_api_docs', { name: 'calender' }));
    expect(JSON.parse(result)).toMatchObject({ error: { code: 'TOOL_UNKNOWN' } });
  });
});
