import { signal, type Signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { ApiError, errorOfThrown, path, request } from '../http/request.ts';
import type { Page, Todo } from '../http/api-types.ts';
import { attempt } from '../widget/toast.ts';

const PAGE_SIZE = 100;

/** The to-dos of one status that are loaded, newest first. `cursor` is the start of the next page, or null. */
export interface LoadedTodos {
  readonly items: readonly Todo[];
  readonly cursor: string | null;
}

/** Open and done to-dos, each with its own pages; undefined until they are loaded. */
export const todos: Readonly<Record<Todo['status'], Signal<LoadedTodos | undefined>>> = {
  open: signal(undefined),
  done: signal(undefined),
};
/** Why the last fetch failed, if it did. */
export const todosError = signal<ErrorBody | undefined>(undefined);

/** Loads open and done to-dos again, as many as are shown. */
export function loadTodos(): Promise<void> {
  return reportErrors(async () => {
    const [open, done] = await Promise.all([fetchShown('open'), fetchShown('done')]);
    todos.open.value = open;
    todos.done.value = done;
  });
}

/** Loads the next page of one status. */
export function loadMoreTodos(status: Todo['status']): Promise<void> {
  return reportErrors(async () => {
    const { items, cursor } = todos[status].value ?? { items: [], cursor: null };
    const page = await fetchPage(status, cursor);
    todos[status].value = { items: [...items, ...page.items], cursor: page.nextCursor };
  });
}

async function reportErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    todosError.value = undefined;
  } catch (thrown) {
    todosError.value = errorOfThrown(thrown);
  }
}

async function fetchShown(status: Todo['status']): Promise<LoadedTodos> {
  const shown = todos[status].value?.items.length ?? 0;
  let part: LoadedTodos = { items: [], cursor: null };
  do {
    const page = await fetchPage(status, part.cursor);
    part = { items: [...part.items, ...page.items], cursor: page.nextCursor };
  } while (part.cursor !== null && part.items.length < shown);
  return part;
}

function fetchPage(status: Todo['status'], cursor: string | null): Promise<Page<Todo>> {
  const query = new URLSearchParams({ status, limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) });
  return request('GET', `/api/todos?${query}`);
}

/** Loads the to-dos again if they were loaded before. */
export function refreshTodos(): void {
  if (todos.open.value !== undefined) void loadTodos();
}

/** Marks a to-do as done or open. Resolves to whether it worked. */
export function setDone({ id }: Todo, isDone: boolean): Promise<boolean> {
  return attempt(async () => {
    await request('PUT', path`/api/todos/${id}`, { body: { status: isDone ? 'done' : 'open' } });
    await loadTodos();
  });
}

/** Deletes a to-do. One that does not exist any more is no error. */
export async function deleteTodo({ id }: Todo): Promise<void> {
  await attempt(async () => {
    try {
      await request('DELETE', path`/api/todos/${id}`);
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 404) throw thrown;
    }
    await loadTodos();
  });
}
