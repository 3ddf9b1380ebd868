import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

  test('is shown without the secrets that stand in it', async () => {
    desk.services.deps.redactor.add('hunter22hunter22');
    const body = { id: 'boss', name: 'hunter22hunter22', apiConfigId: 'main' };
    writeFileSync(join(desk.stage.root, 'config/directors/boss.yaml'), JSON.stringify(body));
    await desk.stage.app.config.refresh();
    const leaky = (await desk.post('/api/runs', { directorId: 'boss', message: 'Hello' })).json.id;
    await desk.rest();
    for (const path of [
      `/api/runs/${leaky}/config?name=directors/boss`,
      `/api/runs/${before}/config`,
      `/api/runs/${before}/compare/${leaky}`,
    ]) {
      const { text } = await desk.get(path);
      expect(text).not.toContain('hunter22');
      expect(text).toContain('[redacted]');
    }
  });

  test('shows the later text where the two differ too much', async () => {
    const say = async (word: string) => {
      const message = Array.from({ length: 20_000 }, (_one, i) => `${word}${i}`).join('\n');
      const { id } = (await desk.post('/api/runs', { directorId: 'boss', message })).json;
      await desk.rest();
      return id;
    };
    const [a, b] = [await say('a'), await say('b')];
    const { prompt } = await read<RunComparison>(`/api/runs/${a}/compare/${b}`);
    expect(prompt).toMatch(/^--- prompt\n\+\+\+ prompt\n# /);
    expect(prompt).toContain('\nb19999');
    expect(prompt).not.toContain('\n@@');
  });

  test('of a run that is not there is not found', async () => {
    expect((await desk.get('/api/runs/run_none/config')).status).toBe(404);
    expect((await desk.get(`/api/runs/${before}/compare/run_none`)).status).toBe(404);
  });
});
