import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../harness.ts';

const PRICED =
  'id: priced\nprovider: openai\napiKey: ${env:PATH}\nbaseUrl: http://127.0.0.1:9/v1\nmodel: small\nprice: { inputPerMillion: 1000000, outputPerMillion: 0 }\nlimits: { maxTokensPerRequest: 300 }\n';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({
    files: {
      'settings.yaml': 'roots: { lab: ./lab, diary: ./diary }\n',
      'apis/priced.yaml': PRICED,
      'agents/reader.yaml':
        'id: reader\nname: Reader\napiConfigId: priced\ntools: [notebook]\nscope: { notebooks: [lab], folders: ["/notes/*"], fileTypes: ["*.md"] }\n',
      'agents/bare.yaml': 'id: bare\nname: Bare\napiConfigId: priced\ntools: []\n',
    },
  });
  for (const folder of ['notes/old', 'secret', '.git'])
    mkdirSync(join(desk.stage.root, 'lab', folder), { recursive: true });
  for (const file of ['notes/plan.md', 'notes/plan.exe', 'notes/old/a.md', 'secret/key.md', '.git/b.md'])
    writeFileSync(join(desk.stage.root, 'lab', file), 'text');
});
afterAll(() => desk.close());

describe('an estimate', () => {
  const estimate = async (body: object) =>
    (await desk.post('/api/estimate', body)).json as unknown as { inputTokens: number; cost: number };

  test('counts prompt, tools and message at four characters per token, with the price of the api', async () => {
    const short = await estimate({ agentId: 'bare', message: 'hello' });
    expect(short).toMatchObject({ apiId: 'priced', model: 'small', outputTokens: 300 });
    expect(short.cost).toBe(short.inputTokens);
    const long = await estimate({ agentId: 'bare', message: 'x'.repeat(4005) });
    expect(long.inputTokens - short.inputTokens).toBe(1000);
    const withTools = await estimate({ agentId: 'reader', message: 'hello' });
    expect(withTools.inputTokens).toBeGreaterThan(short.inputTokens + 500);
  });

  test('counts the earlier messages of a session, and a director has one too', async () => {
    const { id } = (await desk.post('/api/agents/bare/sessions')).json;
    const empty = await estimate({ agentId: 'bare', message: 'hello' });
    expect(await estimate({ agentId: 'bare', message: 'hello', threadId: id })).toEqual(empty);
    const run = (await desk.post('/api/runs', { directorId: 'boss', message: 'y'.repeat(4000) })).json;
    await desk.stage.ended(run.id);
    const threadId = String((await desk.get(`/api/runs/${run.id}`)).json['dirThreadId']);
    const first = await estimate({ directorId: 'boss', message: 'hello' });
    const later = await estimate({ directorId: 'boss', message: 'hello', threadId });
    expect(later.inputTokens).toBeGreaterThan(first.inputTokens + 1000);
  });

  test('of nobody, or of an unknown agent, is refused', async () => {
    expect((await desk.post('/api/estimate', { message: 'a' })).status).toBe(400);
    expect((await desk.post('/api/estimate', { agentId: 'none', message: 'a' })).status).toBe(404);
  });
});

describe('the files of notebooks', () => {
  const files = (query: string) => desk.get(`/api/agents/reader/files?${query}`);

  test('are those that the scope of the agent opens to read, folder by folder', async () => {
    expect((await desk.get('/api/agents/reader/notebooks')).json.items).toEqual([{ name: 'lab' }]);
    expect((await desk.get('/api/agents/bare/notebooks')).json.items).toEqual([]);
    expect((await files('notebook=lab')).json).toMatchObject({ files: [], folders: ['/notes'] });
    expect((await files('notebook=lab&path=/notes')).json).toMatchObject({
      notebook: 'lab',
      path: '/notes',
      files: [{ path: '/notes/plan.md', size: 4 }],
      folders: ['/notes/old'],
    });
  });

  test.each([
    ['another notebook', 'notebook=diary', 'OUT_OF_SCOPE'],
    ['a folder out of scope', 'notebook=lab&path=/secret', 'OUT_OF_SCOPE'],
    ['a folder that is not there, with the same words', 'notebook=lab&path=/gone', 'OUT_OF_SCOPE'],
    ['a hidden folder', 'notebook=lab&path=/.git', 'OUT_OF_SCOPE'],
    ['a path that leaves the notebook', 'notebook=lab&path=../diary', 'FILE_DENIED'],
    ['no notebook', '', 'BAD_REQUEST'],
  ])('%s is refused', async (_name, query, code) => {
    expect((await files(query)).json.error.code).toBe(code);
  });
});

test('sessions of all agents are listed together, newest first', async () => {
  const opened = [];
  for (const agent of ['reader', 'bare']) opened.push((await desk.post(`/api/agents/${agent}/sessions`)).json.id);
  const ids = (await desk.get('/api/sessions')).json.items.map(({ id }) => id);
  expect(ids.slice(0, 2)).toEqual(opened.toReversed());
});
