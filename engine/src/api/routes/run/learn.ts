import { listDraftEdits } from '../../../run/draft-edit.ts';
import type { AddRoutes } from '../../api.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { queryText, queryTime } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';

const LIST = 'edits';

/**
 * `GET /api/learn/edits?since=&directorId=&runId=`: how people changed drafts of runs before they were used, the newest
 * first. `since` is an ISO 8601 time.
 */
export const learnRoutes: AddRoutes = (router, services) => {
  router.get(
    '/learn/edits',
    reading(services, async ({ deps }, ctx) => {
      const { limit, after } = readPage(ctx, LIST, ['number', 'string']);
      const edits = await listDraftEdits(deps.store, {
        since: queryTime(ctx, 'since'),
        directorId: queryText(ctx, 'directorId'),
        runId: queryText(ctx, 'runId'),
        after: after && { at: Number(after[0]), id: String(after[1]) },
        limit: limit + 1,
      });
      ctx.body = pageOf(
        LIST,
        { limit },
        edits,
        ({ at, id }) => [Date.parse(at), id],
        (shown) => shown,
      );
    }),
  );
};
