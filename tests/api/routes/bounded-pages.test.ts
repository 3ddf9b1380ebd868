import { afterEach, expect, test } from 'vitest';
import type { Change, TableName } from '../../../engine/src/store/store.ts';
import { type Desk, openDesk } from '../harness.ts';

/** Characters of one large row, and rows of a list. */
const SIZE = 900_000;
const ROWS = 12;
/** Bytes of one answer that a list must not pass by more than its last row. */
const MAX = 4_000_000 + 2 * SIZE;

let desk: Desk;
afterEach(() => desk.close());

const TEXT = 'x'.repeat(SIZE);

/** A finished run, and the ids of its workspace and its thread. */
async function begin() {
  desk = await openDesk();
  const id = await desk.stage.begin();
  return desk.stage.ended(id);
}

async function copies<T extends TableName>(table: T, rowOf: (i: number) => Change | undefined): Promise<void> {
  const changes = Array.from({ length: ROWS }, (_, i) => rowOf(i)).filter((change) => change !== undefined);
  expect(changes.length, table).toBe(ROWS);
  await desk.stage.app.deps.store.apply(changes);
}

/** All items of a list, and the bytes of its largest answer. */
async function walk(
  path: string,
): Promise<{ items: readonly Record<string, unknown>[]; pages: number; largest: number }> {
  const items: Record<string, unknown>[] = [];
  let largest = 0;
  for (let cursor: string | null = '', pages = 1; ; pages++) {
    const { text, json, status } = await desk.get(cursor === '' ? path : `${path}&cursor=${cursor}`);
    expect(status).toBe(200);
    largest = Math.max(largest, text.length);
    items.push(...json.items);
    if (json.nextCursor === null) return { items, pages, largest };
    cursor = json.nextCursor;
  }
}

test('a list of items with large data comes in several answers, and none is lost', async () => {
  const { workspaceId } = await begin();
  for (let i = 0; i < ROWS; i++)
    await desk.post(`/api/workspaces/${workspaceId}/items`, { label: `n${i}`, mimeType: 'text/plain', data: TEXT });
  for (const more of ['', '&author=user']) {
    const { items, pages, largest } = await walk(`/api/workspaces/${workspaceId}/items?limit=200${more}`);
    expect(items.map(({ label }) => label)).toEqual(Array.from({ length: ROWS }, (_, i) => `n${i}`));
    expect(pages).toBeGreaterThan(2);
    expect(largest).toBeLessThan(MAX);
  }
});

test('so do provider events, their requests included', async () => {
  const { id, dirThreadId } = await begin();
  const event = (seq: number, kind: object) => ({
    op: 'insert' as const,
    table: 'event' as const,
    row: {
      ...{ thread: dirThreadId, seq, at: 1 },
      body: JSON.stringify({ runId: id, turn: 1, attempt: 1, apiId: 'main', provider: 'openai', model: 'm', ...kind }),
    },
  });
  await copies('event', (i) => event(100 + i, { kind: 'response', latencyMs: 1, payload: JSON.stringify({ TEXT }) }));
  const answers = await walk(`/api/provider-events?threadId=${dirThreadId}&limit=200`);
  expect(answers.items.filter(({ kind }) => kind === 'response').length).toBeGreaterThanOrEqual(ROWS);
  expect(answers.pages).toBeGreaterThan(2);
  expect(answers.largest).toBeLessThan(MAX);

  await copies('message', (i) => message(dirThreadId, 100 + i));
  await desk.stage.app.deps.store.apply([event(200, { kind: 'request', upTo: 111, toolset: '' })]);
  const shown = await desk.get(`/api/diagnostics/unified/${dirThreadId}.200`);
  expect(shown.status).toBe(200);
  expect(shown.text.length).toBeLessThan(MAX);
  expect(shown.text).toContain('"leftOut":');
});

const message = (thread: string, seq: number) => ({
  op: 'insert' as const,
  table: 'message' as const,
  row: { thread, seq, at: 1, body: JSON.stringify({ role: 'user', content: `${seq} ${TEXT}` }) },
});

test('a conversation says after which message it goes on', async () => {
  const { dirThreadId } = await begin();
  await copies('message', (i) => message(dirThreadId, 100 + i));
  const found: string[] = [];
  let answers = 0;
  for (let after: unknown = 0; after !== undefined; answers++) {
    const { text, json } = await desk.get(`/api/conversations/${dirThreadId}?after=${String(after)}`);
    expect(text.length).toBeLessThan(MAX);
    found.push(...json.messages.map(({ content }) => String(content).split(' ')[0] ?? ''));
    after = Reflect.get(json, 'moreAfter');
  }
  expect(answers).toBeGreaterThan(2);
  expect(found.slice(-ROWS)).toEqual(Array.from({ length: ROWS }, (_, i) => String(100 + i)));
});

test('so do entries of diagnostics, across runs', async () => {
  const first = await begin();
  const second = await desk.stage.ended(await desk.stage.begin());
  for (const { id } of [first, second])
    await copies('entry', (i) => {
      const body = JSON.stringify({ phase: 'tool', detail: { n: i, TEXT } });
      return { op: 'insert', table: 'entry', row: { scope: id, seq: 100 + i, at: 1, body } };
    });
  const { items, pages, largest } = await walk('/api/diagnostics?limit=200');
  const added = items.filter(({ detail }) => Reflect.get(Object(detail) as object, 'TEXT') !== undefined);
  expect(added.map(({ runId }) => runId)).toEqual([second.id, first.id].flatMap((id) => Array<string>(ROWS).fill(id)));
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  expect(pages).toBeGreaterThan(4);
  expect(largest).toBeLessThan(MAX);
});

test('a list of approvals with long arguments comes in several answers', async () => {
  const { id } = await begin();
  const record = {
    ...{
      id: '',
      runId: id,
      threadId: 'th',
      tool: 'mail_send',
      arguments: { text: TEXT },
      status: 'allowed',
      createdAt: '',
    },
    ...{ preview: { mimeType: 'text/plain', data: '' }, requestedBy: { directorId: 'boss' }, reason: 'why' },
    ...{ machine: 'm', call: '1/a' },
  };
  await copies('approval', (i) => {
    const approval = `approval-${String(i).padStart(3, '0')}`;
    const body = JSON.stringify({ ...record, id: approval });
    return { op: 'insert', table: 'approval', row: { id: approval, run: id, status: 'allowed', body, due: 0 } };
  });
  const { items, pages, largest } = await walk('/api/approvals?limit=200');
  expect(items).toHaveLength(ROWS);
  expect(pages).toBeGreaterThan(2);
  expect(largest).toBeLessThan(MAX);
});
