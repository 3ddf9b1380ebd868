import { afterEach, expect, test } from 'vitest';
import type { Models } from '../../../engine/src/model/model.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const NEAR = 'id: near\nprovider: ollama\nmodel: m\nlocality: local\n';
const FAR = 'id: main\nprovider: openai\nmodel: m\napiKey: ${env:KEY}\nfallback: [near]\n';
const HELPER = 'id: helper\nname: Helper\ndescription: Helps.\napiConfigId: main\n';
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\nlocality: local\nagents: [helper]\n';

/** Models that note which api was opened, and that all say they are available. The director asks its agent once. */
function noting(): { models: Models; opened: Set<string> } {
  const opened = new Set<string>();
  const played = playModels(({ role, turn }) =>
    role === 'director' && turn === 1
      ? { tool_calls: [call('a', 'agent__helper', { input: 'help' })] }
      : { content: 'Done.' },
  );
  return {
    opened,
    models: {
      ...played,
      open(api) {
        opened.add(api.id);
        return played.open(api);
      },
    },
  };
}

test('a run that is marked local asks only local apis, through its agents and its fallbacks as well', async () => {
  const { models, opened } = noting();
  stage = await setStage({
    models,
    files: { 'apis/main.yaml': FAR, 'apis/near.yaml': NEAR, 'agents/helper.yaml': HELPER, 'directors/boss.yaml': BOSS },
  });
  const run = await stage.ended(await stage.begin());
  expect(run.status).toBe('completed');
  expect(opened).toEqual(new Set(['near']));
});

test('a run that is marked local fails where it has no local api, and asks nobody', async () => {
  const { models, opened } = noting();
  stage = await setStage({ models, files: { 'directors/boss.yaml': BOSS } });
  const run = await stage.ended(await stage.begin());
  expect(run).toMatchObject({
    status: 'failed',
    error: { code: 'MODEL_NONE_AVAILABLE', message: expect.stringContaining('locality: local') },
  });
  expect(opened).toEqual(new Set());
});

test('an agent that has no local api cannot be asked, and its director is told so', async () => {
  const { models, opened } = noting();
  stage = await setStage({
    models,
    files: {
      'apis/near.yaml': NEAR,
      'agents/helper.yaml': HELPER,
      'directors/boss.yaml': BOSS.replace('main', 'near'),
    },
  });
  const run = await stage.ended(await stage.begin());
  expect(run.status).toBe('completed');
  expect(opened).toEqual(new Set(['near']));
  const result = (await stage.messages(run.dirThreadId)).find(({ role }) => role === 'tool');
  expect(result?.content).toContain('MODEL_NONE_AVAILABLE');
});
