import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

const WITH_TOOLS = { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n' };

describe('the list', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ files: { 'directors/chief.yaml': 'id: chief\nname: Chief\napiConfigId: main\n' } });
    for (const message of ['a', 'b', 'c']) await desk.post('/api/runs', { directorId: 'boss', message });
    await desk.post('/api/runs', { directorId: 'chief', message: 'd' });
    await desk.rest();
  });
  afterAll(() => desk.close());

  const messages = (answer: { json: { items: readonly Record<string, unknown>[] } }) =>
    answer.json.items.map(({ trigger }) => (trigger as { message: string }).message);

  test('gives runs, the newest first', async () => {
    expect(messages(await desk.get('/api/runs'))).toEqual(['d', 'c', 'b', 'a']);
  });

  test('pages through all runs, each once', async () => {
    const first = await desk.get('/api/runs?limit=3');
    const second = await desk.get(`/api/runs?limit=3&cursor=${first.json.nextCursor}`);
    expect([...messages(first), ...messages(second)]).toEqual(['d', 'c', 'b', 'a']);
    expect(second.json.nextCursor).toBeNull();
  });

  test.each([
    ['directorId=chief', ['d']],
    ['status=completed&directorId=boss', ['c', 'b', 'a']],
    ['status=failed', []],
    ['q=chief', ['d']],
    ['q=done+boss&limit=2', ['c', 'b']],
    ['q=done+nobody', []],
    ['agentId=helper', []],
  ])('can be of %s only', async (query, found) => {
    expect(messages(await desk.get(`/api/runs?${query}`))).toEqual(found);
  });
});

test('a search finds words of titles as they are shown, also where they are stored in another form', async () => {
  const desk = await openDesk();
  const cut = `${'long '.repeat(39)}quokkas`;
  for (const message of ['say "hello"', 'ΟΔΟΣ', `a\\b`, cut])
    await desk.post('/api/runs', { directorId: 'boss', message });
  await desk.rest();
  for (const [word, title] of [
    ['"HELLO"', 'say "hello"'],
    ['οδος', 'ΟΔΟΣ'],
    ['a\\b', 'a\\b'],
    ['quok…', `${cut.slice(0, 199)}…`],
  ] as const) {
    const { items } = (await desk.get(`/api/runs?q=${encodeURIComponent(word)}`)).json;
    expect(items.map(({ subject }) => subject)).toEqual([title]);
  }
  await desk.close();
});

test('a message starts a run that is answered at once and ends by itself', async () => {
  const desk = await openDesk();
  const answer = await desk.post('/api/runs', { directorId: 'boss', message: 'what is up?' });
  expect(answer.status).toBe(201);
  expect(answer.json).toMatchObject({
    status: 'queued',
    directorId: 'boss',
    startedBy: 'local',
    trigger: { kind: 'message', message: 'what is up?' },
    workspaceId: answer.json.id,
  });
  await desk.stage.ended(answer.json.id);
  const { json } = await desk.get(`/api/runs/${answer.json.id}`);
  expect(json).toMatchObject({
    status: 'completed',
    summary: 'done',
    usage: { turns: 1, inputTokens: 10, outputTokens: 1 },
  });
  await desk.close();
});

test('a run on a mail works in the workspace of the first run on it', async () => {
  const desk = await openDesk();
  desk.drop('a.eml', letter('a'));
  await desk.fetch();
  const mail = (await desk.get('/api/emails?expand=runs')).json.items[0];
  const { json } = await desk.post('/api/runs', { directorId: 'boss', emailId: mail?.id });
  expect(json).toMatchObject({
    emailId: mail?.id,
    trigger: { kind: 'mail', emailId: mail?.id },
    workspaceId: mail?.runs[0]?.id,
  });
  expect((await desk.get(`/api/runs?emailId=${mail?.id}`)).json.items).toHaveLength(2);
  await desk.rest();
  await desk.close();
});

test('a mail that is handed in is kept, goes to this director only, and is there once', async () => {
  const desk = await openDesk({ files: { 'directors/chief.yaml': 'id: chief\nname: Chief\napiConfigId: main\n' } });
  const raw = Buffer.from(letter('by hand')).toString('base64');
  const first = await desk.post('/api/runs', { directorId: 'chief', raw });
  const second = await desk.post('/api/runs', { directorId: 'chief', raw });
  await desk.rest();
  const { json } = await desk.get('/api/emails?expand=runs');
  expect(json.items).toHaveLength(1);
  expect(json.items[0]).toMatchObject({ subject: 'by hand', accountId: 'inbox', routed: true });
  expect(json.items[0]?.runs.map(({ id }) => id)).toEqual([second.json.id, first.json.id]);
  await desk.close();
});

test('a mail in something else than base64 is refused', async () => {
  const desk = await openDesk();
  expect((await desk.post('/api/runs', { directorId: 'boss', raw: 'From: <a>' })).json.error.code).toBe('BAD_REQUEST');
  await desk.close();
});

test('the use of models is told while a run works', async () => {
  const answers = [{ tool_calls: [call('c1', 'list_agents', {})] }];
  let release = () => {};
  const desk = await openDesk({
    play: () => answers.shift() ?? new Promise((resolve) => (release = () => resolve({ content: 'done' }))),
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.stage.until(json.id, ({ status }) => status === 'running');
  await expect.poll(async () => (await desk.get(`/api/runs/${json.id}`)).json.usage.turns).toBe(1);
  expect((await desk.stage.run(json.id)).usage.turns).toBe(0);
  release();
  await desk.stage.ended(json.id);
  await desk.close();
});

test('cancelling ends a run, once', async () => {
  const desk = await openDesk({
    play: (request) =>
      new Promise((_resolve, reject) =>
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason)),
      ),
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.stage.until(json.id, ({ status }) => status === 'running');
  // The viewer sends an empty object.
  expect((await desk.post(`/api/runs/${json.id}/cancel`, {})).json.status).toBe('cancelled');
  expect((await desk.post(`/api/runs/${json.id}/cancel`)).json.error.code).toBe('RUN_NOT_ACTIVE');
  await desk.close();
});

test('deleting a run leaves nothing of it behind', async () => {
  const desk = await openDesk({
    files: WITH_TOOLS,
    play: ({ turn }) =>
      turn === 1 ? { tool_calls: [call('c', 'workspace_add_item', { data: 'x' })] } : { content: 'done' },
  });
  const first = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  const second = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.rest();
  const { store } = desk.services.deps;
  expect(await store.count('item')).toBe(2);
  expect((await desk.ask('DELETE', `/api/runs/${first.json.id}`)).status).toBe(204);
  expect((await desk.ask('DELETE', `/api/runs?ids=${second.json.id}`)).json.deleted).toEqual([second.json.id]);
  for (const table of ['run', 'item', 'thread', 'message', 'event', 'entry', 'machine', 'ledger', 'timer'] as const)
    expect([table, await store.count(table)]).toEqual([table, 0]);
  await desk.close();
});

describe('what a run leaves to look at', () => {
  let desk: Desk;
  let run: { id: string; dirThreadId: string; mail: string };
  beforeAll(async () => {
    desk = await openDesk({
      play: ({ role, turn }) =>
        role === 'director' && turn === 1
          ? { tool_calls: [call('c1', 'agent__helper', { input: 'help' })] }
          : { content: `${role} is done` },
    });
    desk.drop('a.eml', letter('a'));
    await desk.fetch();
    const { json } = await desk.get('/api/runs');
    const [item] = json.items;
    run = { id: item?.id ?? '', dirThreadId: item?.dirThreadId ?? '', mail: String(item?.['emailId']) };
  });
  afterAll(() => desk.close());

  test('the conversation of a director is found by director and mail', async () => {
    const { json } = await desk.get(`/api/conversations/byDirectorEmail?directorId=boss&emailId=${run.mail}`);
    expect(json).toMatchObject({
      id: run.dirThreadId,
      kind: 'director',
      status: 'completed',
      finalized: true,
      runId: run.id,
    });
    expect(json.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
  });

  test('conversations are listed without messages, those of agents too', async () => {
    const { json } = await desk.get(`/api/conversations?runId=${run.id}`);
    expect(json.items.map(({ kind }) => kind).sort()).toEqual(['agent', 'director']);
    for (const item of json.items) expect(item).not.toHaveProperty('messages');
    const agents = await desk.get(`/api/conversations?kind=agent&limit=1`);
    expect(agents.json.items[0]).toMatchObject({ agentId: 'helper', parentThreadId: run.dirThreadId });
  });

  test('provider events are listed in order, requests with what was sent', async () => {
    const first = await desk.get(`/api/provider-events?threadId=${run.dirThreadId}&limit=3`);
    const second = await desk.get(`/api/provider-events?threadId=${run.dirThreadId}&cursor=${first.json.nextCursor}`);
    const events = [...first.json.items, ...second.json.items];
    expect(events.map(({ kind }) => kind)).toEqual(['request', 'response', 'request', 'response']);
    expect(events[2]?.['payload']).toMatchObject({ messages: { length: 4 }, tools: expect.any(Array) });
  });

  test('diagnostics page through the entries of runs', async () => {
    const all = (await desk.get('/api/diagnostics')).json;
    expect(all.nextCursor).toBeNull();
    expect(all.items.length).toBeGreaterThan(3);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json } = await desk.get(
        `/api/diagnostics?runId=${run.id}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...json.items.map(({ id }) => id));
      cursor = json.nextCursor;
    }
    expect(seen).toEqual(all.items.map(({ id }) => id));
  });

  test('the runtime says what runs and how much there is', async () => {
    expect((await desk.get('/api/diagnostics/runtime')).json).toMatchObject({
      version: expect.stringMatching(/^\d/),
      node: process.version,
      storage: 'plaintext',
      counts: { emails: 1, runs: 1, items: 0, threads: 2 },
      load: { working: 0, effects: 0 },
    });
  });

  test('a conversation that is over can be deleted, with those under it', async () => {
    expect((await desk.ask('DELETE', `/api/conversations/${run.dirThreadId}`)).status).toBe(204);
    expect((await desk.get('/api/conversations')).json.items).toEqual([]);
    expect(await desk.services.deps.store.count('message')).toBe(0);
  });
});

describe('diagnostics over several runs', () => {
  test('come run by run, the newest first, whole and once, whatever the size of the page', async () => {
    const desk = await openDesk();
    for (let i = 0; i < 25; i++) await desk.post('/api/runs', { directorId: 'boss', message: `m${i}` });
    await desk.rest();
    const all: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json } = await desk.get(`/api/diagnostics?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`);
      all.push(...json.items.map(({ id }) => id));
      cursor = json.nextCursor;
    }
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(await desk.services.deps.store.count('entry'));
    const runs = [...new Set(all.map((id) => id.split('.')[0]))];
    expect(runs).toEqual([...runs].sort().reverse());
    await desk.close();
  });
});

test('a damaged run does not hide the others of its page', async () => {
  const desk = await openDesk();
  const good = await desk.post('/api/runs', { directorId: 'boss', message: 'one' });
  await desk.rest();
  const bad = await desk.post('/api/runs', { directorId: 'boss', message: 'two' });
  await desk.rest();
  const { store } = desk.stage.app.deps;
  await store.apply([{ op: 'update', table: 'run', key: { id: bad.json.id }, set: { body: '{broken' } }]);
  const { json } = await desk.get('/api/runs');
  expect(json.items).toMatchObject([
    { id: bad.json.id, error: { code: 'STORE_DAMAGED' } },
    { id: good.json.id, status: 'completed' },
  ]);
  await desk.close();
});
