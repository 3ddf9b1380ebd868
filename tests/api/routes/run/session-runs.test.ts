import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../../engine/src/base/clock.ts';
import type { UnifiedNode } from '../../../../engine/src/trace/trace-tree.ts';
import { call, type Play } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

/** An agent that notes each message before it answers. */
const play: Play = ({ turn, messages }) =>
  turn === 1
    ? { tool_calls: [call('a', 'workspace_add_item', { data: String(messages.at(-1)?.content) })] }
    : { content: `answer ${messages.length}` };

const flat = (nodes: readonly UnifiedNode[]): UnifiedNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);

/** The time of day, but each look at it is later than the one before: lines of the same millisecond have no certain order. */
function strictClock(): Clock {
  let last = 0;
  return { ...systemClock, now: () => (last = Math.max(last + 1, systemClock.now())) };
}

describe('what the messages of a session leave to look at', () => {
  let desk: Desk;
  let session: string;
  let runs: readonly string[];
  const tree = async (query: string) =>
    (await desk.get(`/api/diagnostics/unified${query}`)).json.items as unknown as UnifiedNode[];
  const say = async (content: string) => {
    const { json } = await desk.post(`/api/sessions/${session}/message`, { content });
    return String((json as unknown as { runId: string }).runId);
  };
  beforeAll(async () => {
    desk = await openDesk({
      play,
      app: { clock: strictClock() },
      files: { 'agents/helper.yaml': 'id: helper\nname: Helper\napiConfigId: main\n' },
    });
    session = (await desk.post('/api/agents/helper/sessions')).json.id;
    runs = [await say('one'), await say('two')];
  });
  afterAll(() => desk.close());

  test('is a tree for each, under the id of its run, with its own lines only', async () => {
    const nodes = await tree('');
    expect(nodes.map(({ id, kind, title, status, parentId }) => [id, kind, title, status, parentId])).toEqual([
      [runs[1], 'agent', 'Helper · two', 'completed', null],
      [runs[0], 'agent', 'Helper · one', 'completed', null],
    ]);
    for (const node of nodes) {
      expect(node.usage).toMatchObject({ inputTokens: 20, outputTokens: 2 });
      expect(node.children?.map(({ title, phase }) => `${phase}: ${title}`)).toEqual([
        'agent: agent_start',
        'request: test · turn 1',
        'response: test · turn 1',
        'tool: workspace_add_item',
        'request: test · turn 2',
        'response: test · turn 2',
        'agent: agent_complete',
      ]);
      expect(node.children?.every(({ parentId, runId }) => parentId === node.id && runId === node.id)).toBe(true);
    }
    const ids = flat(nodes).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has every node under its own address, with what it stands for', async () => {
    for (const { id, kind, phase, runId } of flat(await tree(''))) {
      const { status, json } = await desk.get(`/api/diagnostics/unified/${id}`);
      expect([id, status]).toEqual([id, 200]);
      const { detail } = json as unknown as { detail: Record<string, { runId?: string; id?: string }> };
      if (kind === 'agent') expect(detail).toMatchObject({ run: { id }, thread: { id: session } });
      else expect(detail[kind]).toMatchObject({ id, runId });
      if (phase === 'request') expect(detail['event']).toMatchObject({ payload: { messages: expect.any(Array) } });
    }
  });

  test('is found by the run: its session, and its entries with agent and thread but no director', async () => {
    for (const id of runs) {
      const { json } = await desk.get(`/api/conversations?runId=${id}`);
      expect(json.items).toMatchObject([{ id: session, kind: 'agent', agentId: 'helper', directorId: '' }]);
      const entries = (await desk.get(`/api/diagnostics?runId=${id}`)).json.items;
      expect(entries).toHaveLength(3);
      for (const entry of entries)
        expect(entry).toMatchObject({
          ...{ runId: id, director: '', directorName: '', dirThreadId: '' },
          ...{ agent: 'helper', agentName: 'Helper', agentThreadId: session },
        });
    }
  });

  test('is one log of calls in order, page by page', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { json } = await desk.get(`/api/sessions/${session}/logs?limit=1${more}`);
      seen.push(...json.items.map(({ runId }) => String(runId)));
      cursor = json.nextCursor;
    }
    expect(seen).toEqual(runs);
  });

  test('is deleted with the conversation, but for the runs', async () => {
    expect((await desk.ask('DELETE', `/api/conversations/${session}`)).status).toBe(204);
    expect((await desk.get(`/api/sessions/${session}`)).json.error.code).toBe('SESSION_NOT_FOUND');
    const { store } = desk.services.deps;
    expect([await store.count('message'), await store.count('event'), await store.count('run')]).toEqual([0, 0, 2]);
    expect((await tree('')).map(({ title }) => title)).toEqual(['Helper · two', 'Helper · one']);
    expect((await desk.ask('DELETE', `/api/runs?ids=${runs.join(',')}`)).status).toBe(200);
    expect([await store.count('run'), await store.count('item')]).toEqual([0, 0]);
  });
});
