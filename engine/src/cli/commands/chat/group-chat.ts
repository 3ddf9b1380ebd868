import type { Page } from '../../../api/http/paging.ts';
import { didYouMean, listOf } from '../../../base/did-you-mean.ts';
import { EngineError } from '../../../base/error.ts';
import type { Chat, ChatMessage, Participant } from '../../../chat/chat.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { openFeed } from '../../live-feed.ts';
import type { LineReader } from '../../terminal/line-reader.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';
import { findChat } from '../chats/find-chat.ts';
import { answerScreen } from '../run/print-answer.ts';
import { createMessagePrinter, type MessagePrinter } from './print-message.ts';
import { followRounds } from './follow-rounds.ts';
import { readMessage } from './read-message.ts';

const HELP = `  @NAME in a message has that participant answer
  /speak NAME   have a participant speak next
  /who          list the participants
  /cancel NAME  cancel what a participant is saying; without a name all of it
  /exit         leave; so does Ctrl-D
  Ctrl-C cancels who is speaking, or leaves when nobody is. A line that ends in \\ goes on in the next one.`;

/** Messages that are shown of a chat that goes on. */
const SHOWN = 10;

interface GroupOptions {
  /** Id of a chat to go on with, or its beginning, or `last`. */
  readonly chat?: string;
}

/**
 * `chat @PRESET` and `chat --chat ID|last`: a group chat. Replies are shown while they are written; approvals and questions are answered
 * in place. Ctrl-C cancels who is speaking. Piped input is read line by line. Exit 0, or by the last message of piped input: 1 where a
 * participant failed, 3 where one waits for a person; 130 on Ctrl-C.
 */
export function groupChat(context: CommandContext, { chat: given }: GroupOptions, id: string): Promise<number> {
  if (id !== '' && given !== undefined)
    throw new EngineError('USAGE', `--chat goes on with a chat, and ${oneLine(id)} would begin one`, {
      hint: 'leave out one of them',
    });
  return withApi(context, { isDriving: true }, async (client) => {
    const body = { preset: id.slice(1) };
    const chat =
      given === undefined ? await client.request<Chat>('POST', '/api/chats', { body }) : await findChat(client, given);
    const lines = await context.terminal.openLines();
    try {
      return await talk({ context, client, lines, chat, isNew: given === undefined });
    } finally {
      lines.close();
    }
  });
}

interface Talk {
  readonly context: CommandContext;
  readonly client: ApiClient;
  readonly lines: LineReader;
  readonly chat: Chat;
  readonly isNew: boolean;
}

async function talk({ context, client, lines, chat, isNew }: Talk): Promise<number> {
  const mark = context.hasColor.err ? '\x1b[36m›\x1b[0m' : '›';
  const { isInteractive } = lines;
  const remark = (text: string) => (isInteractive ? context.say(text) : undefined);
  const address = path`/api/chats/${chat.id}`;
  const screen = answerScreen(context);
  const printer = createMessagePrinter(context, screen);
  const feed = await openFeed(client, screen.piece);
  let code: number = EXIT.fine;
  let isEmpty = isNew;
  remark(`${oneLine(chat.title)} · ${namesOf(chat)}. Ctrl-C cancels replies, Ctrl-D leaves, /help says more.`);
  try {
    await showNewest(client, chat, printer);
    if (chat.round !== undefined) code = await follow();
    for (;;) {
      const input = await readMessage(lines, mark);
      if (input.kind === 'interrupt') return EXIT.interrupted;
      const text = input.kind === 'end' ? '/exit' : input.text;
      if (text === '/exit' || text === '/quit') return isInteractive ? EXIT.fine : code;
      if (text === '') continue;
      code = await obey(text).catch(refused);
      if (code === EXIT.person) return code;
    }
  } finally {
    feed.close();
    if (isEmpty) await client.request('DELETE', address).catch(() => {});
    else remark(`go on with it: callsheet chat --chat ${chat.id}`);
  }

  async function obey(text: string): Promise<number> {
    const [, command = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? [];
    const now = command === '' ? chat : await client.request<Chat>('GET', address);
    if (command === 'help') context.say(HELP);
    else if (command === 'who') context.say(`  ${namesOf(now)}`);
    else if (command === 'cancel') {
      const body = rest === '' ? {} : { participantId: named(now, rest).id };
      await client.request('POST', `${address}/cancel`, { body });
    } else if (command === 'speak') {
      const { id } = named(now, rest);
      isEmpty = false;
      screen.begin();
      await client.request('POST', path`/api/chats/${chat.id}/participants/${id}/run`, { body: {} });
      return follow();
    } else if (command !== '') context.say(`  there is no /${oneLine(command)}; /help lists what there is`);
    else {
      screen.begin();
      const message = await client.request<ChatMessage>('POST', `${address}/messages`, { body: { text } });
      isEmpty = false;
      printer.sent(message);
      return follow();
    }
    return code;
  }

  async function follow(): Promise<number> {
    const interrupt = new AbortController();
    const off = context.terminal.onSignal((signal) => {
      // A second Ctrl-C does not wait for the end of the round.
      if (interrupt.signal.aborted || signal === 'SIGTERM') context.terminal.exit(EXIT.interrupted);
      interrupt.abort();
    });
    try {
      const one = { context, client, feed, lines, mark, screen, printer, interrupted: interrupt.signal };
      return await followRounds(one, chat.id);
    } finally {
      off();
    }
  }

  function refused(error: unknown): number {
    if (!(error instanceof EngineError) || error.code === 'INTERNAL') throw error;
    context.say(`  ${oneLine(error.message)} (${error.code})`);
    if (error.hint !== undefined) context.say(`  ${oneLine(error.hint)}`);
    return EXIT.warning;
  }
}

async function showNewest(client: ApiClient, { id, participants }: Chat, printer: MessagePrinter): Promise<void> {
  const address = `${path`/api/chats/${id}/messages`}?limit=${SHOWN}`;
  const { items } = await client.request<Page<ChatMessage>>('GET', address);
  for (const message of items) printer.print(participants, message);
}

function namesOf({ participants }: Chat): string {
  const names = participants.map(({ displayName, handle }) => `${oneLine(displayName)} (@${handle})`);
  return names.length === 0 ? 'no participants' : names.join(', ');
}

/** The participant with a handle or a name, with or without `@`. `USAGE`. */
function named({ participants }: Chat, given: string): Participant {
  const name = given.replace(/^@/, '').trim().toLowerCase();
  const found =
    participants.find(({ handle }) => handle === name) ??
    participants.find(({ displayName }) => displayName.toLowerCase() === name);
  if (found !== undefined) return found;
  const handles = participants.map(({ handle }) => handle);
  throw new EngineError('USAGE', `there is no participant "${oneLine(given)}"${didYouMean(name, handles)}`, {
    hint: handles.length === 0 ? 'this chat has no participants' : `participants: ${listOf(handles)}`,
  });
}
