import type { ChatMessage } from '../../../chat/chat.ts';
import { chatOfRow, readChatRow, readMessages } from '../../../chat/chat-rows.ts';
import type { ChatPerson } from '../../../chat/chats.ts';
import { listAfter } from '../../../store/list-after.ts';
import type { Row } from '../../../store/store.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { LOCAL, personOf } from '../../auth/person.ts';
import { count, flag, optional, readBody, text, texts } from '../../http/body.ts';
import { boundedPage, cursorOf, readPage, readTimePage } from '../../http/paging.ts';
import { queryFlag, queryIdPrefix } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import { listBounded } from '../../../store/bounded-list.ts';
import { fields, participants, PARTICIPANT } from './chat-body.ts';

const LIST = 'chats';
const MESSAGES = 'chat-messages';

const GIVEN = {
  title: optional(text),
  context: optional(text),
  files: optional(texts),
  maxRounds: optional(count),
  mentions: optional(fields({ caseSensitive: optional(flag) })),
  summaryApiConfigId: optional(text),
} as const;

/**
 * Group chats: `GET /api/chats?archived=&idPrefix=&limit=&cursor=`, newest `updatedAt` first · `POST /api/chats` `{ preset, title, context,
 * participants, files, maxRounds, mentions, summaryApiConfigId }` · `GET|PUT|DELETE /api/chats/:id` · `GET /api/chats/:id/messages?limit=&cursor=`, the newest page
 * first, oldest first within it · `POST /api/chats/:id/messages` `{ text }` · `POST /api/chats/:id/participants` · `PUT|DELETE
 * /api/chats/:id/participants/:pid` · `POST /api/chats/:id/participants/:pid/run` · `POST /api/chats/:id/cancel` `{ participantId }`.
 */
export const chatRoutes: AddRoutes = (router, services) => {
  const { chats } = services;
  router.get(
    '/chats',
    reading(services, async (readable, ctx) => {
      ctx.body = await listChats(readable, ctx);
    }),
  );
  router.post('/chats', async (ctx) => {
    const given = readBody(ctx, { ...GIVEN, preset: optional(text), participants: optional(participants) });
    ctx.body = await chats.create(given, speakerOf(ctx));
    ctx.status = 201;
  });
  router.get('/chats/:id', async (ctx) => {
    ctx.body = await chats.view(idOf(ctx));
  });
  router.put('/chats/:id', async (ctx) => {
    ctx.body = await chats.change(idOf(ctx), readBody(ctx, { ...GIVEN, archived: optional(flag) }));
  });
  router.delete('/chats/:id', async (ctx) => {
    await chats.remove(idOf(ctx));
    ctx.status = 204;
  });
  router.get(
    '/chats/:id/messages',
    reading(services, async (readable, ctx) => {
      ctx.body = await listMessages(readable, ctx);
    }),
  );
  router.post('/chats/:id/messages', async (ctx) => {
    const { text: said } = readBody(ctx, { text });
    ctx.body = await chats.say(idOf(ctx), said, speakerOf(ctx));
    ctx.status = 201;
  });
  router.post('/chats/:id/participants', async (ctx) => {
    ctx.body = await chats.addParticipant(idOf(ctx), readBody(ctx, PARTICIPANT), speakerOf(ctx));
    ctx.status = 201;
  });
  router.put('/chats/:id/participants/:pid', async (ctx) => {
    ctx.body = await chats.changeParticipant(idOf(ctx), pidOf(ctx), readBody(ctx, PARTICIPANT), speakerOf(ctx));
  });
  router.delete('/chats/:id/participants/:pid', async (ctx) => {
    await chats.removeParticipant(idOf(ctx), pidOf(ctx));
    ctx.status = 204;
  });
  router.post('/chats/:id/participants/:pid/run', async (ctx) => {
    readBody(ctx, {});
    ctx.body = { roundId: await chats.speak(idOf(ctx), pidOf(ctx), speakerOf(ctx)) };
    ctx.status = 202;
  });
  router.post('/chats/:id/cancel', async (ctx) => {
    const { participantId } = readBody(ctx, { participantId: optional(text) });
    ctx.body = await chats.cancel(idOf(ctx), participantId);
  });
};

async function listChats({ deps: { store } }: Services, ctx: RouteContext) {
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

async function listMessages({ deps: { store } }: Services, ctx: RouteContext) {
  const id = idOf(ctx);
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

function idOf(ctx: RouteContext): string {
  return String(ctx.params['id']);
}

function pidOf(ctx: RouteContext): string {
  return String(ctx.params['pid']);
}

function speakerOf(ctx: RouteContext): ChatPerson {
  const { id, name } = personOf(ctx);
  return { id, name: id === LOCAL.id ? 'User' : name };
}
