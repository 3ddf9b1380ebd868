import type { Todo } from '../../../agenda/agenda.ts';
import type { Page } from '../../../api/http/paging.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi, withRows } from '../../with-api.ts';
import { findId } from '../../find-id.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { formatTable, oneLine } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';

/** Largest page of the API. */
const MAX_PAGE = 200;

/** `todos list`: prints the local to-do list, newest first. */
export async function listTodos(
  context: CommandContext,
  { all = false, done = false }: { readonly all?: boolean; readonly done?: boolean },
): Promise<number> {
  const query = new URLSearchParams({ limit: String(MAX_PAGE), ...(!all && { status: done ? 'done' : 'open' }) });
  const page = await withRows(context, (client) => client.request<Page<Todo>>('GET', `/api/todos?${query}`));
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no to-dos');
  else context.terminal.out(formatTodos(page.items, widthOf(context.terminal)));
  if (!context.isJson && page.nextCursor !== null)
    context.say(`only the newest ${MAX_PAGE} are listed; the viewer shows all`);
  return EXIT.fine;
}

function formatTodos(todos: readonly Todo[], width: number): string {
  const ids = shortIds(todos.map(({ id }) => id));
  const rows = todos.map(({ id, status, due = '', title }) => [ids.get(id) ?? id, status, due, oneLine(title)]);
  return formatTable(['ID', 'STATUS', 'DUE', { head: 'TITLE', cut: 1, min: 20 }], rows, width);
}

/** `todos done <id>`: marks a to-do as done. */
export function tickOff(context: CommandContext, _options: object, [id = '']: readonly string[]): Promise<number> {
  return setStatus(context, id, 'done');
}

/** `todos open <id>`: marks a to-do as open. */
export function reopen(context: CommandContext, _options: object, [id = '']: readonly string[]): Promise<number> {
  return setStatus(context, id, 'open');
}

async function setStatus(context: CommandContext, given: string, status: Todo['status']): Promise<number> {
  const todo = await withApi(context, { isDriving: false }, async (client) =>
    client.request<Todo>('PUT', path`/api/todos/${await findId(client, 'todo', given)}`, { body: { status } }),
  );
  if (context.isJson) context.print(todo);
  else context.say(`${status}: ${oneLine(todo.title)}`);
  return EXIT.fine;
}

/** `todos delete <id>`: deletes a to-do. */
export async function deleteTodo(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const id = await withApi(context, { isDriving: false }, async (client) => {
    const found = await findId(client, 'todo', given);
    await client.request('DELETE', path`/api/todos/${found}`);
    return found;
  });
  if (context.isJson) context.print({ deleted: id });
  else context.say(`deleted ${oneLine(id)}`);
  return EXIT.fine;
}
