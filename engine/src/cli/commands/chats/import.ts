import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { EngineError, errorBody } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import type { Chat } from '../../../chat/chat.ts';
import {
  type ExportedChat,
  type ExportedMessage,
  readExportedChat,
  readExportedMessage,
} from '../../../chat/export/exported-chat.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';

/** Characters of messages in one request, about: a tenth of what the API takes. */
const BATCH_CHARACTERS = 1_000_000;

interface ChatOnDisk {
  readonly chat: ExportedChat;
  readonly messages: readonly ExportedMessage[];
}

/**
 * `chats import <folder>`: reads the chats of an export, or one chat of it. All files are checked before anything is stored, and a file
 * that is broken is refused with its line. A chat whose import breaks off is not listed.
 */
export async function importChats(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const folder = resolve(context.terminal.cwd, given);
  const found: ChatOnDisk[] = [];
  for (const dir of await foldersOf(folder)) found.push(await readChat(dir));
  const imported = await withApi(context, { isDriving: false }, async (client) => {
    const chats: Chat[] = [];
    for (const one of found) chats.push(await send(client, one));
    return chats;
  });
  if (context.isJson) context.print({ chats: imported });
  else for (const { id, title } of imported) context.say(`imported: ${oneLine(title)} (${id})`);
  return EXIT.fine;
}

async function send(client: ApiClient, { chat, messages }: ChatOnDisk): Promise<Chat> {
  const { id } = chat;
  const post = <T>(body: object) => client.request<T>('POST', '/api/chats/import', { body });
  await post({ chat });
  try {
    for (const batch of batchesOf(messages)) await post({ id, messages: batch });
    return await post<Chat>({ id, isComplete: true });
  } catch (error) {
    await client.request('DELETE', path`/api/chats/${id}`).catch(() => {});
    throw error;
  }
}

function* batchesOf(messages: readonly ExportedMessage[]): Iterable<readonly ExportedMessage[]> {
  let batch: ExportedMessage[] = [];
  let characters = 0;
  for (const message of messages) {
    batch.push(message);
    characters += message.text.length + 500;
    if (characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The folders of the chats: those that `index.json` names, or the folder itself. `USAGE`. */
async function foldersOf(folder: string): Promise<string[]> {
  if (existsSync(join(folder, 'chat.json'))) return [folder];
  const file = join(folder, 'index.json');
  const entries = parse(await read(file), file);
  if (!Array.isArray(entries)) throw broken(file, 'it must be a list of chats');
  return entries.map((entry: unknown, n) => {
    const id = isRecord(entry) ? entry['id'] : undefined;
    // An id names a folder in this one, and nothing else.
    if (typeof id === 'string' && /^c_[0-9A-Za-z]+$/.test(id)) return join(folder, id);
    throw broken(file, `chat ${n + 1} has no id such as c_01M850JD050000QC1NC8MD0000`);
  });
}

async function readChat(dir: string): Promise<ChatOnDisk> {
  const file = join(dir, 'chat.json');
  const chat = checked(file, undefined, await read(file), readExportedChat);
  const lines = join(dir, 'messages.jsonl');
  const texts = (await read(lines)).split('\n');
  // The last line ends with a line break.
  if (texts.at(-1) === '') texts.pop();
  const ids = new Set<string>();
  const messages = texts.map((text, n) => {
    const message = checked(lines, n + 1, text, readExportedMessage);
    if (ids.has(message.id)) throw broken(lines, `message ${message.id} is there twice`, n + 1);
    ids.add(message.id);
    return message;
  });
  if (basename(dir) !== chat.id && /^c_/.test(basename(dir)))
    throw broken(file, `its id ${chat.id} is not that of its folder`);
  return { chat, messages };
}

function checked<T>(file: string, line: number | undefined, text: string, check: (value: unknown) => T): T {
  const value = parse(text, file, line);
  try {
    return check(value);
  } catch (error) {
    throw broken(file, errorBody(error).message, line);
  }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new EngineError('USAGE', `${file} cannot be read: ${errorBody(cause).message}`, {
      hint: 'name a folder that callsheet chats export has written',
      cause,
    });
  }
}

function parse(text: string, file: string, line?: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw broken(file, `it is no JSON: ${errorBody(error).message}`, line);
  }
}

function broken(file: string, reason: string, line?: number): EngineError {
  return new EngineError('USAGE', `${file}${line === undefined ? '' : `:${line}`}: ${reason}`, {
    hint: 'nothing was imported',
  });
}
