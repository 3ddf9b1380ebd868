import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { call } from '../harness.ts';
import { openDesk, type Desk, type Reply } from '../../api/harness.ts';

const DAY = 86_400_000;
const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'));

let desk: Desk;
let sent = '';
beforeAll(async () => {
  desk = await openDesk({
    files: {
      'settings.yaml': 'runs: { retainDays: 30 }\n',
      'directors/gated.yaml':
        'id: gated\nname: Gated\napiConfigId: main\ntools: [todo]\npermissions: { allow: [todo_add] }\nguards: [{ kind: needsTime, tools: [todo_add] }]\n',
    },
    play: ({ messages, turn }) => {
      if (turn === 1 && messages.at(-1)?.content === 'so note it')
        return { tool_calls: [call('a', 'todo_add', { task: { title: 'Call' } })] };
      sent = messages.map(({ role, content }) => `${role}: ${content}`).join('\n');
      return { content: 'noted' };
    },
    app: { clock },
    serve: { isBrief: true },
  });
});
afterAll(() => desk.close());

type Started = Reply & { readonly conversationId: string };

async function start(directorId: string, message: string, conversationId?: string): Promise<Started> {
  const { json } = await desk.post('/api/runs', { directorId, message, ...(conversationId && { conversationId }) });
  expect(await desk.stage.ended(json.id)).toMatchObject({ status: 'completed' });
  return json as Started;
}

async function ask(message: string, conversationId?: string): Promise<Started> {
  const raw = { raw: 'x'.repeat(600_000), headers: { 'content-type': 'application/octet-stream' } };
  const { id } = (await desk.ask('POST', '/api/uploads?name=a.txt', raw)).json;
  const body = {
    directorId: 'boss',
    message,
    attachments: [id],
    ...(conversationId !== undefined && { conversationId }),
  };
  const { json } = await desk.post('/api/runs', body);
  expect(await desk.stage.ended(json.id)).toMatchObject({ status: 'completed' });
  return json as Started;
}

test('a time of an earlier question opens the scheduling gate for a day', async () => {
  const { conversationId } = await start('gated', 'Call Ann on Friday at 10');
  clock.advance(DAY - 60_000);
  await start('gated', 'so note it', conversationId);
  expect(sent).not.toContain('TOOL_NEEDS_TIME');
  const other = await start('gated', 'Call Bob on Friday at 10');
  clock.advance(DAY + 60_000);
  await start('gated', 'so note it', other.conversationId);
  expect(sent).toContain('TOOL_NEEDS_TIME');
});

test('the oldest questions of a conversation go with their files, and the rest stays readable and goes on', async () => {
  const { store } = desk.stage.app.deps;
  const { conversationId } = await ask('one');
  clock.advance(20 * DAY);
  const second = await ask('two', conversationId);
  clock.advance(11 * DAY);
  await desk.stage.app.retention.sweep();
  expect(await store.list('upload')).toMatchObject([{ run: second.id }]);
  expect(await store.count('uploadData')).toBe(3);
  const { json } = await desk.get(`/api/conversations/${conversationId}`);
  expect(json).toMatchObject({ runs: 1, title: 'one', turns: [{ message: 'two', answer: 'noted' }] });
  await ask('three', conversationId);
  expect(sent).toMatch(/user: one[^]*user: two[^]*user: three/);
  clock.advance(31 * DAY);
  await desk.stage.app.retention.sweep();
  for (const table of ['run', 'conversation', 'conversationRun', 'upload', 'uploadData', 'message'] as const)
    expect([table, await store.count(table)]).toEqual([table, 0]);
});
