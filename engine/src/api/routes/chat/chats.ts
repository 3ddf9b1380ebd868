import type { ChatPerson } from '../../../chat/chats.ts';
import type { AddRoutes, RouteContext } from '../../api.ts';
import { LOCAL, personOf } from '../../auth/person.ts';
import { count, flag, optional, readBody, text, texts } from '../../http/body.ts';
import { reading } from '../../http/reading.ts';
import { fields, participants, PARTICIPANT } from './chat-body.ts';
import { chatsPage, messagesPage, shownChat } from './chat-list.ts';

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
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await chatsPage(deps, ctx);
    }),
  );
  router.post('/chats', async (ctx) => {
    const given = readBody(ctx, { ...GIVEN, preset: optional(text), participants: optional(participants) });
    ctx.body = await chats.create(given, speakerOf(ctx));
    ctx.status = 201;
  });
  router.get(
    '/chats/:id',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await shownChat(deps, ctx);
    }),
  );
  router.put('/chats/:id', async (ctx) => {
    ctx.body = await chats.change(idOf(ctx), readBody(ctx, { ...GIVEN, archived: optional(flag) }));
  });
  router.delete('/chats/:id', async (ctx) => {
    await chats.remove(idOf(ctx));
    ctx.status = 204;
  });
  router.get(
    '/chats/:id/messages',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await messagesPage(deps, ctx);
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
