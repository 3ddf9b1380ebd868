import type { Page } from '../../../api/http/paging.ts';
import { EngineError } from '../../../base/error.ts';
import type { Chat, ChatMessage } from '../../../chat/chat.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { formatTable, oneLine, plain } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { withRows } from '../../with-api.ts';
import { ARCHIVED_HINT, findChat, hasArchived } from './find-chat.ts';
import { nameIn } from './name-in.ts';

/** Largest page of the API. */
const MAX_PAGE = 200;

/** `chats list`: chats, the last changed first. */
export async function listChats(
  context: CommandContext,
  { archived = false }: { readonly archived?: boolean },
): Promise<number> {
  const { page, isHidden } = await withRows(context, async (client) => {
    const found = await client.request<Page<Chat>>('GET', `/api/chats?archived=${archived}&limit=${MAX_PAGE}`);
    return { page: found, isHidden: !archived && found.items.length === 0 && (await hasArchived(client)) };
  });
  if (context.isJson) context.print(page);
  else if (page.items.length === 0)
    context.say(isHidden ? `all chats are archived; ${ARCHIVED_HINT}` : archived ? 'no archived chats' : 'no chats');
  else {
    const ids = shortIds(page.items.map(({ id }) => id));
    const rows = page.items.map(({ id, updatedAt, title, participants }) => [
      ids.get(id) ?? id,
      timeOf(updatedAt),
      oneLine(title),
      oneLine(participants.map(({ displayName }) => displayName).join(', ')),
    ]);
    const columns = ['ID', 'CHANGED', { head: 'TITLE', cut: 1, min: 20 }, { head: 'PARTICIPANTS', cut: 2 }];
    context.terminal.out(formatTable(columns, rows, widthOf(context.terminal)));
  }
  if (page.nextCursor !== null) context.say(`only the newest ${MAX_PAGE} chats are listed`);
  return EXIT.fine;
}

/** `chats show <id>`: a chat with its newest messages, oldest first. */
export async function showChat(
  context: CommandContext,
  { limit }: { readonly limit: string },
  [given = '']: readonly string[],
): Promise<number> {
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_PAGE)
    throw new EngineError('USAGE', `--limit must be 1 to ${MAX_PAGE}, not "${limit}"`);
  const { chat, page } = await withRows(context, async (client) => {
    const found = await findChat(client, given);
    const address = `${path`/api/chats/${found.id}/messages`}?limit=${limit}`;
    return { chat: found, page: await client.request<Page<ChatMessage>>('GET', address) };
  });
  if (context.isJson) {
    context.print({ ...chat, messages: page.items });
    return EXIT.fine;
  }
  const { out } = context.terminal;
  out(`${oneLine(chat.title)}\n`);
  out(`chat:         ${chat.id}${chat.archived ? ' (archived)' : ''}\n`);
  for (const { displayName, handle, type, apiConfigId, agentId = apiConfigId } of chat.participants)
    out(`participant:  ${oneLine(displayName)} (@${handle}), ${type} ${agentId}\n`);
  if (chat.context !== '') out(`\n${plain(chat.context)}\n`);
  if (page.nextCursor !== null) context.say(`only the newest ${page.items.length} messages are shown`);
  for (const message of page.items)
    out(`\n${nameIn(chat, message, context.hasColor.out)}  ${timeOf(message.ts)}\n${plain(message.text)}\n`);
  return EXIT.fine;
}

/** To the minute, in UTC. */
function timeOf(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`;
}
