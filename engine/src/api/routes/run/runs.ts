import { EngineError } from '../../../base/error.ts';
import { directorOf } from '../../../run/lifecycle/create.ts';
import type { ServedRun } from '../../../run/run.ts';
import type { Row, Store } from '../../../store/store.ts';
import type { RouteContext, AddRoutes, Services } from '../../api.ts';
import { personOf } from '../../auth/person.ts';
import { optional, readBody, text, texts } from '../../http/body.ts';
import { cancelOpenRuns, deleteRuns } from './delete-runs.ts';
import { queryIds } from '../../http/query.ts';
import { handInMail } from '../../../intake/hand-in.ts';
import { reading } from '../../http/reading.ts';
import { listRuns, runOf, shownRun } from './list-runs.ts';
import { expectMessageOnMail, expectValidDirector, startRun } from './start-run.ts';

/**
 * `GET|POST /api/runs` · `GET|DELETE /api/runs/:id` · `DELETE /api/runs?ids=` · `POST /api/runs/:id/cancel` ·
 * `POST /api/runs/:id/message` `{ message, questionId? }`, which answers the question of a run or goes to its mode. POST starts a run with
 * `{ directorId, message, conversationId?, attachments? }`, `{ directorId, emailId }` or `{ directorId, raw }`, where raw is a mail in base64. An objective takes a mail and a message.
 */
export const runRoutes: AddRoutes = (router, services) => {
  const { store } = services.deps;
  router.get(
    '/runs',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await listRuns({ store: deps.store, users: services.users }, ctx);
    }),
  );
  router.post('/runs', async (ctx) => {
    ctx.body = await start(services, ctx);
    ctx.status = 201;
  });
  router.get(
    '/runs/:id',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await shownRun({ store: deps.store, users: services.users }, ctx);
    }),
  );
  router.post('/runs/:id/cancel', async (ctx) => {
    readBody(ctx, {});
    const { id } = await runColumns(store, ctx);
    await services.engine.cancel(id);
    ctx.body = await runOf(store, ctx);
  });
  router.post('/runs/:id/message', async (ctx) => {
    const { message, questionId } = readBody(ctx, { message: text, questionId: optional(text) });
    if (message.trim() === '') throw new EngineError('BAD_REQUEST', '"message" is empty');
    const { id } = await runColumns(store, ctx);
    await services.engine.message(id, { text: message, by: personOf(ctx).id, questionId });
    ctx.body = await runOf(store, ctx);
  });
  router.delete('/runs/:id', async (ctx) => {
    const row = await runColumns(store, ctx);
    await cancelOpenRuns(services, [row]);
    await deleteRuns(services, [row.id]);
    ctx.status = 204;
  });
  router.delete('/runs', async (ctx) => {
    const ids = queryIds(ctx);
    if (ids === undefined) throw new EngineError('BAD_REQUEST', '"ids" is missing in the query: ?ids=a,b');
    const rows = await store.list('run', { where: [['id', 'in', ids]], bodies: false });
    await cancelOpenRuns(services, rows);
    await deleteRuns(
      services,
      rows.map((row) => row.id),
    );
    ctx.body = { deleted: rows.map((row) => row.id) };
  });
};

/** The columns of the run of the path, also of one that cannot be read. `NOT_FOUND`. */
async function runColumns(store: Store, ctx: RouteContext): Promise<Row<'run'>> {
  const id = String(ctx.params['id']);
  const [row] = await store.list('run', { where: [['id', '=', id]], bodies: false });
  if (row === undefined) throw new EngineError('NOT_FOUND', `no run "${id}"`);
  return row;
}

async function start(services: Services, ctx: RouteContext): Promise<ServedRun> {
  const { deps, mail } = services;
  const body = readBody(ctx, {
    directorId: text,
    message: optional(text),
    emailId: optional(text),
    raw: optional(text),
    conversationId: optional(text),
    attachments: optional(texts),
  });
  const { directorId, message, emailId, raw, conversationId, attachments } = body;
  const startedBy = personOf(ctx).id;
  if ((message ?? emailId ?? raw) === undefined || (raw !== undefined && emailId !== undefined))
    throw new EngineError('BAD_REQUEST', 'expected "message", or a mail as "emailId" or "raw"');
  if (raw === undefined)
    return startRun(services, { directorId, message, emailId, conversationId, attachments, startedBy });
  if (conversationId !== undefined || attachments !== undefined)
    throw new EngineError('BAD_REQUEST', '"conversationId" and "attachments" go with a message, not with a mail');
  expectValidDirector(services, directorId);
  if (message !== undefined) expectMessageOnMail(services, directorId);
  const emailOfRaw = await handInMail(deps, mail, directorOf(deps.config.current(), directorId), raw);
  return startRun(services, { directorId, message, emailId: emailOfRaw, startedBy });
}
