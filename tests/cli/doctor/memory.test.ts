import { expect, test } from 'vitest';
import { checkMemory } from '../../../engine/src/cli/doctor/memory.ts';
import type { Api, Snapshot } from '../../../engine/src/config/config.ts';
import { anthropicApi, openaiApi } from '../../model/fixtures.ts';

type Embeddings = Snapshot['settings']['memory']['embeddings'];

function check(embeddings: Embeddings, apis: readonly Api[], isInstalled = false) {
  const settings = { memory: { embeddings } } as Snapshot['settings'];
  return checkMemory({ settings, apis: new Map(apis.map((api) => [api.id, api])) }, () => isInstalled);
}

test.each([
  [
    'an api',
    { apiConfigId: 'main', model: 'small', local: true },
    'ok',
    /vectors of small \(api main\); .* locality: local/,
  ],
  ['the model of the api', { apiConfigId: 'main', local: true }, 'ok', /vectors of test-model \(api main\)/],
  ['an api that is missing', { apiConfigId: 'none', local: true }, 'warn', /words alone: api "none" does not exist/],
  [
    'an api without embeddings',
    { apiConfigId: 'claude', local: true },
    'warn',
    /"claude" has no embeddings \(anthropic\)/,
  ],
  ['nothing', { local: true }, 'ok', /words alone: the packages of the local model are not installed/],
  ['local: false', { local: false }, 'ok', /words alone: memory.embeddings.local is false/],
] as const)('doctor tells how memories are found with %s', (_name, embeddings, status, message) => {
  const found = check(embeddings, [openaiApi('https://api.openai.com/v1'), anthropicApi()]);
  expect(found).toMatchObject({ check: 'memory', status, message: expect.stringMatching(message) });
});

test('doctor names the local model where it is installed', () => {
  expect(check({ local: true }, [], true).message).toContain('local model energetic-ai');
});
