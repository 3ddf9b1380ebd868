import { tasks as openTasks, type tasks_v1 } from '@googleapis/tasks';
import type { Abortable } from '../../base/abort.ts';
import { sha256 } from '../../base/json.ts';
import { scopesFor } from '../../account/scopes.ts';
import { createOnce } from '../create-once.ts';
import type { NewTodo, Todo, TodoList } from '../agenda.ts';
import { requestGoogle, googleProblem, type GoogleDeps } from './google-request.ts';

const READ = scopesFor('gmail', ['todo read']);
const ADD = scopesFor('gmail', ['todo add']);

/** Id of the default list. */
const LIST = '@default';

/** Google's largest page. */
const PAGE_SIZE = 100;

/** Google does not sort by time, so many tasks are read to find the newest. */
const MAX_READ = 2000;

/** Earlier attempts are searched this far back: a run does not continue after a longer time. */
const LOOK_BACK_MS = 30 * 86_400_000;

const MARK = /\s*\bcallsheet:[0-9a-f]{20}$/;

/**
 * The default list of Google Tasks (https://developers.google.com/tasks/reference/rest/v1/tasks). Google accepts no id
 * of ours and stores no hidden data, so the last line of a task's notes is a mark made from the key. The mark is
 * searched before a task is added: see `createOnce`.
 */
export function createGoogleTasks(deps: GoogleDeps): TodoList {
  const { tasks } = openTasks({ version: 'v1', ...(deps.api !== undefined && { rootUrl: deps.api }) });
  return {
    accountId: deps.accountId,
    async add(todo, { key, signal }) {
      const mark = `callsheet:${sha256(`todo ${key}`).slice(0, 20)}`;
      const updatedMin = new Date(deps.clock.now() - LOOK_BACK_MS).toISOString();
      const filter = { showCompleted: true, showHidden: true, updatedMin };
      const find = async () => {
        for await (const task of tasksIn(deps, tasks, { scopes: ADD, filter, signal }))
          if (task.notes?.endsWith(mark)) return task;
        return undefined;
      };
      const create = () =>
        requestGoogle(deps, { scopes: ADD, signal, isRepeatable: false }, (options) =>
          tasks.insert({ tasklist: LIST, requestBody: bodyOf(todo, mark) }, options),
        );
      const options = { clock: deps.clock, signal };
      return todoOf(await createOnce<tasks_v1.Schema$Task>({ find, create, problemOf: googleProblem }, options));
    },
    async list({ status, limit, signal }) {
      const isOpenOnly = status === 'open';
      // Google's own programs hide completed tasks.
      const filter = { showCompleted: !isOpenOnly, showHidden: !isOpenOnly };
      const found: tasks_v1.Schema$Task[] = [];
      for await (const task of tasksIn(deps, tasks, { scopes: READ, filter, signal }))
        if (task.deleted !== true && (status === undefined || statusOf(task) === status)) found.push(task);
      const newest = (a: tasks_v1.Schema$Task, b: tasks_v1.Schema$Task) =>
        (a.updated ?? '') > (b.updated ?? '') ? -1 : 1;
      return found.sort(newest).slice(0, limit).map(todoOf);
    },
    async close(id, { signal }) {
      await requestGoogle(deps, { scopes: ADD, signal }, (options) =>
        tasks.patch({ tasklist: LIST, task: id, requestBody: { status: 'completed' } }, options),
      );
    },
  };
}

interface TaskQuery extends Abortable {
  readonly scopes: readonly string[];
  readonly filter: Pick<tasks_v1.Params$Resource$Tasks$List, 'showCompleted' | 'showHidden' | 'updatedMin'>;
}

/** The tasks of the list up to `MAX_READ`; pages are loaded on demand. */
async function* tasksIn(
  deps: GoogleDeps,
  tasks: tasks_v1.Resource$Tasks,
  { scopes, filter, signal }: TaskQuery,
): AsyncGenerator<tasks_v1.Schema$Task> {
  let pageToken: string | undefined;
  let count = 0;
  do {
    const query = { tasklist: LIST, maxResults: PAGE_SIZE, ...filter, ...(pageToken !== undefined && { pageToken }) };
    const page: tasks_v1.Schema$Tasks = await requestGoogle(deps, { scopes, signal }, (options) =>
      tasks.list(query, options),
    );
    yield* page.items ?? [];
    count += PAGE_SIZE;
    pageToken = page.nextPageToken ?? undefined;
  } while (pageToken !== undefined && count < MAX_READ);
}

function bodyOf({ title, notes, due }: NewTodo, mark: string): tasks_v1.Schema$Task {
  return {
    title,
    notes: notes === undefined ? mark : `${notes}\n\n${mark}`,
    // Google stores only the day.
    ...(due !== undefined && { due: `${due}T00:00:00.000Z` }),
  };
}

function todoOf(task: tasks_v1.Schema$Task): Todo {
  const notes = task.notes?.replace(MARK, '') ?? '';
  return {
    id: task.id ?? '',
    title: task.title ?? '',
    ...(notes !== '' && { notes }),
    ...(typeof task.due === 'string' && { due: task.due.slice(0, 10) }),
    status: statusOf(task),
  };
}

function statusOf({ status }: tasks_v1.Schema$Task): Todo['status'] {
  return status === 'completed' ? 'done' : 'open';
}
