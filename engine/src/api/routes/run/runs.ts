import { EngineError } from '../../../base/error.ts';
import { directorOf } from '../../../run/lifecycle/create.ts';
import { viewRun } from '../../../run/lifecycle/view-run.ts';
import { isUnreadable } from '../../../run/lifecycle/abandon.ts';
import { SEARCHED_RUNS, searchedTexts } from '../../../run/searched-runs.ts';
import { OPEN_STATUSES, recordOf, type Run, type ServedRun, viewOf } from '../../../run/run.ts';
import type { Condition, Row, Store } from '../../../store/store.ts';
import type { RouteContext, AddRoutes, Services } from '../../api.ts';
import { personOf } from '../../auth/person.ts';
import { optional, readBody, text, texts } from '../../http/body.ts';
import { cancelOpenRuns, deleteRuns } from './delete-runs.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { hasWords, mayHaveWords, queryIdPrefix, queryIds, queryText, queryWord, queryWords } from '../../http/query.ts';
import { handInMail } from '../../../intake/hand-in.ts';
import { reading } from '../../http/reading.ts';
import { searchedRows } from '../../http/searched-rows.ts';
import { searchCandidates } from '../../../search/candidates.ts';
import { withStarter } from './starter.ts';
import { expectMessageOnMail, expectValidDirector, RUN_STATUSES, startRun } from './start-run.ts';

const LIST = 'runs';

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
      const { store } = deps;
      const { items, nextCursor } = await listRows(store, ctx);
      ctx.body = { items: await Promise.all(items.map((row) => withStarter(services, shown(row)))), nextCursor };
    }),
  );
  router.post('/runs', async (ctx) => {
    ctx.body = await start(services, ctx);
    ctx.status = 201;
  });
  router.get(
    '/runs/:id',
    reading(services, async ({ deps }, ctx) => {
      const { store } = deps;
      ctx.body = await withStarter(services, await viewRun(services.deps, await runRow(store, ctx)));
    }),
  );
  router.post('/runs/:id/cancel', async (ctx) => {
    readBody(ctx, {});
    const { id } = await runColumns(store, ctx);
    await services.engine.cancel(id);
    ctx.body = await viewRun(services.deps, await runRow(store, ctx));
  });
  router.post('/runs/:id/message', async (ctx) => {
    const { message, questionId } = readBody(ctx, { message: text, questionId: optional(text) });
    if (message.trim() === '') throw new EngineError('BAD_REQUEST', '"message" is empty');
    const { id } = await runColumns(store, ctx);
    await services.engine.message(id, { text: message, by: personOf(ctx).id, questionId });
    ctx.body = await viewRun(services.deps, await runRow(store, ctx));
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

/**
 * Newest first, filtered by `?status=`, `?directorId=`, `?agentId=` (of sessions), `?emailId=`, `?idPrefix=` and `?q=`, words that title,
 * director, agent, summary and error together contain.
 */
function listRows(store: Store, ctx: RouteContext): Promise<Page<Row<'run'>>> {
  const page = readPage(ctx, LIST);
  const status = queryWord(ctx, 'status', RUN_STATUSES);
  const mail = queryText(ctx, 'emailId');
  const director = queryText(ctx, 'directorId');
  const agent = queryText(ctx, 'agentId');
  const words = queryWords(ctx);
  // The title of a run on a message ends with … where the stored message goes on.
  const uncut = words.filter((word) => !word.includes('…'));
  const where: Condition<'run'>[] = [...queryIdPrefix(ctx)];
  if (status !== undefined) where.push(['status', '=', status]);
  if (mail !== undefined) where.push(['mail', '=', mail]);
  const listed = (before: string | undefined, limit: number) =>
    store.list('run', {
      where: before === undefined ? where : [...where, ['id', '<', before]],
      order: [['id', 'desc']],
      limit,
    });
  const accept = (row: Row<'run'>) =>
    (director === undefined || row.director === director) &&
    ((agent === undefined && words.length === 0) ||
      (mayHaveWords(row.body, uncut) && isWanted(shown(row), agent, words)));

  // Runs of a mail, of an id, or that are open, are few.
  const isFew =
    mail !== undefined ||
    where.length > (status === undefined ? 0 : 1) ||
    OPEN_STATUSES.some((open) => open === status);
  const first = page.after === undefined ? undefined : String(page.after[0]);
  const candidates = isFew ? undefined : searchCandidates(store, SEARCHED_RUNS, words, { before: first });
  const load =
    candidates === undefined
      ? listed
      : searchedRows(candidates, (ids) =>
          store.list('run', { where: [...where, ['id', 'in', ids]], order: [['id', 'desc']] }),
        );
  const isPicky = director !== undefined || agent !== undefined || words.length > 0;
  return pageOfRows(LIST, { ...page, load, ...(isPicky && { accept }) });
}

/** Whether a run is of an agent and contains all words. */
function isWanted(run: ReturnType<typeof shown>, agent: string | undefined, words: readonly string[]): boolean {
  if (!('status' in run)) return false;
  if (agent !== undefined && run.agentId !== agent) return false;
  return hasWords(searchedTexts(run), words);
}

/** A run in a list. For a damaged row only its columns and the error, so that other runs stay listed. */
function shown(row: Row<'run'>): ServedRun | Pick<Run, 'id' | 'directorId' | 'error'> {
  try {
    return viewOf(recordOf(row));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { id: row.id, directorId: row.director, error: error.toJSON() };
  }
}

/** The columns of the run of the path, also of one that cannot be read. `NOT_FOUND`. */
async function runColumns(store: Store, ctx: RouteContext): Promise<Row<'run'>> {
  const id = String(ctx.params['id']);
  const [row] = await store.list('run', { where: [['id', '=', id]], bodies: false });
  if (row === undefined) throw new EngineError('NOT_FOUND', `no run "${id}"`);
  return row;
}

async function runRow(store: Store, ctx: RouteContext): Promise<Row<'run'>> {
  const id = String(ctx.params['id']);
  const row = await store.get('run', { id });
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
