import { listTodos, type LocalTodo, removeTodo, setTodoStatus } from '../../../agenda/local/stored-todos.ts';
import type { AddRoutes } from '../../api.ts';
import { oneOf, readBody } from '../../http/body.ts';
import { type Page, pageByTime } from '../../http/paging.ts';
import { queryIdPrefix, queryWord, type WithQuery } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import type { Rows } from '../../http/rows.ts';

const LIST = 'todos';
const STATUSES = ['open', 'done'] as const;

/**
 * The local list of to-dos: `GET /api/todos?status=open|done&idPrefix=` (newest first) · `PUT /api/todos/:id` `{ status: open|done }` ·
 * `DELETE /api/todos/:id`. To-dos at Google and Microsoft are not listed.
 */
export const todoRoutes: AddRoutes = (router, services) => {
  const { store, live } = services.deps;
  router.get(
    '/todos',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await todosPage(deps, ctx);
    }),
  );
  router.put('/todos/:id', async (ctx) => {
    const id = String(ctx.params['id']);
    const { status } = readBody(ctx, { status: oneOf(...STATUSES) });
    ctx.body = await setTodoStatus(store, id, status);
    live.publish('todo', { id, status });
  });
  router.delete('/todos/:id', async (ctx) => {
    const id = String(ctx.params['id']);
    await removeTodo(store, id);
    live.publish('todo', { id, deleted: true });
    ctx.status = 204;
  });
};

/** The answer of `GET /api/todos`. */
export async function todosPage({ store }: Pick<Rows, 'store'>, ctx: WithQuery): Promise<Page<LocalTodo>> {
  const status = queryWord(ctx, 'status', STATUSES);
  const where = queryIdPrefix(ctx);
  return pageByTime(
    LIST,
    ctx,
    (rows) => listTodos(store, { status, where, ...rows }),
    ({ createdAt, id }) => [Date.parse(createdAt), id],
  );
}
