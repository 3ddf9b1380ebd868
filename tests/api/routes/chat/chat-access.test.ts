import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Chat, ChatMessage } from '../../../../engine/src/chat/chat.ts';
import { type GoogleEmulator, startGoogle } from '../../../account/oauth/google-emulator.ts';
import type { Desk } from '../../harness.ts';
import { openLoginDesk, signIn } from '../../auth/sign-in.ts';

let google: GoogleEmulator;
let desk: Desk;
let chat: Chat;
const headersOf: Record<string, Readonly<Record<string, string>>> = {};
beforeAll(async () => {
  google = await startGoogle();
  const people = ['jane@example.org, role: approver', 'john@example.org, role: viewer'];
  const settings = `login: { users: [${people.map((one) => `{ email: ${one} }`).join(', ')}] }\n`;
  desk = await openLoginDesk(google.url, { settings });
  for (const name of ['jane', 'john']) headersOf[name] = (await signIn(desk, google, `${name}@example.org`)).headers;
  const body = { participants: [{ displayName: 'Ada', apiConfigId: 'main' }] };
  chat = (await desk.post('/api/chats', body)).json as unknown as Chat;
});
afterAll(async () => {
  await desk?.close();
  await google?.close();
});

const ask = (name: string, method: string, path: string, body?: object) =>
  desk.ask(method, path, { ...(body && { body }), headers: headersOf[name] ?? {}, isSignedIn: false });

test('a viewer reads chats, and can neither write nor stop anybody', async () => {
  const path = `/api/chats/${chat.id}`;
  for (const address of ['/api/chats', path, `${path}/messages`, '/api/chat-presets'])
    expect((await ask('john', 'GET', address)).status, address).toBe(200);
  const refused = [
    ['POST', '/api/chats'],
    ['POST', '/api/chats/import'],
    ['POST', `${path}/messages`],
    ['POST', `${path}/participants/${chat.participants[0]?.id}/run`],
    ['POST', `${path}/cancel`],
    ['DELETE', path],
  ] as const;
  for (const [method, address] of refused)
    expect((await ask('john', method, address, {})).status, `${method} ${address}`).toBe(403);
});

test('an approver writes under their own name, and changes no participant', async () => {
  const { status, json } = await ask('jane', 'POST', `/api/chats/${chat.id}/messages`, { text: 'hello' });
  expect(status).toBe(201);
  expect(json).toMatchObject({
    ...{ authorId: 'user', authorDisplayName: expect.stringMatching(/jane/i) },
    meta: { userId: expect.stringMatching(/^user_/) },
  });
  const read = (await ask('john', 'GET', `/api/chats/${chat.id}/messages`)).json as unknown as { items: ChatMessage[] };
  expect(read.items.at(-1)).toEqual(json);
  const address = `/api/chats/${chat.id}/participants/${chat.participants[0]?.id}`;
  const roaming = { enabled: true, workspaceDir: '/', mode: 'yolo', confirmed: true };
  expect((await ask('jane', 'PUT', address, { roaming })).status).toBe(403);
  const participants = [{ displayName: 'Bob', apiConfigId: 'main', roaming }];
  expect((await ask('jane', 'POST', '/api/chats', { participants })).status).toBe(403);
  expect((await ask('jane', 'PUT', `/api/chats/${chat.id}`, { title: 'mine' })).status).toBe(403);
});

test('without a sign-in nothing is read', async () => {
  expect((await desk.get(`/api/chats/${chat.id}/messages`, { isSignedIn: false })).status).toBe(401);
});
