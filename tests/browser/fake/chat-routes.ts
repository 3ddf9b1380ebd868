import type Router from '@koa/router';
import type { Context } from 'koa';
import type { ChangesView, Chat, Participant } from '../../../ui/http/api-types.ts';
import { fail, page } from './answers.ts';
import { makeChat, makeMessage, makeParticipant } from './chat-fixtures.ts';
import type { World } from './fixtures.ts';

type Params = Context & { params: Record<string, string> };

/** Chats, their messages, participants, turns and changes, and the documents that the form offers. */
export function addChatRoutes(router: Router, world: Pick<World, 'chat'>): void {
  const find = (ctx: Params) => world.chat.chats.find(({ id }) => id === ctx.params['id']);
  const replace = (id: string, change: Partial<Chat>) => {
    world.chat.chats = world.chat.chats.map((chat) => (chat.id === id ? { ...chat, ...change } : chat));
    return world.chat.chats.find((chat) => chat.id === id);
  };
  router.get('/api/chats', (ctx) => {
    const isArchived = ctx.query['archived'] === 'true';
    const items = world.chat.chats
      .filter(({ archived }) => archived === isArchived)
      .map(({ round, ...chat }) => ({ ...chat, ...(round !== undefined && { isSpeaking: true }) }));
    ctx.body = page(ctx, items);
  });
  router.post('/api/chats', (ctx) => {
    const { participants = [], ...body } = ctx.request.body as Partial<Chat>;
    if (typeof body.maxRounds === 'string')
      return refuse(ctx, '/maxRounds', '"maxRounds" must be a non-negative integer, not "many"');
    const wrong = participants.findIndex(({ displayName }) => displayName.length > 80);
    if (wrong >= 0) return refuse(ctx, `/participants/${wrong}/displayName`, 'the name has more than 80 characters');
    const chat = makeChat(`c_new${world.chat.chats.length}`, {
      ...{ title: 'New chat 2026-11-23', ...body, updatedAt: new Date().toISOString() },
      participants: participants.map((one, i) => makeParticipant(`a_new${i}`, one)),
    });
    world.chat.chats = [chat, ...world.chat.chats];
    ctx.status = 201;
    ctx.body = chat;
  });
  router.get('/api/chats/:id', (ctx) => {
    const chat = find(ctx);
    if (chat === undefined) fail(ctx, 404, 'NOT_FOUND', 'there is no such chat');
    else ctx.body = chat;
  });
  router.put('/api/chats/:id', (ctx) => {
    const { title, ...body } = ctx.request.body as Partial<Chat>;
    if (title !== undefined && title.length > 200)
      return refuse(ctx, '/title', 'the title has more than 200 characters');
    ctx.body = replace(String(ctx.params['id']), { ...body, ...(title !== undefined && { title }) });
  });
  router.delete('/api/chats/:id', (ctx) => {
    world.chat.chats = world.chat.chats.filter(({ id }) => id !== ctx.params['id']);
    ctx.status = 204;
  });
  addMessageRoutes(router, world);
  router.post('/api/chats/:id/participants', (ctx) => {
    const added = makeParticipant(`a_added${world.chat.chats.length}`, ctx.request.body as Partial<Participant>);
    replace(String(ctx.params['id']), { participants: [...(find(ctx)?.participants ?? []), added] });
    ctx.status = 201;
    ctx.body = added;
  });
  router.put('/api/chats/:id/participants/:pid', (ctx) => {
    const { roaming, ...body } = ctx.request.body as Partial<Participant>;
    if (roaming?.workspaceDir?.startsWith('/gone') === true)
      return fail(ctx, 403, 'FILE_DENIED', 'there is no folder /gone');
    const participants = (find(ctx)?.participants ?? []).map((one) =>
      one.id === ctx.params['pid'] ? { ...one, ...body, ...(roaming !== undefined && { roaming }) } : one,
    );
    replace(String(ctx.params['id']), { participants });
    ctx.body = participants.find(({ id }) => id === ctx.params['pid']);
  });
  router.delete('/api/chats/:id/participants/:pid', (ctx) => {
    const participants = (find(ctx)?.participants ?? []).filter(({ id }) => id !== ctx.params['pid']);
    replace(String(ctx.params['id']), { participants });
    ctx.status = 204;
  });
  router.post('/api/chats/:id/participants/:pid/run', (ctx) => {
    const participantId = String(ctx.params['pid']);
    const round = find(ctx)?.round ?? { id: 'round-1', number: 1, participants: [] };
    const speaker = { participantId, runId: `run-of-${participantId}`, status: 'running' as const };
    replace(String(ctx.params['id']), { round: { ...round, participants: [...round.participants, speaker] } });
    ctx.status = 202;
    ctx.body = { roundId: round.id };
  });
  router.post('/api/chats/:id/cancel', (ctx) => {
    const { participantId } = ctx.request.body as { participantId?: string };
    const chat = find(ctx);
    const { round, ...rest } = chat ?? makeChat('c_none');
    const left = round?.participants.filter(
      (one) => participantId !== undefined && one.participantId !== participantId,
    );
    const next =
      left === undefined || left.length === 0 || round === undefined
        ? rest
        : { ...rest, round: { ...round, participants: left } };
    world.chat.chats = world.chat.chats.map((one) => (one === chat ? next : one));
    ctx.body = next;
  });
  addDocumentRoutes(router, world);
}

function addMessageRoutes(router: Router, world: Pick<World, 'chat'>): void {
  const messagesOf = (ctx: Params) => world.chat.messages.get(String(ctx.params['id'])) ?? [];
  router.get('/api/chats/:id/messages', (ctx) => {
    const limit = Number(ctx.query['limit'] ?? 50);
    const all = messagesOf(ctx);
    const end = ctx.query['cursor'] === undefined ? all.length : Number(ctx.query['cursor']);
    const start = Math.max(0, end - limit);
    ctx.body = { items: all.slice(start, end), nextCursor: start > 0 ? String(start) : null };
  });
  router.post('/api/chats/:id/messages', (ctx) => {
    const { text } = ctx.request.body as { text: string };
    if (text.includes('impossible')) return fail(ctx, 422, 'BAD_REQUEST', 'the message is not accepted');
    const message = makeMessage(messagesOf(ctx).length + 1, { text, ts: new Date().toISOString() });
    world.chat.messages.set(String(ctx.params['id']), [...messagesOf(ctx), message]);
    ctx.status = 201;
    ctx.body = message;
  });
  const changesOf = (ctx: Params) => world.chat.changes.find(({ id }) => id === ctx.params['cid']);
  router.get('/api/chats/:id/changes/:cid', (ctx) => {
    const found = changesOf(ctx);
    if (found === undefined) fail(ctx, 404, 'NOT_FOUND', 'there are no such changes');
    else ctx.body = found;
  });
  router.post('/api/chats/:id/changes/:cid', (ctx) => {
    const { decision } = ctx.request.body as { decision: 'apply' | 'branch' | 'drop' };
    const found = changesOf(ctx);
    if (found?.status !== 'open') return fail(ctx, 409, 'STORE_CONFLICT', 'these changes were decided already');
    const status = ({ apply: 'applied', branch: 'kept', drop: 'dropped' } as const)[decision];
    const decided: ChangesView = { ...found, status, ...(status === 'kept' && { branch: 'callsheet/max-1' }) };
    world.chat.changes = world.chat.changes.map((one) => (one === found ? decided : one));
    ctx.body = decided;
  });
}

function addDocumentRoutes(router: Router, world: Pick<World, 'chat'>): void {
  const list = (kind: 'apis' | 'agents' | 'presets') => (ctx: Context) =>
    (ctx.body = page<{ id: string }>(ctx, world.chat.choices[kind]));
  router.get('/api/apis', list('apis'));
  router.get('/api/agents', list('agents'));
  router.get('/api/chat-presets', list('presets'));
  router.get('/api/workspace-folders', (ctx) => {
    const { path } = ctx.query;
    const root = '/home/jane/payments';
    ctx.body = {
      ...(path === undefined ? { path: null, parent: null } : { path, parent: path === root ? null : root }),
      folders: path === undefined ? [{ name: 'payments', path: root }] : [{ name: 'src', path: `${root}/src` }],
      isTruncated: false,
    };
  });
  router.get('/api/roaming-warning', (ctx) => {
    const { name = 'The participant', workspaceDir, mode } = ctx.query;
    if (String(workspaceDir).startsWith('/nowhere')) return fail(ctx, 403, 'FILE_DENIED', 'the folder is not there');
    ctx.body = {
      text: `"${String(name)}" works in a copy of ${String(workspaceDir)} in mode ${String(mode)}. Nothing confines it.`,
      consent: `I understand that "${String(name)}" can run arbitrary commands.`,
    };
  });
}

function refuse(ctx: Context, path: string, message: string): void {
  ctx.status = 422;
  ctx.body = { error: { code: 'BAD_REQUEST', message, where: { path } } };
}
