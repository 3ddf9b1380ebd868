import { DateTime } from 'luxon';
import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord, sha256 } from '../../base/json.ts';
import { type Graph, withQuery } from '../../account/microsoft/graph.ts';
import { createGraph } from '../../account/microsoft/graph-client.ts';
import { problemOf } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import { createOnce } from '../create-once.ts';
import type { NewTodo, Todo, TodoList } from '../agenda.ts';
import type { GraphDeps } from './graph-calendar.ts';
import { nearestDay } from '../span.ts';

const READ = scopesFor('outlook', ['todo read']);
const ADD = scopesFor('outlook', ['todo add']);

const PREFER = ['outlook.timezone="UTC"', 'outlook.body-content-type="text"'];

const PAGE_SIZE = 100;

/** Earlier attempts are searched this far back: a run does not continue after a longer time. */
const LOOK_BACK_MS = 30 * 86_400_000;

/** Limit of to-dos in that search. */
const MAX_SEARCHED = 1000;

const APPLICATION = 'Callsheet';

/**
 * The default list of Microsoft To Do (https://learn.microsoft.com/graph/api/resources/todotask). It accepts no id of
 * ours, so a to-do has a linked resource with a mark made from the key. The mark is searched before a to-do is added:
 * see `createOnce`.
 */
export function createGraphTodos({ accountId, tokens, clock, api }: GraphDeps): TodoList {
  const graph = createGraph({ accountId, tokens, clock, endpoints: { ...(api !== undefined && { api }) } });
  let known: string | undefined;

  /** Path of the tasks of the default list. */
  const tasks = async (scopes: readonly string[], { signal }: Abortable): Promise<string> => {
    known ??= await findDefault(graph, scopes, { signal });
    return `/me/todo/lists/${encodeURIComponent(known)}/tasks`;
  };

  return {
    accountId,
    async add(todo, { key, signal }) {
      const mark = sha256(`todo ${key}`).slice(0, 32);
      const path = await tasks(ADD, { signal });
      const since = clock.now() - LOOK_BACK_MS;
      const create = () =>
        graph.json({ method: 'POST', path, body: bodyOf(todo, mark), scopes: ADD, prefer: PREFER, signal });
      const find = () => findMarked(graph, path, { mark, since, signal });
      return todoOf(await createOnce({ find, create, problemOf }, { clock, signal }));
    },
    async list({ status, limit, signal }) {
      const filter = status === undefined ? undefined : `status ${status === 'done' ? 'eq' : 'ne'} 'completed'`;
      const path = withQuery(await tasks(READ, { signal }), {
        $filter: filter,
        $orderby: 'createdDateTime desc',
        $top: Math.min(limit, PAGE_SIZE),
      });
      const found: Todo[] = [];
      for await (const task of graph.items({ path, scopes: READ, prefer: PREFER, signal })) {
        const todo = todoOf(task);
        if (status === undefined || todo.status === status) found.push(todo);
        if (found.length >= limit) break;
      }
      return found;
    },
    async close(id, { signal }) {
      const path = `${await tasks(ADD, { signal })}/${encodeURIComponent(id)}`;
      await graph.json({ method: 'PATCH', path, body: { status: 'completed' }, scopes: ADD, prefer: PREFER, signal });
    },
  };
}

async function findDefault(graph: Graph, scopes: readonly string[], { signal }: Abortable): Promise<string> {
  const path = withQuery('/me/todo/lists', { $top: PAGE_SIZE });
  for await (const list of graph.items({ path, scopes, signal }))
    if (list['wellknownListName'] === 'defaultList') return textOf(list['id']);
  throw new EngineError('TOOL_FAILED', 'Microsoft To Do has no default list for this account', {
    hint: 'open Microsoft To Do once with this account; it creates the list',
  });
}

interface MarkQuery extends Abortable {
  readonly mark: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/**
 * Finds the to-do with this mark among the newest. Graph cannot filter by marks reliably, so they are compared here.
 */
async function findMarked(
  graph: Graph,
  tasks: string,
  { mark, since, signal }: MarkQuery,
): Promise<Record<string, unknown> | undefined> {
  const path = withQuery(tasks, {
    $expand: 'linkedResources',
    $orderby: 'createdDateTime desc',
    $top: PAGE_SIZE,
  });
  let count = 0;
  for await (const task of graph.items({ path, scopes: ADD, prefer: PREFER, signal })) {
    const links = Array.isArray(task['linkedResources']) ? task['linkedResources'] : [];
    if (links.some((link) => isRecord(link) && link['externalId'] === mark)) return task;
    if (Date.parse(textOf(task['createdDateTime'])) < since || ++count >= MAX_SEARCHED) return undefined;
  }
  return undefined;
}

function bodyOf({ title, notes, due }: NewTodo, mark: string): object {
  return {
    title,
    ...(notes !== undefined && { body: { contentType: 'text', content: notes } }),
    ...(due !== undefined && { dueDateTime: { dateTime: `${due}T00:00:00`, timeZone: 'UTC' } }),
    linkedResources: [{ applicationName: APPLICATION, displayName: title, externalId: mark }],
  };
}

function todoOf(task: Record<string, unknown>): Todo {
  const { body, dueDateTime } = task;
  const notes = isRecord(body) ? textOf(body['content']).trim() : '';
  const due = isRecord(dueDateTime) ? DateTime.fromISO(textOf(dueDateTime['dateTime']), { zone: 'utc' }) : undefined;
  const created = Date.parse(textOf(task['createdDateTime']));
  return {
    id: textOf(task['id']),
    title: textOf(task['title']),
    ...(notes !== '' && { notes }),
    ...(due?.isValid === true && { due: nearestDay(due.toMillis()) }),
    status: task['status'] === 'completed' ? 'done' : 'open',
    ...(!Number.isNaN(created) && { createdAt: new Date(created).toISOString() }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
