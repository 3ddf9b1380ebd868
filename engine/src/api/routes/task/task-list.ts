import { readTaskRow, storedTask, type Task, TASK_STATUSES, viewTask } from '../../../task/task.ts';
import type { Row } from '../../../store/store.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { queryIdPrefix, queryText, queryWord, type WithQuery } from '../../http/query.ts';
import type { Rows, WithPath } from '../../http/rows.ts';

const LIST = 'tasks';

/** The answer of `GET /api/tasks`: newest first. */
export async function tasksPage({ store }: Pick<Rows, 'store'>, ctx: WithQuery): Promise<Page<Task>> {
  const status = queryWord(ctx, 'status', TASK_STATUSES);
  const assignedTo = queryText(ctx, 'assignedTo');
  const where = [...queryIdPrefix(ctx), ...(status === undefined ? [] : [['status', '=', status] as const])];
  const load = (before: string | undefined, limit: number) =>
    store.list('task', {
      where: [...where, ...(before === undefined ? [] : [['id', '<', before] as const])],
      order: [['id', 'desc']],
      limit,
    });
  const accept = (row: Row<'task'>) => assignedTo === undefined || storedTask(row).assignedTo === assignedTo;
  const { items, nextCursor } = await pageOfRows(LIST, { ...readPage(ctx, LIST), load, accept });
  return { items: await Promise.all(items.map((row) => viewTask({ store }, row))), nextCursor };
}

/** The answer of `GET /api/tasks/:id`. `NOT_FOUND`. */
export async function shownTask({ store }: Pick<Rows, 'store'>, ctx: WithPath): Promise<Task> {
  return viewTask({ store }, await readTaskRow(store, String(ctx.params['id'])));
}
