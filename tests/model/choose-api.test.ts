import { describe, expect, test } from 'vitest';
import type { Api } from '../../engine/src/config/config.ts';
import { chooseApi } from '../../engine/src/model/choose-api.ts';
import type { Models } from '../../engine/src/model/model.ts';
import { ollamaApi, openaiApi, scriptedApi } from './fixtures.ts';

const main = openaiApi('https://models.test/v1', { fallback: ['local', 'offline'] });
const local = ollamaApi('http://127.0.0.1:9', { fallback: ['other'] });
const other = ollamaApi('http://127.0.0.1:9', { id: 'other' });
const offline = scriptedApi([{ when: { any: true }, say: 'Done.' }]);
const apis = new Map<string, Api>([main, local, other, offline].map((api) => [api.id, api]));

/** Models of which only those named are available; `asked` tells who was asked. */
function only(...ids: string[]): { models: Pick<Models, 'open'>; asked: string[] } {
  const asked: string[] = [];
  const open: Models['open'] = ({ id }) => ({
    ask: () => Promise.reject(new Error('nobody asks here')),
    async available() {
      asked.push(id);
      return ids.includes(id) ? { ok: true } : { ok: false, why: `${id} is away` };
    },
  });
  return { models: { open }, asked };
}

test('the named api is taken where it is available, and no other is asked', async () => {
  const { models, asked } = only('main', 'local', 'offline');
  expect(await chooseApi({ api: main, apis, models })).toEqual({ api: main, skipped: [] });
  expect(asked).toEqual(['main']);
});

test('fallbacks are tried in order, and each that was passed over says why', async () => {
  const { models } = only('offline');
  expect(await chooseApi({ api: main, apis, models })).toEqual({
    api: offline,
    skipped: [
      { apiId: 'main', why: 'main is away' },
      { apiId: 'local', why: 'local is away' },
    ],
  });
});

test('fallbacks of a fallback are not followed', async () => {
  const { models, asked } = only('other');
  await expect(chooseApi({ api: main, apis, models })).rejects.toMatchObject({ code: 'MODEL_NONE_AVAILABLE' });
  expect(asked).toEqual(['main', 'local', 'offline']);
});

test('where none is available, the error names each api and its reason', async () => {
  const { models } = only();
  await expect(chooseApi({ api: main, apis, models })).rejects.toThrow(
    'no model is available: "main": main is away; "local": local is away; "offline": offline is away',
  );
});

test('a fallback that is not there is passed over', async () => {
  const { models } = only('offline');
  const { skipped } = await chooseApi({ api: main, apis: new Map([['offline', offline]]), models });
  expect(skipped[1]).toEqual({ apiId: 'local', why: 'this api does not exist or is disabled' });
});

test('a scripted api that is named is taken as it is', async () => {
  const { models } = only('offline');
  expect((await chooseApi({ api: offline, apis, models })).api).toBe(offline);
});

describe('a run that is marked local', () => {
  const near = ollamaApi('http://127.0.0.1:9', { id: 'local', locality: 'local' });
  const all = new Map<string, Api>([main, near, offline].map((api) => [api.id, api]));

  test('passes over what is not marked local, though it is available, and asks it nothing', async () => {
    const { models, asked } = only('main', 'local', 'offline');
    expect(await chooseApi({ api: main, apis: all, models, locality: 'local' })).toEqual({
      api: near,
      skipped: [{ apiId: 'main', why: 'this run may use only apis marked "locality: local"' }],
    });
    expect(asked).toEqual(['local']);
  });

  test('may be answered by rules, which ask nobody', async () => {
    const { models } = only('main', 'offline');
    expect((await chooseApi({ api: main, apis: all, models, locality: 'local' })).api).toBe(offline);
  });

  test('has no model where no local one is there, and is told why', async () => {
    const { models } = only('main');
    await expect(chooseApi({ api: main, apis: all, models, locality: 'local' })).rejects.toMatchObject({
      code: 'MODEL_NONE_AVAILABLE',
      message: expect.stringContaining('"main": this run may use only apis marked "locality: local"'),
      hint: expect.stringContaining('locality: local'),
    });
  });
});

test('an abort rejects with its reason', async () => {
  const reason = new Error('stopped');
  await expect(chooseApi({ api: main, apis, models: only().models, signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );
});

test('a local api with a fallback for failures during the run is replaced by local apis alone, at the start too', async () => {
  const near = ollamaApi('http://127.0.0.1:9', {
    locality: 'local',
    fallback: { to: ['other', 'offline'], on: ['unavailable'] },
  });
  const remote = { ...openaiApi('https://models.test/v1'), id: 'other' };
  const opened: string[] = [];
  const models: Pick<Models, 'open'> = {
    open: ({ id }) => {
      opened.push(id);
      return {
        ask: () => Promise.reject(new Error('not asked')),
        available: async () => (id === near.id ? { ok: false, why: 'down' } : { ok: true }),
      };
    },
  };
  const apis = new Map<string, Api>([remote, scriptedApi([])].map((api) => [api.id, api]));
  const { api, skipped } = await chooseApi({ api: near, apis, models });
  expect(api.id).toBe('offline');
  expect(skipped.at(-1)).toMatchObject({ apiId: 'other', why: expect.stringContaining('is local') as string });
  expect(opened).not.toContain('other');
});
