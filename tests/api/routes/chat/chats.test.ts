import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../engine/src/base/clock.ts';
import type { Chat, ChatMessage, Participant } from '../../../../engine/src/chat/chat.ts';
import { type Desk, openDesk } from '../../harness.ts';

const PRESET = `id: review
title: Design review
context: We review the payment service.
maxRounds: 2
participants:
  - { displayName: Jane Doe, apiConfigId: main, persona: A careful architect., color: '#7C3AED' }
  - { displayName: Helper, agentId: helper }
`;

let desk: Desk;
const clock = new SimulatedClock(Date.UTC(2026, 10, 23, 12));
beforeAll(async () => {
  desk = await openDesk({
    files: {
      'chats/review.yaml': PRESET,
      'agents/helper.yaml': 'id: helper\nname: Helper\n',
      'settings.yaml': 'roots: { lab: ./lab }\ncalendar: { timeZone: Europe/Berlin }\n',
    },
    app: { clock },
  });
  mkdirSync(join(desk.stage.root, 'lab'));
  writeFileSync(join(desk.stage.root, 'lab/plan.md'), '# Plan\n');
  writeFileSync(join(desk.stage.root, 'lab/large.md'), 'x'.repeat(257 * 1024));
});
afterAll(() => desk.close());

async function create(body: object = {}): Promise<Chat> {
  const { status, json } = await desk.post('/api/chats', body);
  expect(json.error).toBeUndefined();
  expect(status).toBe(201);
  return json as unknown as Chat;
}

const read = async (id: string) => (await desk.get(`/api/chats/${id}`)).json as unknown as Chat;
const put = (path: string, body: object) => desk.ask('PUT', path, { body });
const say = async (id: string, text: string) =>
  (await desk.post(`/api/chats/${id}/messages`, { text })).json as unknown as ChatMessage;

test('a new chat copies its preset: title, context, rounds and participants with handles and colours', async () => {
  const chat = await create({ preset: 'review' });
  expect(chat).toEqual({
    id: expect.stringMatching(/^c_[0-9A-HJKMNP-TV-Z]{26}$/),
    ...{ title: 'Design review', context: 'We review the payment service.', files: [], maxRounds: 2 },
    ...{ mentions: { caseSensitive: false }, archived: false, createdBy: 'local' },
    ...{ createdAt: '2026-11-23T12:00:00.000Z', updatedAt: '2026-11-23T12:00:00.000Z' },
    participants: [
      {
        ...{ id: expect.stringMatching(/^a_[0-9A-HJKMNP-TV-Z]{26}$/), type: 'api', apiConfigId: 'main' },
        ...{ displayName: 'Jane Doe', handle: 'jane-doe', colorHex: '#7c3aed', persona: 'A careful architect.' },
        roaming: { enabled: false },
      },
      {
        ...{ id: expect.stringMatching(/^a_/), type: 'agent', agentId: 'helper', displayName: 'Helper' },
        ...{ handle: 'helper', colorHex: '#8b5cf6', persona: '', roaming: { enabled: false } },
      },
    ],
  });
  expect(await read(chat.id)).toEqual(chat);
});

test('what a person has edited goes before the preset, and later edits of the preset change no chat', async () => {
  const participants = [{ displayName: 'Max', apiConfigId: 'main' }];
  const chat = await create({ preset: 'review', title: ' Other  title ', context: '', participants });
  expect(chat).toMatchObject({ title: 'Other title', context: '', participants: [{ displayName: 'Max' }] });
  await put('/api/chat-presets/review', { id: 'review', title: 'New', participants });
  expect(await read(chat.id)).toEqual(chat);
  await put('/api/chat-presets/review', {
    ...{ id: 'review', title: 'Design review', context: 'We review the payment service.', maxRounds: 2 },
    participants: [
      { displayName: 'Jane Doe', apiConfigId: 'main', persona: 'A careful architect.', color: '#7C3AED' },
      { displayName: 'Helper', agentId: 'helper' },
    ],
  });
});

test('a chat without a title is called by its day, in the zone of the settings', async () => {
  expect(await create()).toMatchObject({ title: 'New chat 2026-11-23', participants: [], maxRounds: 3 });
  expect(await create({ title: ' ' })).toMatchObject({ title: 'New chat 2026-11-23' });
});

test('handles are unique by a number, and a name without letters of a to z has one too', async () => {
  const names = ['Jane Doe', 'jane doe', 'Jane-Doe', 'Ünï Çödé', '結衣', '!!!'];
  const { participants } = await create({
    participants: names.map((displayName) => ({ displayName, apiConfigId: 'main' })),
  });
  const handles = ['jane-doe', 'jane-doe-2', 'jane-doe-3', 'uni-code', 'participant', 'participant-2'];
  expect(participants.map(({ handle }) => handle)).toEqual(handles);
  expect(new Set(participants.map(({ colorHex }) => colorHex)).size).toBe(names.length);
});

test('chats are listed by their last change, page by page, and archived ones apart', async () => {
  const first = await create({ title: 'first' });
  const second = await create({ title: 'second' });
  const third = await create({ title: 'third' });
  clock.advance(1000);
  await say(first.id, 'hello');
  const listed = async (query = '') => (await desk.get(`/api/chats?limit=2${query}`)).json;
  const page = await listed();
  expect(page.items.map(({ id }) => id)).toEqual([first.id, third.id]);
  expect((await listed(`&cursor=${page.nextCursor}`)).items[0]?.id).toBe(second.id);
  const archived = await put(`/api/chats/${second.id}`, { archived: true });
  expect(archived.json).toMatchObject({ archived: true });
  expect((await listed(`&cursor=${page.nextCursor}`)).items.map(({ id }) => id)).not.toContain(second.id);
  expect((await listed('&archived=true')).items.map(({ id }) => id)).toEqual([second.id]);
  expect((await desk.post(`/api/chats/${second.id}/messages`, { text: 'hi' })).json.error.code).toBe('CONFLICT');
  await put(`/api/chats/${second.id}`, { archived: false });
  expect((await desk.post(`/api/chats/${second.id}/messages`, { text: 'hi' })).status).toBe(201);
});

test('a message keeps its author, and no route changes or deletes it', async () => {
  const { id } = await create();
  const message = await say(id, 'Hello **you**');
  expect(message).toEqual({
    ...{ id: expect.stringMatching(/^m_[0-9A-HJKMNP-TV-Z]{26}$/), seq: 1, ts: expect.stringMatching(/^2026-11-23T12/) },
    ...{ authorKind: 'user', authorId: 'user', authorDisplayName: 'User', text: 'Hello **you**' },
    meta: { userId: 'local' },
  });
  expect((await desk.get(`/api/chats/${id}/messages`)).json).toEqual({ items: [message], nextCursor: null });
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await desk.ask(method, `/api/chats/${id}/messages/${message.id}`)).status).toBe(404);
});

test('the newest page of messages comes first, oldest message first, and the cursor leads to earlier ones', async () => {
  const { id } = await create();
  for (let n = 1; n <= 5; n++) await say(id, `message ${n}`);
  const page = async (cursor?: string) =>
    (await desk.get(`/api/chats/${id}/messages?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)).json;
  const texts: unknown[] = [];
  for (let next = await page(); ; next = await page(next.nextCursor)) {
    texts.push(next.items.map(({ text }) => text));
    if (next.nextCursor === null) break;
  }
  expect(texts).toEqual([['message 4', 'message 5'], ['message 2', 'message 3'], ['message 1']]);
});

test('messages that are sent at once are all stored, each with a number of its own', async () => {
  const { id } = await create();
  const sent = await Promise.all(Array.from({ length: 8 }, (_, n) => say(id, `at once ${n}`)));
  expect(sent.map(({ seq }) => seq).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a participant is added, renamed and removed; old messages keep the old name', async () => {
  const { id } = await create({ preset: 'review' });
  const body = { displayName: 'Jane Doe', apiConfigId: 'main' };
  const added = (await desk.post(`/api/chats/${id}/participants`, body)).json as unknown as Participant;
  expect(added).toMatchObject({ handle: 'jane-doe-2', colorHex: '#0891b2' });
  const path = `/api/chats/${id}/participants/${added.id}`;
  const changed = await put(path, { displayName: 'Max', persona: 'Breaks things.', colorHex: '#123456' });
  expect(changed.json).toEqual({ ...added, displayName: 'Max', persona: 'Breaks things.', colorHex: '#123456' });
  const spoken = (await put(path, { agentId: 'helper' })).json;
  expect(spoken).toMatchObject({ type: 'agent', agentId: 'helper', displayName: 'Max' });
  expect(spoken).not.toHaveProperty('apiConfigId');
  expect((await desk.ask('DELETE', path)).status).toBe(204);
  expect((await desk.ask('DELETE', path)).status).toBe(404);
  expect((await read(id)).participants.map(({ displayName }) => displayName)).toEqual(['Jane Doe', 'Helper']);
});

test('files lie in a folder of roots, and have 256 KB together at most', async () => {
  expect(await create({ files: ['lab:/plan.md', './lab/plan.md'] })).toMatchObject({
    files: ['lab:/plan.md', './lab/plan.md'],
  });
  const refused = async (files: readonly string[]) => (await desk.post('/api/chats', { files })).json.error;
  expect(await refused(['./config/settings.yaml'])).toMatchObject({
    code: 'BAD_REQUEST',
    hint: expect.stringContaining('lab (./lab)'),
  });
  expect((await refused(['lab:/../config/settings.yaml'])).code).toBe('BAD_REQUEST');
  expect((await refused(['lab:/gone.md'])).message).toContain('lab:/gone.md');
  expect((await refused(['lab:/large.md'])).message).toContain('256 KB');
  expect((await refused(Array.from({ length: 21 }, () => 'lab:/plan.md'))).message).toContain('20 files');
});

test.each([
  ['an unknown key', { titel: 'x' }, 'BAD_REQUEST', '"titel"'],
  ['an unknown key of a participant', { participants: [{ name: 'x' }] }, 'BAD_REQUEST', '"participants[0]"'],
  ['a preset that is not there', { preset: 'reviw' }, 'NOT_FOUND', 'did you mean "review"'],
  ['an API that is not there', { participants: [{ displayName: 'A', apiConfigId: 'mian' }] }, 'NOT_FOUND', '"main"'],
  ['an agent that is not there', { participants: [{ displayName: 'A', agentId: 'x' }] }, 'NOT_FOUND', 'agent "x"'],
  ['nobody who speaks', { participants: [{ displayName: 'A' }] }, 'BAD_REQUEST', 'nothing speaks for "A"'],
  [
    'two who speak',
    { participants: [{ displayName: 'A', agentId: 'helper', apiConfigId: 'main' }] },
    'BAD_REQUEST',
    'and an agentId',
  ],
  ['no name', { participants: [{ displayName: ' ', apiConfigId: 'main' }] }, 'BAD_REQUEST', 'displayName'],
  [
    'a colour by name',
    { participants: [{ displayName: 'A', apiConfigId: 'main', color: 'red' }] },
    'BAD_REQUEST',
    '#7c3aed',
  ],
  [
    'a model that roams',
    { participants: [{ displayName: 'A', apiConfigId: 'main', roaming: { enabled: true, workspaceDir: '.' } }] },
    'BAD_REQUEST',
    'no command-line agent',
  ],
  ['a long title', { title: 'x'.repeat(201) }, 'BAD_REQUEST', '200 characters'],
  ['eleven rounds', { maxRounds: 11 }, 'BAD_REQUEST', '1 to 10'],
])('%s is refused', async (_name, body, code, says) => {
  const { error } = (await desk.post('/api/chats', body)).json;
  expect(error.code).toBe(code);
  expect(`${error.message} ${error.hint ?? ''}`).toContain(says);
});

test.each([
  ['/title', { title: 'x'.repeat(201) }],
  [
    '/participants/1/displayName',
    { participants: [{ displayName: 'A', apiConfigId: 'main' }, { displayName: 'b@c' }] },
  ],
  ['/participants/0/apiConfigId', { participants: [{ displayName: 'A', apiConfigId: 'mian' }] }],
  ['/files', { files: ['lab:/gone.md'] }],
  ['/files', { files: 'lab:/plan.md' }],
  ['/maxRounds', { maxRounds: 'x' }],
  ['/maxRounds', { maxRounds: 11 }],
  ['/mentions/caseSensitive', { mentions: { caseSensitive: 'no' } }],
  ['/preset', { preset: 'reviw' }],
  ['/titel', { titel: 'x' }],
  ['/participants', { participants: {} }],
  ['/participants/0/name', { participants: [{ name: 'A' }] }],
  ['/participants/0/roaming/mode', { participants: [{ displayName: 'A', roaming: { mode: 'wild' } }] }],
  ['/participants/0/roaming', { participants: [{ displayName: 'A', agentId: 'helper', roaming: { enabled: true } }] }],
])('an error names the member of the body at %s, for forms', async (path, body) => {
  const { json } = await desk.post('/api/chats', body);
  expect(json.error).toMatchObject({ where: { path } });
});

test('lists mark a chat while a round of it goes on', async () => {
  const { id, participants } = await create({ preset: 'review' });
  const listed = async () => {
    const { items } = (await desk.get('/api/chats')).json;
    return (items as unknown as Chat[]).find((chat) => chat.id === id)?.isSpeaking;
  };
  expect(await listed()).toBeUndefined();
  expect((await desk.post(`/api/chats/${id}/participants/${participants[0]?.id}/run`, {})).status).toBe(202);
  expect(await listed()).toBe(true);
  expect((await desk.post(`/api/chats/${id}/cancel`, {})).status).toBe(200);
  expect(await listed()).toBeUndefined();
});

test('a deleted chat is gone with its messages, and the stream says so', async () => {
  const events: unknown[] = [];
  const stop = desk.stage.app.deps.live.subscribe(({ name, data }) => void (name === 'chat' && events.push(data)));
  const { id } = await create({ title: 'short-lived' });
  const message = await say(id, 'hello');
  await put(`/api/chats/${id}`, { title: 'renamed' });
  expect((await desk.ask('DELETE', `/api/chats/${id}`)).status).toBe(204);
  stop();
  expect(events).toEqual([
    { id, change: 'created' },
    { id, change: 'message', messageId: message.id },
    { id, change: 'updated' },
    { id, change: 'deleted' },
  ]);
  for (const path of [`/api/chats/${id}`, `/api/chats/${id}/messages`]) expect((await desk.get(path)).status).toBe(404);
  expect(await desk.stage.app.deps.store.count('chatMessage', [['chat', '=', id]])).toBe(0);
});

test('a secret that a person writes is not stored', async () => {
  desk.stage.app.deps.redactor.add('sk-chat-secret');
  const { id } = await create({ context: 'the key is sk-chat-secret' });
  const message = await say(id, 'my key: sk-chat-secret');
  expect(message.text).toBe('my key: [redacted]');
  expect((await read(id)).context).toBe('the key is [redacted]');
});

test('a chat keeps the API that writes its summary, which can be another one or none later', async () => {
  const { id, summaryApiConfigId } = await create({ summaryApiConfigId: 'main' });
  expect(summaryApiConfigId).toBe('main');
  const wrong = await put(`/api/chats/${id}`, { summaryApiConfigId: 'mian' });
  expect([wrong.status, wrong.json.error]).toEqual([
    404,
    expect.objectContaining({ where: { path: '/summaryApiConfigId' }, hint: expect.stringContaining('main') }),
  ]);
  expect((await read(id)).summaryApiConfigId).toBe('main');
  await put(`/api/chats/${id}`, { summaryApiConfigId: '' });
  expect(await read(id)).not.toHaveProperty('summaryApiConfigId');
});
