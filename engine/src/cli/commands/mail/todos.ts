import type { Todo } from '../../../agenda/agenda.ts';
import type { Page } from '../../../api/http/paging.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi } from '../../with-api.ts';
import { formatTable, oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** Largest page of the API. */
const MAX_PAGE = 200;

/** `todos list`: prints the local to-do list, newest first. */
export async function listTodos(
  context: CommandContext,
  { all = false, done = false }: { readonly all?: boolean; readonly done?: boolean },
): Promise<number> {
  const query = new URLSearchParams({ limit: String(MAX_PAGE), ...(!all && { status: done ? 'done' : 'open' }) });
  const page = await withApi(context, { isDriving: false }, (client) =>
    client.request<Page<Todo>>('GET', `/api/todos?${query}`),
  );
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no to-dos');
  else context.terminal.out(formatTable(['ID', 'STATUS', 'DUE', 'TITLE'], page.items.map(row)));
  if (!context.isJson && page.nextCursor !== null)
    context.say(`only the newest ${MAX_PAGE} are listed; the viewer shows all`);
  return EXIT.fine;
}

function row({ id, status, due = '', title }: Todo): string[] {
  return [id, status, due, oneLine(title)];
}

/** `todos done <id>`: marks a to-do as done. */
export function tickOff(context: CommandContext, _options: object, [id = '']: readonly string[]): Promise<number> {
  return setStatus(context, id, 'done');
}

/** `todos open <id>`: marks a to-do as open. */
export function reopen(context: CommandContext, _options: object, [id = '']: readonly string[]): Promise<number> {
  return setStatus(context, id, 'open');
}

async function setStatus(context: CommandContext, id: string, status: Todo['status']): Promise<number> {
  const todo = await withApi(context, { isDriving: false }, (client) =>
    client.request<Todo>('PUT', path`/api/todos/${id}`, { body: { status } }),
  );
  if (context.isJson) context.print(todo);
  else context.say(`${status}: ${oneLine(todo.title)}`);
  return EXIT.fine;
}

/** `todos delete <id>`: deletes a to-do. */
export async function deleteTodo(
  context: CommandContext,
  _options: object,
  [id = '']: readonly string[],
): Promise<number> {
  await withApi(context, { isDriving: false }, (client) => client.request('DELETE', path`/api/todos/${id}`));
  if (context.isJson) context.print({ deleted: id });
  else context.say(`deleted ${oneLine(id)}`);
  return EXIT.fine;
}
