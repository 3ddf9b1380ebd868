import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunComparison, RunConfig } from '../../../../engine/src/api/routes/diagnostics/run-config.ts';
import { type Desk, openDesk } from '../../harness.ts';

const BOSS = `id: boss
name: Boss
apiConfigId: main
prompt:
  - role: system
    content: Be short.
`;

describe('the config of a run', () => {
  let desk: Desk;
  let before = '';
  let after = '';
  beforeAll(async () => {
    desk = await openDesk({ files: { 'directors/boss.yaml': BOSS } });
    before = (await desk.post('/api/runs', { directorId: 'boss', message: 'Hello' })).json.id;
    await desk.rest();
    const body = { id: 'boss', name: 'Boss', apiConfigId: 'main', prompt: [{ role: 'system', content: 'Be long.' }] };
    expect((await desk.ask('PUT', '/api/directors/boss', { body })).status).toBe(200);
    after = (await desk.post('/api/runs', { directorId: 'boss', message: 'Hello' })).json.id;
    await desk.rest();
  });
  afterAll(() => desk.close());

  const read = async <T>(path: string) => JSON.parse((await desk.get(path)).text) as T;

  test('names what has changed since with a diff, then what is the same', async () => {
    const { revision, current, documents } = await read<RunConfig>(`/api/runs/${before}/config`);
    expect(revision).not.toBe(current);
    expect(documents[0]).toMatchObject({ name: 'directors/boss', state: 'changed' });
    expect(documents[0]?.diff).toContain('-    content: Be short.');
    expect(documents[0]?.diff).toContain('+    content: Be long.');
    expect(new Set(documents.slice(1).map(({ state }) => state))).toEqual(new Set(['same']));
    expect(documents.slice(1).every(({ diff }) => diff === undefined)).toBe(true);
    const newest = await read<RunConfig>(`/api/runs/${after}/config`);
    expect(newest.revision).toBe(newest.current);
  });

  test('gives a document as it was', async () => {
    const then = await read<{ text: string }>(`/api/runs/${before}/config?name=directors/boss`);
    expect(then.text).toContain('Be short.');
    expect((await desk.get(`/api/runs/${before}/config?name=agents/none`)).json.error.code).toBe('NOT_FOUND');
  });

  test('is compared with that of another run, and so is what the models were told', async () => {
    const { documents, prompt } = await read<RunComparison>(`/api/runs/${before}/compare/${after}`);
    expect(documents.map(({ name, state }) => [name, state])).toEqual([['directors/boss', 'changed']]);
    expect(prompt).toContain('-Be short.');
    expect(prompt).toContain('+Be long.');
    const same = await read<RunComparison>(`/api/runs/${after}/compare/${after}`);
    expect(same).toEqual({ documents: [], prompt: '' });
  });

  test('of a run that is not there is not found', async () => {
    expect((await desk.get('/api/runs/run_none/config')).status).toBe(404);
    expect((await desk.get(`/api/runs/${before}/compare/run_none`)).status).toBe(404);
  });
});
