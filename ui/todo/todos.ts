import { signal, type Signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { ApiError, errorOfThrown, path, request } from '../http/request.ts';
import type { Page, Todo } from '../http/api-types.ts';
import { attempt } from '../widget/toast.ts';

const PAGE_SIZE = 100;

/** A part of the local list as far as it was fetched, newest first; `cursor` is where the next page starts, if there is one. */
export interface LoadedTodos {
  readonly items: readonly Todo[];
  readonly cursor: string | null;
}

/** What is open and what was ticked off, each with pages of its own; undefined until it was asked for. */
export const todos: Readonly<Record<Todo['status'], Signal<LoadedTodos | undefined>>> = {
  open: signal(undefined),
  done: signal(undefined),
};
/** Why the last fetch failed, if it did. */
export const todosError = signal<ErrorBody | undefined>(undefined);

/** Fetches both parts: as much of each anew as was shown. */
export function loadTodos(): Promise<void> {
  return reportErrors(async () => {
    const [open, done] = await Promise.all([fetchShown('open'), fetchShown('done')]);
    todos.open.value = open;
    todos.done.value = done;
  });
}

/** Fetches one page more of a part. */
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

/** Fetches again what is shown, if anything is. */
export function refreshTodos(): void {
  if (todos.open.value !== undefined) void loadTodos();
}

/** Ticks a to-do off, or back on. Tells whether it went well. */
export function setDone({ id }: Todo, isDone: boolean): Promise<boolean> {
  return attempt(async () => {
    await request('PUT', path`/api/todos/${id}`, { body: { status: isDone ? 'done' : 'open' } });
    await loadTodos();
  });
}

/** Deletes a to-do; one that is gone already is no matter. */
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
