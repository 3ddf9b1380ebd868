import { listReminders, type Reminder } from '../../../agenda/reminders.ts';
import type { AddRoutes } from '../../api.ts';
import { type Page, pageOf, readPage } from '../../http/paging.ts';
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
  const { limit, after } = readPage(ctx, LIST, ['number', 'string']);
  const cursor = after === undefined ? undefined : { due: Number(after[0]), id: String(after[1]) };
  const found = await listReminders(store, { status, where: queryIdPrefix(ctx), limit: limit + 1, after: cursor });
  return pageOf(
    LIST,
    { limit },
    found,
    ({ dueAt, id }) => [Date.parse(dueAt), id],
    (shown) => shown,
  );
}
