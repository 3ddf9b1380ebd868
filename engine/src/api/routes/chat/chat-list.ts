import type { Chat, ChatMessage } from '../../../chat/chat.ts';
import { chatOfRow, readChatRow, readMessages } from '../../../chat/chat-rows.ts';
import { viewChat } from '../../../chat/view-chat.ts';
import { listBounded } from '../../../store/bounded-list.ts';
import { listAfter } from '../../../store/list-after.ts';
import type { Row } from '../../../store/store.ts';
import { boundedPage, cursorOf, type Page, readPage, readTimePage } from '../../http/paging.ts';
import { queryFlag, queryIdPrefix, type WithQuery } from '../../http/query.ts';
import type { Rows, WithPath } from '../../http/rows.ts';

const LIST = 'chats';
const MESSAGES = 'chat-messages';

/** The answer of `GET /api/chats`: newest `updatedAt` first. */
export async function chatsPage({ store }: Pick<Rows, 'store'>, ctx: WithQuery): Promise<Page<Chat>> {
  const { limit, after } = readTimePage(ctx, LIST);
  const status = queryFlag(ctx, 'archived') === true ? 'archived' : 'open';
  const where = [['status', '=', status] as const, ...queryIdPrefix(ctx)];
  const load = (row: Row<'chat'> | undefined, most: number) =>
    listAfter(store, 'chat', { where, by: ['at', 'desc'], ids: 'desc', limit: most, after: row ?? after });
  const rows = await listBounded(load, { limit, sizeOf: ({ body }) => body.length });
  const shown = boundedPage(LIST, rows, (row) => [row.at, row.id]);
  const rounds = await store.list('chatRound', { where: [['status', '=', 'open']], bodies: false });
  const speaking = new Set(rounds.map(({ chat }) => chat));
  const items = shown.items.map((row) => ({ ...chatOfRow(row), ...(speaking.has(row.id) && { isSpeaking: true }) }));
  return { ...shown, items };
}

/** The answer of `GET /api/chats/:id`. `NOT_FOUND`. */
export async function shownChat({ store }: Pick<Rows, 'store'>, ctx: WithPath): Promise<Chat> {
  return viewChat({ store }, await readChatRow(store, String(ctx.params['id'])));
}

/** The answer of `GET /api/chats/:id/messages`: the newest page first, oldest first within it. `NOT_FOUND`. */
export async function messagesPage({ store }: Pick<Rows, 'store'>, ctx: WithPath): Promise<Page<ChatMessage>> {
  const id = String(ctx.params['id']);
  const { limit, after } = readPage(ctx, MESSAGES, ['string', 'number']);
  await readChatRow(store, id);
  const first = after === undefined || after[0] !== id ? undefined : Number(after[1]);
  const { rows, isMore } = await listBounded(
    async (last: ChatMessage | undefined, most) =>
      (await readMessages(store, id, { before: last?.seq ?? first, limit: most })).toReversed(),
    { limit, sizeOf: ({ text: said }) => said.length },
  );
  const oldest = rows.at(-1);
  return {
    items: rows.toReversed(),
    nextCursor: isMore && oldest !== undefined ? cursorOf(MESSAGES, [id, oldest.seq]) : null,
  };
}
