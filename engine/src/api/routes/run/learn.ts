import { listDraftEdits } from '../../../run/draft-edit.ts';
import type { AddRoutes } from '../../api.ts';
import { pageByTime } from '../../http/paging.ts';
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
      const wanted = {
        since: queryTime(ctx, 'since'),
        directorId: queryText(ctx, 'directorId'),
        runId: queryText(ctx, 'runId'),
      };
      ctx.body = await pageByTime(
        LIST,
        ctx,
        (rows) => listDraftEdits(deps.store, { ...wanted, ...rows }),
        ({ at, id }) => [Date.parse(at), id],
      );
    }),
  );
};
