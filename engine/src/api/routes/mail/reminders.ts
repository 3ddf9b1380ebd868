import { listReminders, type Reminder } from '../../../agenda/reminders.ts';
import type { AddRoutes } from '../../api.ts';
import { type Page, pageByTime } from '../../http/paging.ts';
import { queryIdPrefix, queryWord, type WithQuery } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import type { Rows } from '../../http/rows.ts';

const LIST = 'reminders';
const STATUSES = ['open', 'fired', 'cancelled'] as const;

/**
 * `GET /api/reminders?status=open|fired|cancelled&idPrefix=` (default open, by their time; others the last due first) ·
 * `DELETE /api/reminders/:id` cancels an open one.
 */
export const reminderRoutes: AddRoutes = (router, services) => {
  router.get(
    '/reminders',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await remindersPage(deps, ctx);
    }),
  );
  router.delete('/reminders/:id', async (ctx) => {
    ctx.body = await services.reminders.cancel(String(ctx.params['id']));
  });
};

/** The answer of `GET /api/reminders`. */
export async function remindersPage({ store }: Pick<Rows, 'store'>, ctx: WithQuery): Promise<Page<Reminder>> {
  const status = queryWord(ctx, 'status', STATUSES) ?? 'open';
  const where = queryIdPrefix(ctx);
  return pageByTime(
    LIST,
    ctx,
    (rows) => listReminders(store, { status, where, ...rows }),
    ({ dueAt, id }) => [Date.parse(dueAt), id],
  );
}
