import { changeOf, type FileChange, listChanges, readChangeRow } from '../../../file/notebook/change-rows.ts';
import type { AddRoutes } from '../../api.ts';
import { readBody } from '../../http/body.ts';
import { type Page, pageByTime } from '../../http/paging.ts';
import { queryIdPrefix, queryText, type WithQuery } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import type { Rows } from '../../http/rows.ts';

const LIST = 'file-changes';

/**
 * Changes of files in notebooks: `GET /api/files/changes?run=&idPrefix=` (newest first) · `GET /api/files/changes/:effect` with the
 * diff, where the content after the change is still known · `POST /api/files/changes/:effect/undo` brings the content before the
 * change back, and answers with the change that this is. `NOT_FOUND`; `FILE_CHANGED` where the file was changed since.
 */
export const fileChangeRoutes: AddRoutes = (router, services) => {
  const { deps, notebooks } = services;
  router.get(
    '/files/changes',
    reading(services, async (readable, ctx) => {
      ctx.body = await changesPage(readable.deps, ctx);
    }),
  );
  router.get('/files/changes/:effect', async (ctx) => {
    const change = changeOf(await readChangeRow(deps.store, String(ctx.params['effect'])));
    const { diffOfChange } = await import('../../../file/notebook/change-diff.ts');
    const diff = await diffOfChange(notebooks, change);
    ctx.body = { ...change, ...(diff !== undefined && { diff }) };
  });
  router.post('/files/changes/:effect/undo', async (ctx) => {
    readBody(ctx, {});
    const { undoChange } = await import('../../../file/notebook/change-file.ts');
    ctx.body = await undoChange(notebooks, String(ctx.params['effect']));
  });
};

/** The answer of `GET /api/files/changes`. */
export function changesPage({ store }: Pick<Rows, 'store'>, ctx: WithQuery): Promise<Page<FileChange>> {
  const wanted = { runId: queryText(ctx, 'run'), where: queryIdPrefix(ctx) };
  return pageByTime(
    LIST,
    ctx,
    (rows) => listChanges(store, { ...wanted, ...rows }),
    ({ at, id }) => [Date.parse(at), id],
  );
}
