import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDesk, type Desk, type Reply } from '../../harness.ts';
import type { Play } from '../../../run/harness.ts';

let desk: Desk;
let play: Play = () => ({ content: 'ok' });

beforeAll(async () => {
  desk = await openDesk({ play: (request) => play(request) });
});
afterAll(() => desk.close());
beforeEach(() => {
  play = () => ({ content: 'ok' });
});

type Started = Reply & { readonly conversationId: string };

const start = async (body: object) => (await desk.post('/api/runs', { directorId: 'boss', ...body })).json as Started;

/** Asks, and waits for the answer. */
async function ask(message: string, more: object = {}): Promise<Started> {
  const run = await start({ message, ...more });
  expect(run.error).toBeUndefined();
  await desk.stage.ended(run.id);
  return run;
}

const show = async (id: string) => (await desk.get(`/api/conversations/${id}`)).json;

test('a conversation is served with its questions and answers, its status and its threads', async () => {
  play = ({ messages }) => ({ content: `re: ${messages.at(-1)?.content}` });
  await ask('zero');
  const { conversationId, id } = await ask('one');
  const second = await ask('two', { conversationId });
  const shown = await show(conversationId);
  expect(shown).toMatchObject({
    kind: 'conversation',
    directorId: 'boss',
    title: 'one',
    runs: 2,
    status: 'completed',
  });
  expect(shown).toMatchObject({
    turns: [
      { runId: id, message: 'one', answer: 're: one' },
      { runId: second.id, message: 'two', answer: 're: two', threadId: second.dirThreadId },
    ],
  });
  const { json } = await desk.get('/api/conversations?kind=conversation&directorId=boss&limit=1');
  expect(json.items).toMatchObject([{ id: conversationId, runs: 2 }]);
  expect(json.nextCursor).not.toBeNull();
  const next = await desk.get(`/api/conversations?kind=conversation&limit=1&cursor=${json.nextCursor}`);
  expect(next.json.items[0]?.id).not.toBe(conversationId);
  const threads = await desk.get(`/api/conversations?conversationId=${conversationId}`);
  expect(threads.json.items.map((one) => one.id)).toEqual([second.dirThreadId, (await desk.stage.run(id)).dirThreadId]);
});

test('a conversation is deleted with all of its runs, and not while one is open', async () => {
  const { conversationId, id } = await ask('first');
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  play = async () => (await gate, { content: 'late' });
  const second = await start({ message: 'second', conversationId });
  const open = await desk.ask('DELETE', `/api/conversations/${conversationId}`);
  expect(open.json.error?.code).toBe('CONFLICT');
  release();
  await desk.stage.ended(second.id);
  expect((await desk.ask('DELETE', `/api/conversations/${conversationId}`)).status).toBe(204);
  for (const run of [id, second.id]) expect((await desk.get(`/api/runs/${run}`)).status).toBe(404);
  expect((await desk.ask('DELETE', `/api/conversations/${conversationId}`)).status).toBe(404);
});
