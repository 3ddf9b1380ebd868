import { listNotifications, markAllRead, setNotificationStatus } from '../../../notification/notification-rows.ts';
import type { AddRoutes } from '../../api.ts';
import { oneOf, readBody } from '../../http/body.ts';
import { pageByTime } from '../../http/paging.ts';
import { queryWord } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';

const LIST = 'notifications';
const STATUSES = ['unread', 'read'] as const;

/**
 * `GET /api/notifications?status=unread|read` (newest first, with the number of unread ones) · `PUT /api/notifications/:id`
 * `{ status: unread|read }` · `POST /api/notifications/read` marks all as read.
 */
export const notificationRoutes: AddRoutes = (router, services) => {
  const { store, live } = services.deps;
  router.get(
    '/notifications',
    reading(services, async ({ deps }, ctx) => {
      const status = queryWord(ctx, 'status', STATUSES);
      const page = await pageByTime(
        LIST,
        ctx,
        (rows) => listNotifications(deps.store, { status, ...rows }),
        ({ at, id }) => [Date.parse(at), id],
      );
      ctx.body = { ...page, unread: await deps.store.count('notification', [['status', '=', 'unread']]) };
    }),
  );
  router.post('/notifications/read', async (ctx) => {
    const marked = await markAllRead(store);
    if (marked > 0) live.publish('notification', { status: 'read' });
    ctx.body = { marked };
  });
  router.put('/notifications/:id', async (ctx) => {
    const id = String(ctx.params['id']);
    const { status } = readBody(ctx, { status: oneOf(...STATUSES) });
    ctx.body = await setNotificationStatus(store, id, status);
    live.publish('notification', { id, status });
  });
};
