import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../../base/folder.ts';
import type { Page } from '../../../api/http/paging.ts';
import { EngineError } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import type { Chat, ChatMessage } from '../../../chat/chat.ts';
import type { ExportedChat, ExportedEntry, ExportedMessage } from '../../../chat/export/exported-chat.ts';
import { writeFileAtomically } from '../../../config/edit/write-file.ts';
import { writeNamed } from '../../../file/write-named.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';
import { findChat } from './find-chat.ts';

/**
 * `chats export [id…]`: writes `index.json`, and for each chat a folder with `chat.json` and `messages.jsonl`. Each file is written whole
 * and then renamed, and the index last: what it names is there. Other chats of an earlier export stay.
 */
export async function exportChats(
  context: CommandContext,
  { to }: { readonly to: string },
  given: readonly string[],
): Promise<number> {
  const folder = resolve(context.terminal.cwd, to);
  const written = await withApi(context, { isDriving: false }, async (client) => {
    await writeNamed(folder, makeFolder(folder));
    const before = await readIndex(folder);
    const entries: ExportedEntry[] = [];
    for (const chat of await chatsOf(client, given)) {
      await exportChat(client, folder, chat);
      entries.push({ id: chat.id, title: chat.title, updatedAt: chat.updatedAt });
    }
    const others = before.filter(({ id }) => !entries.some((entry) => entry.id === id));
    const all = [...entries, ...others].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    await writeNamed(folder, writeFileAtomically(folder, 'index.json', `${JSON.stringify(all, null, 2)}\n`));
    return entries;
  });
  if (context.isJson) context.print({ folder, chats: written });
  else context.say(`${written.length} ${written.length === 1 ? 'chat' : 'chats'} written to ${folder}`);
  return EXIT.fine;
}

async function chatsOf(client: ApiClient, given: readonly string[]): Promise<Chat[]> {
  if (given.length > 0) return Promise.all(given.map((id) => findChat(client, id)));
  const found: Chat[] = [];
  for (const archived of ['false', 'true'])
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `archived=${archived}&limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page: Page<Chat> = await client.request<Page<Chat>>('GET', `/api/chats?${query}`);
      found.push(...page.items);
      cursor = page.nextCursor;
    }
  return found;
}

async function exportChat(client: ApiClient, folder: string, { round: _round, ...chat }: Chat): Promise<void> {
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const address: string = `${path`/api/chats/${chat.id}/messages`}?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = await client.request<Page<ChatMessage>>('GET', address);
    pages.push(page.items.map(lineOf).join(''));
    cursor = page.nextCursor;
  }
  const write = (name: string, text: string) =>
    writeNamed(join(folder, chat.id), writeFileAtomically(folder, join(chat.id, name), text));
  await write('messages.jsonl', pages.reverse().join(''));
  await write('chat.json', `${JSON.stringify(chat satisfies ExportedChat, null, 2)}\n`);
}

function lineOf({ seq: _seq, ...message }: ChatMessage): string {
  return `${JSON.stringify(message satisfies ExportedMessage)}\n`;
}

/** The chats of an earlier export. `USAGE` where the file is another one. */
async function readIndex(folder: string): Promise<ExportedEntry[]> {
  const file = join(folder, 'index.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  const entries = parsed(text);
  if (Array.isArray(entries) && entries.every(isEntry)) return entries;
  throw new EngineError('USAGE', `${file} is no list of chats`, { hint: 'choose another folder with --to' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is ExportedEntry {
  return isRecord(value) && ['id', 'title', 'updatedAt'].every((key) => typeof value[key] === 'string');
}
