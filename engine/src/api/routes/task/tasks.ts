import { TASK_PRIORITIES } from '../../../task/task.ts';
import { listSchedules } from '../../../task/schedule.ts';
import type { AddRoutes } from '../../api.ts';
import { personOf } from '../../auth/person.ts';
import { oneOf, optional, readBody, text, texts } from '../../http/body.ts';
import { reading } from '../../http/reading.ts';
import { expectValidDirector } from '../run/start-run.ts';
import { shownTask, tasksPage } from './task-list.ts';

/**
 * Tasks (seed 002): `GET /api/tasks?status=&assignedTo=&idPrefix=`, newest first · `POST /api/tasks` `{ title, instructions, assignedTo,
 * files, attachments, dueAt, priority }` · `GET /api/tasks/:id` · `PUT /api/tasks/:id` `{ priority }` · `POST /api/tasks/:id/cancel|retry`. `GET /api/schedules`: when directors with a
 * `schedule` start next.
 */
export const taskRoutes: AddRoutes = (router, services) => {
  router.get(
    '/tasks',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await tasksPage(deps, ctx);
    }),
  );
  router.post('/tasks', async (ctx) => {
    const task = readBody(ctx, {
      title: text,
      instructions: optional(text),
      assignedTo: text,
      files: optional(texts),
      attachments: optional(texts),
      dueAt: optional(text),
      priority: optional(oneOf(...TASK_PRIORITIES)),
    });
    expectValidDirector(services, task.assignedTo.replace(/^directors\//, ''));
    ctx.body = await services.tasks.add(task, personOf(ctx).id);
    ctx.status = 201;
  });
  router.get(
    '/tasks/:id',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await shownTask(deps, ctx);
    }),
  );
  router.put('/tasks/:id', async (ctx) => {
    const { priority } = readBody(ctx, { priority: oneOf(...TASK_PRIORITIES) });
    ctx.body = await services.tasks.prioritise(String(ctx.params['id']), priority);
  });
  router.post('/tasks/:id/cancel', async (ctx) => {
    readBody(ctx, {});
    ctx.body = await services.tasks.cancel(String(ctx.params['id']));
  });
  router.post('/tasks/:id/retry', async (ctx) => {
    readBody(ctx, {});
    ctx.body = await services.tasks.retry(String(ctx.params['id']));
  });
  router.get(
    '/schedules',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = { items: await listSchedules(deps), nextCursor: null };
    }),
  );
};
