import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import type { Mode } from '../../engine/src/run/mode/mode.ts';
import type { ToolFamily } from '../../engine/src/tool/tool-family.ts';
import { listItems } from '../../engine/src/workspace/items.ts';
import { call, playModels, resultText, setStage } from '../run/harness.ts';
import { recipeFiles, writeRecipe } from './recipes.ts';
import { toolServices } from '../tool/tool-services.ts';

const written: string[] = [];
afterAll(() => written.forEach((folder) => rmSync(folder, { recursive: true })));

/** Writes the files of a recipe; returns a function that imports one of them. */
function prepare(heading: string): <T>(path: string) => Promise<T> {
  const { folder, urlOf } = writeRecipe(recipeFiles(heading));
  written.push(folder);
  return async <T>(path: string) => (await import(urlOf(path))) as T;
}

describe('the recipe of a tool', () => {
  test('makes a family whose tool a model calls, with checked arguments', async () => {
    const load = prepare('Add a tool');
    const { weatherFamily } = await load<{ weatherFamily: ToolFamily }>('engine/src/tool/family/weather.ts');
    const tools = weatherFamily.tools(toolServices());
    const stage = await setStage({
      tools,
      files: {
        'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [weather]\n',
      },
      models: playModels(({ messages }) => {
        if (messages.some(({ role }) => role === 'tool')) return { content: 'done' };
        return {
          tool_calls: [
            call('1', 'weather_forecast', { city: 'Lisbon' }),
            call('2', 'weather_forecast', { city: 'Atlantis' }),
            call('3', 'weather_forecast', { town: 'Lisbon' }),
          ],
        };
      }),
    });
    try {
      const run = await stage.ended(await stage.begin());
      expect(run.status).toBe('completed');
      const answers = (await stage.messages(run.dirThreadId)).flatMap((message) =>
        message.role === 'tool' ? [[message.tool_call_id, JSON.parse(resultText(message.content)) as object]] : [],
      );
      expect(Object.fromEntries(answers)).toMatchObject({
        1: { city: 'Lisbon', unit: 'celsius', temperature: 17 },
        2: { error: { code: 'NOT_FOUND' } },
        3: { error: { code: 'TOOL_ARGUMENTS' } },
      });
      // Wrong arguments are answered before the other calls start.
      expect(answers[0]?.[0]).toBe('3');
    } finally {
      await stage.close();
    }
  });
});

describe('the recipe of a machine mode', () => {
  test('makes a mode that a run goes through to its end', async () => {
    const load = prepare('Add a machine mode');
    const { remindMode } = await load<{ remindMode: Mode }>('engine/src/run/mode/remind.ts');
    const stage = await setStage({ modes: [remindMode], models: playModels(() => ({ content: 'nobody asks' })) });
    try {
      const { deps, config } = stage.app;
      const { run, changes } = await createRun(deps, {
        config: config.current(),
        directorId: 'boss',
        mode: 'remind',
        trigger: { kind: 'message', message: 'Call Ada back' },
        startedBy: 'test',
      });
      await deps.store.apply(changes);
      stage.app.engine.queued();
      expect(await stage.ended(run.id)).toMatchObject({
        status: 'completed',
        mode: 'remind',
        machine: { id: 'remind', version: '1' },
        usage: { turns: 0 },
      });
      expect(await listItems(deps.store, run.workspaceId)).toMatchObject([
        { label: 'Reminder', data: 'Call Ada back' },
      ]);
    } finally {
      await stage.close();
    }
  });
});

// The recipe brings its own test: the contract of all models, on a server that answers as the invented provider does.
const loadProvider = prepare('Add a model provider');
await loadProvider('tests/model/echo/echo.test.ts');
