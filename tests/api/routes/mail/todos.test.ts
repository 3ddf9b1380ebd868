import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WorldTool } from '../../../../engine/src/tool/tool.ts';
import type { LiveEvent } from '../../../../engine/src/trace/live-bus.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
let told: LiveEvent[];
beforeEach(async () => {
  desk = await openDesk();
  told = [];
  desk.stage.app.deps.live.subscribe((event) => void (event.name === 'todo' && told.push(event)));
});
afterEach(() => desk.close());

/** Adds one as a model does; gives its id. */
async function add(title: string, due?: string): Promise<string> {
  const tool = desk.stage.app.deps.tools.builtIn.get('todo_add') as WorldTool;
  const caller = { runId: 'r', workspaceId: 'r', threadId: 't', origin: {} } as unknown as Parameters<
    WorldTool['run']
  >[1]['caller'];
  const { task } = (await tool.run({ task: { title, ...(due && { due }) } }, { caller, key: title })) as {
    task: { id: string };
  };
  return task.id;
}

const titles = async (query = '') => (await desk.get(`/api/todos${query}`)).json.items.map((item) => item['title']);

describe('to-dos', () => {
  test('are listed newest first, by status, page by page', async () => {
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c', 'd', 'e']) ids.push(await add(title));
    await desk.ask('PUT', `/api/todos/${ids[1]}`, { body: { status: 'done' } });
    expect([...(await titles())].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await titles('?status=done')).toEqual(['b']);
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await desk.get(`/api/todos?limit=2&status=open${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.json.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.json.items.map((item) => item['title']));
      cursor = page.json.nextCursor;
    }
    expect(seen).toEqual(await titles('?status=open'));
    expect([...seen].sort()).toEqual(['a', 'c', 'd', 'e']);
  });

  test('are ticked off and back, and every tab is told', async () => {
    const id = await add('Send the proofs', '2026-11-25');
    const put = (status: string) => desk.ask('PUT', `/api/todos/${id}`, { body: { status } });
    const todo = { id, title: 'Send the proofs', due: '2026-11-25' };
    expect((await put('done')).json).toMatchObject({ ...todo, status: 'done' });
    expect(await titles('?status=open')).toEqual([]);
    expect((await put('open')).json).toMatchObject({ ...todo, status: 'open' });
    expect(told.map(({ data }) => data)).toEqual([
      { id, status: 'open' },
      { id, status: 'done' },
      { id, status: 'open' },
    ]);
  });

  test('are deleted for good', async () => {
    const id = await add('Nonsense');
    expect((await desk.ask('DELETE', `/api/todos/${id}`)).status).toBe(204);
    expect(await titles()).toEqual([]);
    expect(told.at(-1)?.data).toEqual({ id, deleted: true });
    expect((await desk.ask('DELETE', `/api/todos/${id}`)).status).toBe(404);
  });

  test.each([
    ['PUT', '/api/todos/nope', { status: 'done' }, 404],
    ['PUT', '/api/todos/nope', { status: 'half' }, 400],
    ['PUT', '/api/todos/nope', {}, 400],
    ['DELETE', '/api/todos/nope', undefined, 404],
    ['GET', '/api/todos?status=later', undefined, 400],
    ['GET', '/api/todos?cursor=nonsense', undefined, 400],
    ['POST', '/api/todos', { title: 'x' }, 405],
  ])('%s %s with %j is answered %i', async (method, path, body, status) => {
    expect((await desk.ask(method, path, body === undefined ? {} : { body })).status).toBe(status);
    expect(told).toEqual([]);
  });
});
