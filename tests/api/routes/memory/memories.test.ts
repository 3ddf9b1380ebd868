import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LiveEvent } from '../../../../engine/src/trace/live-bus.ts';
import { add, FROM_MAIL, GLOBAL } from '../../../memory/stage.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
let told: LiveEvent[];
beforeEach(async () => {
  desk = await openDesk();
  told = [];
  desk.stage.app.deps.live.subscribe((event) => void (event.name === 'memory' && told.push(event)));
});
afterEach(() => desk.close());

const store = () => desk.stage.app.deps.store;
const contents = async (query = '') =>
  (await desk.get(`/api/memory${query}`)).json.items.map((item) => item['content']);
const put = (id: string, body: object) => desk.ask('PUT', `/api/memory/${id}`, { body });

describe('memories', () => {
  test('are added by a person, and every tab is told', async () => {
    const made = await desk.post('/api/memory', { content: 'Anna likes tea.', tags: ['anna'] });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      ...{ ...GLOBAL, content: 'Anna likes tea.', tags: ['anna'], owner: 'user', trust: 'trusted', revision: 1 },
      provenance: [{ writtenBy: 'person', trust: 'trusted' }],
    });
    expect(made.json).toHaveProperty('timestamp');
    const again = await desk.post('/api/memory', { content: 'Anna likes tea.', tags: ['drinks'] });
    expect(again).toMatchObject({ status: 200, json: { id: made.json['id'], tags: ['anna', 'drinks'] } });
    expect(told.map(({ data }) => data)).toEqual([{ ids: [made.json['id']] }, { ids: [made.json['id']] }]);
    expect((await desk.get(`/api/memory/${String(made.json['id'])}`)).json).toEqual(again.json);
  });

  test('are listed newest first, page by page, by each filter', async () => {
    const [boss, helper] = [
      { scope: 'local', directorId: 'boss', agentId: '' },
      { scope: 'shared', directorId: 'boss', agentId: 'helper' },
    ] as const;
    await add(store(), 'mem_1', GLOBAL, { text: 'one', tags: ['a'] }, { now: 1000 });
    await add(store(), 'mem_2', boss, { text: 'two', owner: 'boss' }, { now: 2000, provenance: FROM_MAIL });
    await add(store(), 'mem_3', helper, { text: 'three', tags: ['a', 'b'] }, { now: 3000 });
    expect(await contents()).toEqual(['three', 'two', 'one']);
    expect(await contents('?scope=shared')).toEqual(['three']);
    expect(await contents('?director=boss')).toEqual(['three', 'two']);
    expect(await contents('?agent=helper')).toEqual(['three']);
    expect(await contents('?tag=a')).toEqual(['three', 'one']);
    expect(await contents('?owner=boss')).toEqual(['two']);
    expect(await contents('?trust=untrusted')).toEqual(['two']);
    const first = await desk.get('/api/memory?limit=2');
    expect(first.json.items.map((item) => item['content'])).toEqual(['three', 'two']);
    expect(await contents(`?limit=2&cursor=${String(first.json.nextCursor)}`)).toEqual(['one']);
    expect((await desk.get('/api/memory?scope=mine')).status).toBe(400);
  });

  test('are found by words, and the answer says how', async () => {
    await add(store(), 'mem_1', GLOBAL, { text: 'Anna likes green tea' });
    await add(store(), 'mem_2', GLOBAL, { text: 'The office is closed' });
    const found = await desk.get('/api/memory?query=who+likes+tea');
    expect(found.json).toMatchObject({ items: [{ id: 'mem_1' }], nextCursor: null, by: 'words' });
    expect(await contents('?query=tea&scope=local')).toEqual([]);
  });

  test('change at the revision that was read, and move to another scope', async () => {
    await add(store(), 'mem_1', GLOBAL, { text: 'one' }, { provenance: FROM_MAIL });
    const late = await put('mem_1', { content: 'two', expectedRevision: 4 });
    expect([late.status, late.json.error.code]).toEqual([409, 'MEMORY_REVISION']);
    const trusted = await put('mem_1', { trust: 'trusted', tags: ['x'], expectedRevision: 1 });
    expect(trusted.json).toMatchObject({ content: 'one', trust: 'trusted', tags: ['x'], revision: 2 });
    const moved = await put('mem_1', { scope: 'shared', directorId: 'boss', agentId: 'helper' });
    expect(moved.json).toMatchObject({ scope: 'shared', directorId: 'boss', agentId: 'helper', revision: 3 });
    const local = await put('mem_1', { scope: 'local', agentId: 'helper', expiresAt: '2099-01-01T00:00:00Z' });
    expect(local.json).toMatchObject({ directorId: '', agentId: 'helper', expiresAt: '2099-01-01T00:00:00.000Z' });
    expect((await put('mem_1', { expiresAt: null })).json).not.toHaveProperty('expiresAt');
  });

  test.each([
    { name: 'no content', body: {} },
    { name: 'a shared one without an agent', body: { content: 'x', scope: 'shared', directorId: 'boss' } },
    { name: 'a local one of nobody', body: { content: 'x', scope: 'local' } },
    { name: 'a director that there is not', body: { content: 'x', scope: 'local', directorId: 'bos' } },
    { name: 'an unknown key', body: { content: 'x', text: 'y' } },
  ])('with $name are refused', async ({ body }) => {
    const answer = await desk.post('/api/memory', body);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await contents()).toEqual([]);
  });

  test('are forgotten, brought back, and deleted for good', async () => {
    await add(store(), 'mem_1', GLOBAL, { text: 'one' });
    expect((await desk.ask('DELETE', '/api/memory/mem_1?expectedRevision=2')).status).toBe(409);
    expect((await desk.ask('DELETE', '/api/memory/mem_1')).status).toBe(204);
    expect((await desk.get('/api/memory/mem_1')).json.error.code).toBe('MEMORY_NOT_FOUND');
    expect(await contents('?includeDeleted=true')).toEqual(['one']);
    expect((await desk.post('/api/memory/mem_1/restore')).json).toMatchObject({ content: 'one', revision: 3 });
    expect((await desk.ask('DELETE', '/api/memory/mem_1?hard=true')).status).toBe(204);
    expect(await contents('?includeDeleted=true')).toEqual([]);
  });

  test('come in from files; a file that is wrong hinders no other', async () => {
    const good = '---\nscope: global\nid: tea\n---\n\nAnna likes tea.\n';
    const files = [
      { name: 'a.md', content: good },
      { name: 'b.md', content: 'no front matter' },
      { name: 'c.md', content: '---\nscope: global\n---\nAnna likes tea.' },
    ];
    const answer = await desk.post('/api/memory/import', { files });
    expect(answer.json.items).toMatchObject([
      { name: 'a.md', id: 'tea', did: 'added' },
      { name: 'b.md', error: { code: 'BAD_REQUEST', message: 'the file does not begin with front matter' } },
      { name: 'c.md', did: 'same', as: 'tea' },
    ]);
    expect(await contents()).toEqual(['Anna likes tea.']);
  });
});
