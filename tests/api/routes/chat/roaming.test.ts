import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Chat, ChatMessage } from '../../../../engine/src/chat/chat.ts';
import { createModels } from '../../../../engine/src/model/models.ts';
import { systemClock } from '../../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../../engine/src/base/log.ts';
import { createRedactor } from '../../../../engine/src/base/redact.ts';
import { disk } from '../../../available.ts';
import { PATIENCE_MS } from '../../../next-try.ts';
import { type Desk, openDesk } from '../../harness.ts';

/** A tool of the user's own: it changes a file of the folder in which it is started, and answers with a text. */
const TOOL = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const text = existsSync('plan.md') ? readFileSync('plan.md', 'utf8') : 'no folder';
if (existsSync('plan.md')) writeFileSync('plan.md', text + 'by the agent\\n');
console.log('I have read: ' + text.trim());
`;

let desk: Desk;
let shop: string;
let tools: string;
beforeAll(async () => {
  const env = (name: string) => process.env[name];
  desk = await openDesk({
    files: {
      'settings.yaml': 'workspaces: { shop: ./shop }\n',
    },
    app: {
      env,
      models: createModels({
        ...{ resolve: () => undefined, redactor: createRedactor(), clock: systemClock, log: silentLogger, env },
      }),
    },
  });
  const { root } = desk.stage;
  shop = join(root, 'shop');
  mkdirSync(shop);
  tools = mkdtempSync(join(disk, 'callsheet-tool-'));
  writeFileSync(join(tools, 'tool.mjs'), TOOL);
  writeFileSync(join(shop, 'plan.md'), 'the plan\n');
  desk.stage.write({
    'apis/tool.yaml': `id: tool\nprovider: cli\ncli: { argv: [${JSON.stringify(process.execPath)}, ${JSON.stringify(join(tools, 'tool.mjs'))}], input: stdin, output: text }\n`,
  });
  await desk.stage.app.config.refresh();
  // They drive the rounds.
  desk.stage.app.notices.start();
  execFileSync('git', ['init', '--quiet'], { cwd: shop });
});
afterAll(async () => {
  await desk.close();
  rmSync(tools, { recursive: true });
});

const participant = (roaming: object) => ({ displayName: 'Bob', apiConfigId: 'tool', roaming });
const replyTo = async (chat: Chat): Promise<ChatMessage> => {
  const [bob] = chat.participants;
  const path = `/api/chats/${chat.id}`;
  const before = (await desk.get(`${path}/messages`)).json.items.length;
  expect((await desk.post(`${path}/participants/${bob?.id}/run`, {})).status).toBe(202);
  return vi.waitFor(
    async () => {
      const { items } = (await desk.get(`${path}/messages`)).json;
      expect(items.length).toBeGreaterThan(before);
      return items.at(-1) as unknown as ChatMessage;
    },
    { timeout: PATIENCE_MS },
  );
};

test('a chat with a participant that may work in a folder is refused with the warning, until the tick is sent', async () => {
  const roaming = { enabled: true, workspaceDir: shop, mode: 'yolo' };
  const { status, json } = await desk.post('/api/chats', { participants: [participant(roaming)] });
  expect([status, json.error.code]).toEqual([409, 'ROAMING_UNCONFIRMED']);
  const query = new URLSearchParams({ apiConfigId: 'tool', workspaceDir: shop, mode: 'yolo', name: 'Bob' });
  const { text, consent } = (await desk.get(`/api/roaming-warning?${query}`)).json as unknown as Record<string, string>;
  expect(json.error.hint).toBe(`${text} Send confirmed: true for: ${consent}`);
  query.set('mode', 'safe');
  expect((await desk.get(`/api/roaming-warning?${query}`)).json).toMatchObject({
    error: { code: 'BAD_REQUEST', where: { path: '/roaming/mode' } },
  });
  expect((await desk.get('/api/workspace-folders')).json).toMatchObject({ folders: [{ name: 'shop' }] });
});

test('a participant changes files in a copy, a person applies them, and without roaming it sees no folder', async () => {
  const roaming = { enabled: true, workspaceDir: shop, mode: 'yolo', confirmed: true };
  const made = await desk.post('/api/chats', { participants: [participant(roaming)] });
  const chat = made.json as unknown as Chat;
  expect(chat.participants[0]?.roaming).toMatchObject({ confirmedBy: 'local', confirmedReach: 'user' });
  const reply = await replyTo(chat);
  expect(reply.text).toBe('I have read: the plan');
  expect(readFileSync(join(shop, 'plan.md'), 'utf8')).toBe('the plan\n');
  const path = `/api/chats/${chat.id}/changes/${reply.meta.changesId}`;
  expect((await desk.get(path)).json).toMatchObject({
    ...{ messageId: reply.id, status: 'open', decisions: ['apply', 'drop'] },
    diff: expect.stringContaining('+by the agent'),
  });
  expect((await desk.post(path, { decision: 'apply' })).json).toMatchObject({ status: 'applied' });
  expect(readFileSync(join(shop, 'plan.md'), 'utf8')).toBe('the plan\nby the agent\n');

  const off = `/api/chats/${chat.id}/participants/${chat.participants[0]?.id}`;
  expect((await desk.ask('PUT', off, { body: { roaming: { enabled: false } } })).status).toBe(200);
  const again = await replyTo(chat);
  expect(again.text).toBe('I have read: no folder');
  expect(again.meta.changesId).toBeUndefined();
});
