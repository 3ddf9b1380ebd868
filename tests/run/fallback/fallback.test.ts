import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Api } from '../../../engine/src/config/config.ts';
import type { ModelRequest, Models } from '../../../engine/src/model/model.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';

const down = () => new ModelError('MODEL_UNAVAILABLE', 'the server is down', { retryable: true });
const limited = () => new ModelError('MODEL_RATE_LIMIT', 'no credit left');

/** What each api does with a request; an api without an entry answers `Done.` */
let failing: Record<string, (request: ModelRequest) => Error | undefined> = {};
/** What the model says where nothing fails. */
let answer: Parameters<typeof playModels>[0] = () => ({ content: 'Done.' });
const unavailable = new Set<string>();
let asked: { readonly api: string; readonly turn: number; readonly request: ModelRequest }[] = [];

const models: Models = {
  open: (api: Api) => ({
    async ask(request) {
      asked.push({ api: api.id, turn: request.turn, request });
      const error = failing[api.id]?.(request);
      if (error !== undefined) throw error;
      return playModels(answer).open(api).ask(request);
    },
    available: async () => (unavailable.has(api.id) ? { ok: false, why: 'no key' } : { ok: true }),
  }),
  close: async () => {},
};

const api = (id: string, more = '') =>
  `id: ${id}\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\nretry: { attempts: 1 }\n${more}`;
const director = (id: string, apiId: string, more = '') =>
  `id: ${id}\nname: ${id}\napiConfigId: ${apiId}\nagents: [helper]\ntools: [ask_user]\n${more}`;
const FILES = {
  'apis/main.yaml': api(
    'main',
    'fallback: { to: [spare, rules, third] }\nprice: { inputPerMillion: 1, outputPerMillion: 1 }\n',
  ),
  'apis/spare.yaml': api('spare', 'price: { inputPerMillion: 2, outputPerMillion: 2 }\n'),
  'apis/third.yaml': api('third'),
  'apis/rules.yaml': 'id: rules\nprovider: scripted\nscript: [{ when: { any: true }, say: scripted }]\n',
  'apis/plain.yaml': api('plain', 'fallback: [spare]\n'),
  'apis/picky.yaml': api('picky', 'fallback: { to: [spare], on: [unavailable] }\n'),
  'apis/near.yaml': api('near', 'locality: local\nfallback: { to: [spare, close] }\n'),
  'apis/close.yaml': api('close', 'locality: local\n'),
  'apis/faithful.yaml': api('faithful', 'fallback: { to: [rules] }\n'),
  'directors/boss.yaml': director('boss', 'main'),
  'directors/plain.yaml': director('plain', 'plain'),
  'directors/picky.yaml': director('picky', 'picky'),
  'directors/near.yaml': director('near', 'near'),
  'directors/faithful.yaml': director('faithful', 'faithful'),
};

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ models, files: FILES });
});
afterAll(() => stage.close());
beforeEach(() => {
  failing = {};
  asked = [];
  unavailable.clear();
  answer = () => ({ content: 'Done.' });
});

const path = () => asked.map((one) => `${one.api} ${one.turn}`);

describe('an api that fails during a run', () => {
  test('is replaced at the turn by the next one, which the run, the trace and the spend name', async () => {
    answer = ({ turn }) => (turn === 1 ? { tool_calls: [call('a', 'list_agents', {})] } : { content: 'Done.' });
    failing = { main: ({ turn }) => (turn === 2 ? down() : undefined) };
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'completed', apis: [{ id: 'main' }, { id: 'spare' }], scripted: false });
    expect(path()).toEqual(['main 1', 'main 2', 'spare 2']);
    const entries = await stage.app.deps.store.list('entry', { where: [['scope', '=', run.id]] });
    expect(entries.map(({ body }) => JSON.parse(body) as unknown)).toContainEqual(
      expect.objectContaining({
        detail: expect.objectContaining({ action: 'api_changed', from: 'main', apiId: 'spare' }),
      }),
    );
    // 11 tokens of each api, at one and at two dollars a million.
    expect(run.usage.cost).toBeCloseTo(33e-6, 9);
  });

  test('is not asked again in this run, also after a restart', async () => {
    answer = ({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', 'ask_user', { question: 'Go on?' })] } : { content: 'Done.' };
    failing = { main: ({ turn }) => (turn === 1 ? down() : undefined) };
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'waiting');
    await stage.restart();
    await stage.app.engine.message(id, { text: 'yes', by: 'jane' });
    await stage.ended(id);
    expect(path()).toEqual(['main 1', 'spare 1', 'spare 2']);
  });

  test('is replaced by each of its fallbacks once, never by rules, and the run fails with the last error', async () => {
    failing = { main: limited, spare: down, third: down };
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'failed', error: { code: 'MODEL_UNAVAILABLE' } });
    expect(path()).toEqual(['main 1', 'spare 1', 'third 1']);
  });

  test('is not replaced by an api that is not available', async () => {
    failing = { main: down };
    unavailable.add('spare');
    const run = await stage.ended(await stage.begin());
    expect(run.status).toBe('completed');
    expect(path()).toEqual(['main 1', 'third 1']);
  });

  test.each([
    ['where the fallback is a plain list', 'plain', down, 'MODEL_UNAVAILABLE'],
    ['by a failure that `on` does not name', 'picky', limited, 'MODEL_RATE_LIMIT'],
    ['by rules', 'faithful', down, 'MODEL_UNAVAILABLE'],
    [
      'by an error of the request',
      'boss',
      () => new ModelError('MODEL_BAD_REQUEST', 'too much of something'),
      'MODEL_BAD_REQUEST',
    ],
  ])('is not replaced %s', async (_case, directorId, error, code) => {
    failing = { [directorId === 'boss' ? 'main' : directorId]: error };
    const run = await stage.ended(await stage.begin(directorId));
    expect(run).toMatchObject({ status: 'failed', error: { code } });
    expect(asked).toHaveLength(1);
  });

  test('is replaced by local apis alone where it is local', async () => {
    failing = { near: down };
    expect((await stage.ended(await stage.begin('near'))).status).toBe('completed');
    expect(path()).toEqual(['near 1', 'close 1']);
  });

  test('is replaced for the director as well where its agent meets the failure', async () => {
    answer = ({ role, turn }) =>
      role === 'director' && turn < 3
        ? { tool_calls: [call('a', 'agent__helper', { input: 'help' })] }
        : { content: 'Done.' };
    failing = { main: ({ role }) => (role === 'agent' ? down() : undefined) };
    expect((await stage.ended(await stage.begin())).status).toBe('completed');
    expect(asked.map(({ api: id, request }) => `${request.role} ${id}`)).toEqual([
      ...['director main', 'agent main', 'agent spare'],
      ...['director spare', 'agent spare', 'director spare'],
    ]);
  });

  test('leaves its encrypted reasoning to itself', async () => {
    const reasoning = [{ at: 0, sealed: 'for main alone' }];
    answer = ({ turn }) =>
      turn < 3 ? ({ tool_calls: [call(`c${turn}`, 'list_agents', {})], reasoning } as object) : { content: 'Done.' };
    failing = { main: ({ turn }) => (turn === 2 ? down() : undefined) };
    await stage.ended(await stage.begin());
    const sealed = asked.map(({ api: id, request }) => [
      id,
      request.messages.filter((message) => 'reasoning' in message).length,
    ]);
    expect(sealed).toEqual([
      ['main', 0],
      ['main', 1],
      ['spare', 0],
      ['spare', 1],
    ]);
  });
});
