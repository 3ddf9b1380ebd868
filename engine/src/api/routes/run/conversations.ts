import { EngineError } from '../../../base/error.ts';
import { deleteEntities } from '../../../guard/placeholder/entity-rows.ts';
import { runsOfConversation } from '../../../run/conversation.ts';
import { OPEN_STATUSES, recordOf } from '../../../run/run.ts';
import { threadOf, viewThread } from '../../../run/thread.ts';
import type { Change, Condition, Row, Store } from '../../../store/store.ts';
import type { RouteContext, AddRoutes } from '../../api.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { queryCount, queryText, queryWord, requiredQuery } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import {
  deleteConversation,
  isConversationId,
  listConversations,
  showConversation,
} from '../conversation/person-conversations.ts';
import { readableRows } from '../../../store/readable-rows.ts';

const LIST = 'conversations';
const KINDS = ['director', 'agent', 'conversation'] as const;

/**
 * `GET /api/conversations` · `/byDirectorEmail?directorId=&emailId=` · `GET|DELETE /api/conversations/:id` (`?after=`: the
 * messages after this number). These are threads; with `?kind=conversation`, and ids that begin with `conv_`, the
 * conversations of persons with directors, over several runs.
 */
export const conversationRoutes: AddRoutes = (router, services) => {
  const { store } = services.deps;
  router.get(
    '/conversations',
    reading(services, async ({ deps }, ctx) => {
      const { store, clock } = deps;
      if (queryWord(ctx, 'kind', KINDS) === 'conversation') {
        ctx.body = await listConversations(store, ctx);
        return;
      }
      const { items, nextCursor } = await listRows(store, ctx);
      const threads = items.map((row) => viewThread(store, threadOf(row), { messages: false, now: clock.now() }));
      ctx.body = { items: await Promise.all(threads), nextCursor };
    }),
  );
  router.get(
    '/conversations/byDirectorEmail',
    reading(services, async ({ deps }, ctx) => {
      const { store, clock } = deps;
      const directorId = requiredQuery(ctx, 'directorId');
      const emailId = requiredQuery(ctx, 'emailId');
      const [row] = await store.list('thread', {
        where: [
          ['mail', '=', emailId],
          ['director', '=', directorId],
          ['kind', '=', 'director'],
        ],
        order: [['id', 'desc']],
        limit: 1,
      });
      if (row === undefined)
        throw new EngineError('NOT_FOUND', `director "${directorId}" has no conversation on e-mail "${emailId}"`);
      ctx.body = await viewThread(store, threadOf(row), { messages: true, now: clock.now() });
    }),
  );
  router.get(
    '/conversations/:id',
    reading(services, async ({ deps }, ctx) => {
      const { store, clock } = deps;
      const id = String(ctx.params['id']);
      if (isConversationId(id)) {
        ctx.body = await showConversation(store, ctx, id);
        return;
      }
      const after = queryCount(ctx, 'after') ?? 0;
      const thread = threadOf(await threadRow(store, ctx));
      ctx.body = await viewThread(store, thread, { messages: true, now: clock.now(), after });
    }),
  );
  router.delete('/conversations/:id', async (ctx) => {
    const id = String(ctx.params['id']);
    if (isConversationId(id)) await deleteConversation(services, id);
    else await store.apply(await forgetThread(store, await threadColumns(store, ctx)));
    ctx.status = 204;
  });
};

/** Newest first, filtered by `?runId=`, `?conversationId=`, `?emailId=`, `?directorId=`, `?agentId=` and `?kind=`. */
async function listRows(store: Store, ctx: RouteContext): Promise<Page<Row<'thread'>>> {
  const page = readPage(ctx, LIST);
  const run = queryText(ctx, 'runId');
  const conversation = queryText(ctx, 'conversationId');
  const mail = queryText(ctx, 'emailId');
  const where: Condition<'thread'>[] = [];
  if (run !== undefined) where.push(await ofRun(store, run));
  if (conversation !== undefined) where.push(['run', 'in', await runsOfConversation(store, conversation)]);
  if (mail !== undefined) where.push(['mail', '=', mail]);
  const load = (before: string | undefined, limit: number) =>
    store.list('thread', {
      where: before === undefined ? where : [...where, ['id', '<', before]],
      order: [['id', 'desc']],
      limit,
    });
  const wanted = {
    kind: queryWord(ctx, 'kind', KINDS),
    director: queryText(ctx, 'directorId'),
    agent: queryText(ctx, 'agentId'),
  };
  const columns = (['kind', 'director', 'agent'] as const).filter((column) => wanted[column] !== undefined);
  const accept = (row: Row<'thread'>) => columns.every((column) => row[column] === wanted[column]);
  return pageOfRows(LIST, { ...page, load, ...(columns.length > 0 && { accept }) });
}

/** The threads of a run; for a run of a session, the thread of the session. */
async function ofRun(store: Store, runId: string): Promise<Condition<'thread'>> {
  const row = await store.get('run', { id: runId });
  const sessionId = row === undefined ? undefined : recordOf(row).run.sessionId;
  return sessionId === undefined ? ['run', '=', runId] : ['id', '=', sessionId];
}

/** The columns of the conversation of the path, also of one that cannot be read. `NOT_FOUND`. */
async function threadColumns(store: Store, ctx: RouteContext): Promise<Row<'thread'>> {
  const id = String(ctx.params['id']);
  const [row] = await store.list('thread', { where: [['id', '=', id]], bodies: false });
  if (row === undefined) throw new EngineError('NOT_FOUND', `no conversation "${id}"`);
  return row;
}

async function threadRow(store: Store, ctx: RouteContext): Promise<Row<'thread'>> {
  const id = String(ctx.params['id']);
  const row = await store.get('thread', { id });
  if (row === undefined) throw new EngineError('NOT_FOUND', `no conversation "${id}"`);
  return row;
}

/** Changes that delete a thread with its messages and events, the threads of its agents, and the private values of the conversation. `CONFLICT` while its run is open. */
async function forgetThread(store: Store, row: Row<'thread'>): Promise<Change[]> {
  const [run] = await store.list('run', { where: [['id', '=', row.run]], bodies: false });
  if (run !== undefined && OPEN_STATUSES.some((open) => open === run.status))
    throw new EngineError('CONFLICT', `run "${row.run}" still uses this conversation`, {
      hint: 'cancel the run first',
    });
  const others = await readableRows(store, () => {}).list('thread', { where: [['run', '=', row.run]] });
  const under = others.filter((other) => threadOf(other).parentThreadId === row.id);
  const values = row.kind === 'agent' && row.director !== '' ? [] : await forgetValues(store, row);
  const threads = [row, ...under].flatMap(({ id }): Change[] => [
    { op: 'delete', table: 'message', where: { thread: id } },
    { op: 'delete', table: 'redactedMessage', where: { thread: id } },
    { op: 'delete', table: 'event', where: { thread: id } },
    { op: 'delete', table: 'thread', where: { id } },
  ]);
  return [...threads, ...values];
}

/** The changes that delete the private values of a thread; other runs of its conversation go on with them. */
async function forgetValues(store: Store, { id, kind, run }: Row<'thread'>): Promise<Change[]> {
  if (kind === 'agent') return deleteEntities(id);
  const [joined] = await store.list('conversationRun', { where: [['run', '=', run]] });
  if (joined === undefined) return deleteEntities(run);
  const runs = await runsOfConversation(store, joined.conversation);
  return runs.length > 1 ? [] : deleteEntities(joined.conversation);
}
