import type Router from '@koa/router';
import type { Notification } from '../../../ui/http/api-types.ts';
import { fail, page } from './answers.ts';
import type { World } from './fixtures.ts';

/** Notifications and reminders: lists, mark as read, cancel. */
export function addNoticeRoutes(router: Router, world: World): void {
  const unread = () => world.notifications.filter(({ status }) => status === 'unread').length;
  router.get('/api/notifications', (ctx) => (ctx.body = { ...page(ctx, world.notifications), unread: unread() }));
  router.post('/api/notifications/read', (ctx) => {
    const marked = unread();
    world.notifications = world.notifications.map((one) => ({ ...one, status: 'read' }));
    ctx.body = { marked };
  });
  router.put('/api/notifications/:id', (ctx) => {
    const { status } = ctx.request.body as Pick<Notification, 'status'>;
    const isIt = ({ id }: Notification) => id === ctx.params['id'];
    if (!world.notifications.some(isIt)) return fail(ctx, 404, 'NOT_FOUND', 'no such notification');
    world.notifications = world.notifications.map((one) => (isIt(one) ? { ...one, status } : one));
    ctx.body = world.notifications.find(isIt);
  });
  router.get('/api/reminders', (ctx) => (ctx.body = page(ctx, world.reminders)));
  router.delete('/api/reminders/:id', (ctx) => {
    const cancelled = world.reminders.find(({ id }) => id === ctx.params['id']);
    if (cancelled === undefined) return fail(ctx, 404, 'NOT_FOUND', 'no such reminder');
    world.reminders = world.reminders.filter((one) => one !== cancelled);
    ctx.body = { ...cancelled, status: 'cancelled' };
  });
}
