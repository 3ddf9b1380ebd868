import { signal } from '@preact/signals';
import type { Page, Task, TaskPriority, TaskStatus } from '../http/api-types.ts';
import { createPagedList } from '../http/list.ts';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { confirm } from '../widget/confirm.ts';
import { attempt, showToast } from '../widget/toast.ts';

/** Priorities, the lowest first. */
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const satisfies readonly TaskPriority[];

/** An empty form of a task. */
export const EMPTY_TASK = { title: '', assignedTo: '', instructions: '', dueAt: '', priority: 'normal' };

/** The task that was typed and not sent yet. It stays while other pages are shown. */
export const typedTask = signal(EMPTY_TASK);

/** Which tasks the page shows: those that are not over, or those that ended in one way. */
export const shownTasks = signal<'open' | Extract<TaskStatus, 'completed' | 'failed' | 'cancelled'>>('open');

const listOf = (status: () => string) =>
  createPagedList<Task>('/api/tasks', () => ({ status: status(), limit: '100' }));

const running = listOf(() => 'running');
const pending = listOf(() => 'pending');
const ended = listOf(() => shownTasks.value);

/** The lists behind what the page shows. */
export function shownLists() {
  return shownTasks.value === 'open' ? [running, pending] : [ended];
}

/** The shown tasks: open ones in the order in which they start, ended ones newest first. */
export function tasksInOrder(nowMs: number): readonly Task[] {
  return shownTasks.value === 'open'
    ? [...running.items.value, ...pending.items.value.toSorted(byStart(nowMs))]
    : ended.items.value;
}

/** Orders pending tasks as the server starts them: due ones by priority, then those that are due later. */
export function byStart(nowMs: number): (a: Task, b: Task) => number {
  const dueOf = ({ dueAt, createdAt }: Task) => Date.parse(dueAt ?? createdAt);
  const rank = (task: Task) => (dueOf(task) > nowMs ? -1 : PRIORITIES.indexOf(task.priority));
  return (a, b) => rank(b) - rank(a) || dueOf(a) - dueOf(b);
}

/** False until the page is shown for the first time. */
let isOpened = false;

/** Fetches the shown tasks. Fetches nothing before a call with `open`. */
export async function loadTasks({ open = false } = {}): Promise<void> {
  isOpened ||= open;
  if (isOpened) await Promise.all(shownLists().map((list) => list.load()));
}

/** Fetches the shown tasks again if they were shown before. */
export const refreshTasks = (): void => void loadTasks();

/** Whether the task is not over. */
export const isOpenTask = ({ status }: Task): boolean => status === 'pending' || status === 'running';

/** Gives a task that has not started a higher (`step` 1) or lower (-1) priority, if there is one. */
export async function shiftPriority({ id, status, priority }: Task, step: 1 | -1): Promise<void> {
  const next = PRIORITIES[PRIORITIES.indexOf(priority) + step];
  if (status !== 'pending' || next === undefined) return;
  await attempt(async () => {
    await request('PUT', path`/api/tasks/${id}`, { body: { priority: next } });
    await loadTasks();
  });
}

/** Cancels a task. One that runs is cancelled after a confirmation, because its work stops. */
export async function cancelTask(task: Task): Promise<void> {
  if (!isOpenTask(task)) return;
  const text = 'Its run stops now. Results made so far stay.';
  if (task.status === 'running' && !(await confirm({ title: 'Cancel this task?', text, action: 'Cancel task' })))
    return;
  await attempt(async () => {
    await request('POST', path`/api/tasks/${task.id}/cancel`, { body: {} });
    showToast('Cancelled. It can be tried again under Cancelled.');
    await loadTasks();
  });
}

/** Starts a failed or cancelled task again. */
export async function retryTask({ id, status }: Task): Promise<void> {
  if (status !== 'failed' && status !== 'cancelled') return;
  await attempt(async () => {
    await request('POST', path`/api/tasks/${id}/retry`, { body: {} });
    showToast('The task starts again.');
    await loadTasks();
  });
}

/** Somebody who can be given a task: `directors/<id>` or `agents/<id>`. */
export interface Assignee {
  readonly value: string;
  readonly name: string;
}

interface Listed {
  readonly id: string;
  readonly name?: string;
  readonly enabled?: boolean;
}

/** All directors, then all agents. */
export const assignees = createResource(async (_key, signal): Promise<readonly Assignee[]> => {
  const kinds = await Promise.all(
    (['directors', 'agents'] as const).map(async (kind) => {
      const { items } = await request<Page<Listed>>('GET', `${path`/api/${kind}`}?limit=200`, { signal });
      return items
        .filter(({ enabled }) => enabled !== false)
        .map(({ id, name = id }) => ({ value: `${kind}/${id}`, name: `${name} (${kind.slice(0, -1)})` }));
    }),
  );
  return kinds.flat();
});

/** Adds a task. Rejects with `ApiError`. */
export async function addTask(body: Readonly<Record<string, string>>): Promise<void> {
  await request('POST', '/api/tasks', { body });
  shownTasks.value = 'open';
}
