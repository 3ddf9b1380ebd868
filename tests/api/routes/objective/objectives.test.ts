import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingMode } from '../../../run/objective/waiting-machine.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ app: { modes: [waitingMode] } });
});
afterAll(() => desk.close());

/** An objective that a person has asked for, once it waits. */
async function started(message: string, more: object = {}): Promise<string> {
  const { json, text } = await desk.ask('POST', '/api/runs', { body: { directorId: 'boss', message, ...more } });
  expect(json.id, text).toBeDefined();
  await desk.stage.until(json.id, ({ status }) => status === 'waiting');
  return json.id;
}

const order = async (id: string, name: string) => (await desk.ask('POST', `/api/objectives/${id}/${name}`)).json;

test('objectives are listed newest first, page by page, by status and director', async () => {
  const ids = [await started('Find a plumber'), await started('Book a room'), await started('Get the invoice')];
  await order(ids[0] ?? '', 'finish');
  const first = (await desk.get('/api/objectives?limit=2')).json;
  expect(first.items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  const next = (await desk.get(`/api/objectives?limit=2&cursor=${first.nextCursor}`)).json;
  expect(next).toMatchObject({ nextCursor: null, items: [{ id: ids[0], status: 'done', outcome: 'reached' }] });
  const done = (await desk.get('/api/objectives?status=done&directorId=boss')).json;
  expect(done.items.map(({ id }) => id)).toEqual([ids[0]]);
  expect((await desk.get('/api/objectives?directorId=other')).json.items).toEqual([]);
  expect((await desk.get('/api/objectives?status=asleep')).status).toBe(400);
});

test('an objective stated in words has them as its wish; it is paused, resumed and finished', async () => {
  const id = await started('Get the invoice from Ann');
  expect((await desk.get(`/api/objectives/${id}`)).json).toMatchObject({
    id,
    directorId: 'boss',
    userQuery: 'Get the invoice from Ann',
    linkedThreadIds: [],
    constraints: {},
    summary: null,
    subject: 'Get the invoice from Ann',
    cost: null,
    silentRecipients: [],
    lastActionTime: null,
    history: [{ kind: 'begin', text: 'The user asked: Get the invoice from Ann' }],
  });
  expect(await order(id, 'pause')).toMatchObject({ id, paused: true });
  expect(await order(id, 'resume')).toMatchObject({ id, paused: false });
  expect(await order(id, 'finish')).toMatchObject({ id, status: 'done', outcome: 'reached' });
  const again = await desk.ask('POST', `/api/objectives/${id}/pause`);
  expect([again.status, again.json.error.code]).toEqual([409, 'RUN_NOT_ACTIVE']);
  expect((await desk.ask('POST', '/api/objectives/run_none/pause')).status).toBe(404);
});

test('a message and a mail together link the thread of the mail from the start', async () => {
  const raw = Buffer.from('From: ann@client.example\nSubject: Offer\nMessage-ID: <offer@client.example>\n\nHello');
  const body = { directorId: 'boss', raw: raw.toString('base64') };
  const { emailId } = (await desk.ask('POST', '/api/runs', { body })).json as unknown as { emailId: string };
  const id = await started('Ask for 10 % off', { emailId });
  expect((await desk.get(`/api/objectives/${id}`)).json).toMatchObject({
    userQuery: 'Ask for 10 % off',
    linkedThreadIds: ['<offer@client.example>'],
    history: [{ text: 'The user asked on the thread "Offer": Ask for 10 % off' }],
  });
  const both = await desk.ask('POST', '/api/runs', { body: { ...body, emailId } });
  expect([both.status, both.json.error.code]).toEqual([400, 'BAD_REQUEST']);
  const handedIn = await desk.ask('POST', '/api/runs', { body: { ...body, message: 'Ask again' } });
  expect((await desk.get(`/api/objectives/${handedIn.json.id}`)).json).toMatchObject({
    userQuery: 'Ask again',
    linkedThreadIds: ['<offer@client.example>'],
  });
});
