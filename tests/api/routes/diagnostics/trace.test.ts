import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shownMessages } from '../../../../engine/src/trace/windowed.ts';
import type { UnifiedNode } from '../../../../engine/src/trace/trace-tree.ts';
import { call, type Play } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

/** A director that asks its agent twice, with a mistake in between, then ends. */
const play: Play = ({ role, turn, messages }) => {
  if (role === 'agent') return { content: `answer ${messages.length}` };
  if (turn === 1) return { tool_calls: [call('a', 'agent__helper', { input: 'one' }), call('b', 'list_agents', {})] };
  if (turn === 2) return { tool_calls: [call('c', 'workspace_get_item', { id: 'none' })] };
  if (turn === 3) return { tool_calls: [call('d', 'agent__helper', { input: 'two' })] };
  return { content: 'done' };
};

const FILES = {
  'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [workspace]\n',
};

async function tree(desk: Desk, query = ''): Promise<{ items: UnifiedNode[]; nextCursor: string | null }> {
  const answer = await desk.get(`/api/diagnostics/unified${query}`);
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text) as { items: UnifiedNode[]; nextCursor: string | null };
}

const flat = (nodes: readonly UnifiedNode[]): UnifiedNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);

describe('the unified tree', () => {
  let desk: Desk;
  let cycle: UnifiedNode;
  let director: UnifiedNode;
  beforeAll(async () => {
    desk = await openDesk({ play, files: FILES });
    desk.drop('1.eml', letter('first'));
    await desk.fetch();
    [cycle] = (await tree(desk)).items as [UnifiedNode];
    [director] = (cycle.children ?? []) as [UnifiedNode];
  });
  afterAll(() => desk.close());

  test('is fetch cycle, director, then entries, events and agents', () => {
    expect(cycle).toMatchObject({ kind: 'cycle', parentId: null });
    expect(director).toMatchObject({ kind: 'director', parentId: cycle.id, status: 'completed' });
    expect(director.title).toContain('Boss');
    expect(director.title).toContain('first');
    expect(new Set(director.children?.map(({ kind }) => kind))).toEqual(new Set(['entry', 'event', 'agent']));
  });

  test('names the parent of each node, and no node twice', () => {
    const check = (node: UnifiedNode): void => {
      for (const child of node.children ?? []) {
        expect(child.parentId).toBe(node.id);
        check(child);
      }
    };
    check(cycle);
    const ids = flat([cycle]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has siblings in the order of time', () => {
    for (const { children = [] } of flat([cycle])) {
      const times = children.map(({ timestamp }) => timestamp);
      expect(times).toEqual(times.toSorted());
    }
  });

  test('has one node for a session, where its first call was made', () => {
    const children = director.children ?? [];
    const agents = children.filter(({ kind }) => kind === 'agent');
    expect(agents).toMatchObject([{ title: 'Helper', status: 'completed' }]);
    const anchor = children.find(({ id }) => id === agents[0]?.anchorId);
    expect(anchor).toMatchObject({ kind: 'entry', title: 'agent__helper', startedAt: agents[0]?.timestamp });
    expect(agents[0]?.children?.filter(({ title }) => title === 'agent_output')).toHaveLength(2);
  });

  test('has every entry and every event of the run once', async () => {
    const { store } = desk.services.deps;
    const nodes = flat([cycle]);
    expect(nodes.filter(({ kind }) => kind === 'entry')).toHaveLength(await store.count('entry'));
    expect(nodes.filter(({ kind }) => kind === 'event')).toHaveLength(await store.count('event'));
  });

  test('sums tokens up over agents, and says that the price is not known', () => {
    expect(director.usage).toMatchObject({ inputTokens: 60, outputTokens: 6 });
    expect(director.usage).toHaveProperty('cost');
    expect(cycle.usage).toMatchObject({ inputTokens: 60 });
  });

  test('counts a mistake that the model could correct as a warning', () => {
    const wrong = flat([cycle]).find(({ error }) => error !== undefined);
    expect(wrong).toMatchObject({ title: 'workspace_get_item', level: 'warn', error: { code: 'ITEM_NOT_FOUND' } });
    expect(director.level).toBe('warn');
  });

  test('shows each node with what it stands for', async () => {
    const all = flat([cycle]);
    for (const node of all) {
      const answer = await desk.get(`/api/diagnostics/unified/${node.id}`);
      expect([node.id, answer.status]).toEqual([node.id, 200]);
      expect(answer.json).toMatchObject({ id: node.id, kind: node.kind, title: node.title, parentId: node.parentId });
    }
    const request = all.findLast(({ phase, parentId }) => phase === 'request' && parentId === director.id);
    const shown = JSON.parse((await desk.get(`/api/diagnostics/unified/${request?.id}`)).text) as {
      detail: { event: { payload: { messages: unknown[]; tools: unknown[] } } };
    };
    const thread = (await desk.get(`/api/conversations/${director.id}`)).json;
    expect(shown.detail.event.payload.messages).toEqual(shownMessages(thread.messages.slice(0, -1)));
    expect(shown.detail.event.payload.tools.length).toBeGreaterThan(3);
  });

  test.each(['nope', 'run_1.2', 'th_x.1', '%00', 'cycle_0000000000', `x.${'9'.repeat(30)}`])(
    'answers 404 for a node %s that is not there',
    async (id) => {
      expect((await desk.get(`/api/diagnostics/unified/${id}`)).status).toBe(404);
    },
  );
});

describe('a tree of many runs', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ play: ({ turn }) => (turn === 1 ? Promise.reject(new Error('broken')) : { content: '' }) });
    for (let i = 0; i < 5; i++) await desk.post('/api/runs', { directorId: 'boss', message: `m${i}` });
    desk.drop('1.eml', letter('one'));
    desk.drop('2.eml', letter('two'));
    await desk.fetch();
  });
  afterAll(() => desk.close());

  test('is paged by run, the newest first, and whole', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await tree(desk, `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      const directors = flat(page.items).filter(({ kind }) => kind === 'director');
      expect(directors.length).toBeLessThanOrEqual(2);
      seen.push(...directors.map(({ runId = '' }) => runId));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen).size).toBe(7);
  });

  test('has the runs of one fetch under one cycle, and others at the top', async () => {
    const { items } = await tree(desk);
    expect(items.map(({ kind }) => kind)).toEqual(['cycle', ...Array<string>(5).fill('director')]);
    expect(items[0]?.children).toHaveLength(2);
    const alone = items.at(-1);
    expect(alone).toMatchObject({ parentId: null, level: 'error', status: 'failed' });
  });

  test('is narrowed to one run', async () => {
    const { items } = await tree(desk);
    const runId = items[1]?.runId;
    expect((await tree(desk, `?runId=${runId}`)).items).toMatchObject([{ kind: 'director', runId }]);
  });

  test('loses entries that are deleted, one or many, and nothing else', async () => {
    const { store } = desk.services.deps;
    const before = await store.count('entry');
    const entries = flat((await tree(desk)).items).filter(({ kind }) => kind === 'entry');
    const [first, second, third] = entries.map(({ id }) => id);
    expect((await desk.ask('DELETE', `/api/diagnostics/${first}`)).status).toBe(204);
    expect((await desk.ask('DELETE', `/api/diagnostics/${first}`)).status).toBe(404);
    const other = second?.replace(/\.(?=\d+$)/, '.0');
    const many = await desk.ask('DELETE', `/api/diagnostics?ids=${[first, second, third, other, 'nope'].join()}`);
    expect(many.json.deleted).toEqual([second, third]);
    expect(await store.count('entry')).toBe(before - 3);
    const left = flat((await tree(desk)).items).map(({ id }) => id);
    expect(left).not.toContain(second);
    expect((await desk.ask('DELETE', '/api/diagnostics')).status).toBe(400);
  });

  test('events cannot be deleted by themselves', async () => {
    const event = flat((await tree(desk)).items).find(({ kind }) => kind === 'event');
    expect((await desk.ask('DELETE', `/api/diagnostics/${event?.id}`)).status).toBe(404);
  });

  test('pages of the list do not skip entries where others were deleted', async () => {
    const all = (await desk.get('/api/diagnostics')).json.items.map(({ id }) => id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json } = await desk.get(`/api/diagnostics?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...json.items.map(({ id }) => id));
      cursor = json.nextCursor;
    }
    expect(seen).toEqual(all);
  });
});
