import type Router from '@koa/router';
import type { Task } from '../../../ui/http/api-types.ts';
import { fail, page } from './answers.ts';
import { minutesAgo, type World } from './fixtures.ts';

/** A task of the client manager that is due. */
export function makeTask(id: string, over: Partial<Task> = {}): Task {
  return {
    ...{ id, title: `Task ${id}`, instructions: '', assignedTo: 'client-manager', assignee: 'director', files: [] },
    ...{ createdBy: 'local', priority: 'normal', status: 'pending', createdAt: minutesAgo(30) },
    ...over,
  };
}

/** One task that runs, two that are due, one for later, one that failed. */
export function makeTasks(): Task[] {
  return [
    makeTask('task-later', { title: 'Prepare the fair', dueAt: '2099-11-25T08:00:00.000Z', priority: 'urgent' }),
    makeTask('task-second', { title: 'Sort the offers', createdAt: minutesAgo(10) }),
    makeTask('task-first', { title: 'Sum up the week', createdAt: minutesAgo(20) }),
    makeTask('task-running', {
      ...{ title: 'Answer the complaints', status: 'running', waitingFor: 'approval', runId: 'run-urgent' },
    }),
    makeTask('task-failed', {
      ...{ title: 'Read the contract', status: 'failed', runId: 'run-failed' },
      error: { code: 'MODEL_RATE_LIMIT', message: 'the provider refused 5 times' },
    }),
  ];
}

/** Tasks: list, add, priority, cancel, retry. */
export function addTaskRoutes(router: Router, world: World): void {
  const change = (id: string, part: Partial<Task>) => {
    world.tasks = world.tasks.map((task) => (task.id === id ? { ...task, ...part } : task));
    return world.tasks.find((task) => task.id === id);
  };
  router.get('/api/tasks', (ctx) => {
    ctx.body = page(
      ctx,
      world.tasks.filter(({ status }) => status === ctx.query['status']),
    );
  });
  router.post('/api/tasks', (ctx) => {
    const task = ctx.request.body as Pick<Task, 'title' | 'assignedTo'>;
    if (task.title.length > 200) return fail(ctx, 400, 'BAD_REQUEST', '"title" must have 1 to 200 characters');
    world.tasks = [makeTask('task-new', { ...task, createdAt: minutesAgo(0) }), ...world.tasks];
    ctx.status = 201;
    ctx.body = world.tasks[0];
  });
  router.put('/api/tasks/:id', (ctx) => {
    ctx.body = change(String(ctx.params['id']), ctx.request.body as Pick<Task, 'priority'>);
  });
  router.post('/api/tasks/:id/cancel', (ctx) => {
    ctx.body = change(String(ctx.params['id']), { status: 'cancelled' });
  });
  router.post('/api/tasks/:id/retry', (ctx) => {
    ctx.body = change(String(ctx.params['id']), { status: 'pending' });
  });
}
