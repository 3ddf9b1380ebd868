/**
 * Measures the last page of a chat with many messages: writes rows as the engine writes them, then asks
 * over HTTP. `node bench/chats.ts [--json] [count]`, 100,000 messages by default.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newChatId } from '../engine/src/chat/chat.ts';
import { insertMessage } from '../engine/src/chat/chat-rows.ts';
import { home, median, openToFill, serve, type Served } from './serve.ts';

const COUNT = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
const TEXT = 'A message of common length, with **Markdown** and a mention of @nobody, such as people write. '.repeat(3);

/** Creates a chat with `COUNT` messages; resolves with its id. */
async function fill(root: string): Promise<string> {
  const app = await openToFill(root);
  const { deps, chats } = app;
  const { id } = await chats.create({ preset: 'round-table' }, { id: 'local', name: 'User' });
  const author = { authorKind: 'user', authorId: 'user', authorDisplayName: 'User', meta: {} } as const;
  for (let first = 1; first <= COUNT; first += 1000) {
    const count = Math.min(1000, COUNT - first + 1);
    const ts = new Date().toISOString();
    const messages = Array.from({ length: count }, (_, n) => ({
      ...{ id: newChatId(deps.ids, 'm'), seq: first + n, ts, text: `${first + n}. ${TEXT}` },
      ...author,
    }));
    await deps.store.apply(messages.map((message) => insertMessage(id, message)));
  }
  await app.close();
  return id;
}

async function timed(server: Served, path: string): Promise<number> {
  const began = performance.now();
  const { items } = JSON.parse(await server.get(path)) as { items: unknown[] };
  if (items.length === 0) throw new Error(`${path} is empty`);
  return performance.now() - began;
}

const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
try {
  await mkdir(join(root, 'data'));
  await cp(join(home, 'config'), join(root, 'config'), { recursive: true });
  const id = await fill(root);
  const server = await serve(root);
  const path = `/api/chats/${id}/messages?limit=50`;
  const cold = await timed(server, path);
  const warm: number[] = [];
  for (let n = 0; n < 20; n++) warm.push(await timed(server, path));
  await server.stop();
  const result = { messages: COUNT, coldMs: round(cold), medianMs: round(median(warm)) };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.log(`last page of ${COUNT} messages: ${result.medianMs} ms (median of 20), ${result.coldMs} ms cold`);
} finally {
  await rm(root, { recursive: true, force: true });
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
