import { EngineError } from '../../../base/error.ts';
import { SEARCHED_MAILS, searchedTexts } from '../../../mail/searched-mails.ts';
import { deleteMailChange, mailOf, readContent, readMailRow, threadKey } from '../../../mail/mail-store.ts';
import { deleteStarts } from '../../../intake/label-starts.ts';
import type { Condition, Row, Store } from '../../../store/store.ts';
import type { RouteContext, AddRoutes, Services } from '../../api.ts';
import { cancelOpenRuns, deleteRuns } from '../run/delete-runs.ts';
import { isInView, MAIL_VIEWS, viewState, waitingMails } from './mail-state.ts';
import { runsOfMails, viewMail } from './mail-view.ts';
import { type Page, pageOfRows, readPage, SEARCH_MS } from '../../http/paging.ts';
import { hasWords, mayHaveWords, queryFlag, queryIds, queryText, queryWord, queryWords } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import { searchedRows } from '../../http/searched-rows.ts';
import { searchCandidates } from '../../../search/candidates.ts';

const LIST = 'emails';

/** `GET /api/emails` · `GET|DELETE /api/emails/:id` · `DELETE /api/emails?ids=` */
export const emailRoutes: AddRoutes = (router, services) => {
  const { store } = services.deps;
  router.get(
    '/emails',
    reading(services, async ({ deps }, ctx) => {
      const { store } = deps;
      const rows = await listRows(deps, ctx);
      const isExpanded = queryWord(ctx, 'expand', ['runs']) === 'runs';
      const runs = isExpanded
        ? await runsOfMails(
            store,
            rows.items.map((row) => row.id),
          )
        : undefined;
      const waiting = await waitingMails(
        store,
        rows.items.map((row) => row.id),
      );
      const items = rows.items.map((row) => ({
        ...viewMail(row),
        state: viewState(row, waiting, deps.clock.now()),
        ...(runs !== undefined && { runs: runs.get(row.id) ?? [] }),
      }));
      ctx.body = { items, nextCursor: rows.nextCursor };
    }),
  );
  router.get(
    '/emails/:id',
    reading(services, async ({ deps }, ctx) => {
      const { store } = deps;
      const row = await mailRow(store, ctx);
      const isExpanded = queryWord(ctx, 'expand', ['runs']) === 'runs';
      const runs = isExpanded ? await runsOfMails(store, [row.id]) : undefined;
      const content = await readContent(store, row.id);
      const remoteImages = content.remoteImages ?? (await services.mail.remoteImages(content.html));
      ctx.body = {
        ...viewMail(row, { isWhole: true }),
        state: viewState(row, await waitingMails(store, [row.id]), deps.clock.now()),
        ...content,
        remoteImages,
        ...(runs !== undefined && { runs: runs.get(row.id) ?? [] }),
      };
    }),
  );
  router.delete('/emails/:id', async (ctx) => {
    await deleteMail(services, await mailColumns(store, ctx));
    ctx.status = 204;
  });
  router.delete('/emails', async (ctx) => {
    const ids = queryIds(ctx);
    if (ids === undefined) throw new EngineError('BAD_REQUEST', '"ids" is missing in the query: ?ids=a,b');
    const rows = await store.list('mail', {
      where: [
        ['id', 'in', ids],
        ['state', '=', 'kept'],
      ],
      bodies: false,
    });
    for (const row of rows) await deleteMail(services, row);
    ctx.body = { deleted: rows.map((row) => row.id) };
  });
};

/** The columns of the mail in the path, also of one that cannot be read. `NOT_FOUND`. */
async function mailColumns(store: Store, ctx: RouteContext): Promise<Row<'mail'>> {
  const id = String(ctx.params['id']);
  const where = [
    ['id', '=', id],
    ['state', '=', 'kept'],
  ] as const;
  const [row] = await store.list('mail', { where, bodies: false });
  if (row === undefined) throw new EngineError('NOT_FOUND', `no e-mail "${id}"`);
  return row;
}

/** The row of the mail in the path. `NOT_FOUND`. */
export async function mailRow(store: Store, ctx: RouteContext): Promise<Row<'mail'>> {
  const row = await readMailRow(store, String(ctx.params['id']));
  if (row === undefined) throw new EngineError('NOT_FOUND', `no e-mail "${String(ctx.params['id'])}"`);
  return row;
}

/**
 * Newest first. `?ids=` selects by id, `?accountId=&threadId=` the mails of a thread, `?routed=` by whether a filter matched, `?view=` by
 * what the user did with it (`MAIL_VIEWS`), `?q=` mails that contain all words.
 */
async function listRows(
  { store, clock }: Pick<Services['deps'], 'store' | 'clock'>,
  ctx: RouteContext,
): Promise<Page<Row<'mail'>>> {
  const { limit, after } = readPage(ctx, LIST);
  const routed = queryFlag(ctx, 'routed');
  const view = queryWord(ctx, 'view', MAIL_VIEWS);
  const ids = queryIds(ctx);
  const [accountId, threadId] = [queryText(ctx, 'accountId'), queryText(ctx, 'threadId')];
  if ((accountId === undefined) !== (threadId === undefined))
    throw new EngineError('BAD_REQUEST', 'a thread is selected by "accountId" and "threadId" together');
  const words = queryWords(ctx);
  const where: Condition<'mail'>[] = [['state', '=', 'kept']];
  if (ids !== undefined) where.push(['id', 'in', ids]);
  if (accountId !== undefined && threadId !== undefined)
    where.push(['threadKey', '=', threadKey(store, accountId, threadId)]);
  const listed = (before: string | undefined, count: number) =>
    store.list('mail', {
      where: before === undefined ? where : [...where, ['id', '<', before]],
      order: [['id', 'desc']],
      limit: count,
    });
  // Mails that are selected by id or thread are few.
  const before = after === undefined ? undefined : String(after[0]);
  const candidates = where.length === 1 ? searchCandidates(store, SEARCHED_MAILS, words, { before }) : undefined;
  const load =
    candidates === undefined
      ? listed
      : searchedRows(candidates, (some) =>
          store.list('mail', { where: [...where, ['id', 'in', some]], order: [['id', 'desc']] }),
        );
  const waiting = view === undefined ? new Map() : await waitingMails(store);
  const now = clock.now();
  const accept = (row: Row<'mail'>) =>
    (words.length === 0 || mayHaveWords(row.body, words)) &&
    (routed === undefined || (row.routed === 1) === routed) &&
    (view === undefined || isInView(view, viewState(row, waiting, now))) &&
    (words.length === 0 || hasWords(searchedTexts(mailOf(row).summary), words));
  const isPicky = routed !== undefined || view !== undefined || words.length > 0;
  const maxMs = words.length > 0 ? { maxMs: SEARCH_MS } : {};
  return pageOfRows(LIST, { limit, after, load, ...maxMs, ...(isPicky && { accept }) });
}

/** Cancels and deletes its runs too. Its identity stays stored, so that it is not fetched again. */
async function deleteMail(services: Services, row: Row<'mail'>): Promise<void> {
  const { store, live } = services.deps;
  const runs = await store.list('run', { where: [['mail', '=', row.id]], bodies: false });
  await cancelOpenRuns(services, runs);
  await deleteRuns(
    services,
    runs.map((run) => run.id),
    [...deleteMailChange(row), ...(await deleteStarts(store, row))],
  );
  live.publish('mail', { id: row.id, deleted: true });
}
