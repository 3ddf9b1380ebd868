import { signal } from '@preact/signals';
import type { MailView } from '../../engine/src/api/routes/mail/mail-view.ts';
import type { ObjectiveStatus } from '../../engine/src/run/objective/objective.ts';
import type { ObjectiveView, Page } from '../http/api-types.ts';
import { createPagedList, type PagedList } from '../http/list.ts';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { confirm } from '../widget/confirm.ts';
import { attempt, showToast } from '../widget/toast.ts';

/** The columns of the board with their titles, from left to right. */
export const COLUMNS = [
  ['pending', 'Pending'],
  ['in_progress', 'In progress'],
  ['waiting', 'Waiting'],
  ['done', 'Done'],
  ['error', 'Error'],
] as const satisfies readonly (readonly [status: ObjectiveStatus, title: string])[];

const createColumn = (status: ObjectiveStatus): PagedList<ObjectiveView> =>
  createPagedList('/api/objectives', () => ({ status, limit: '50' }));

/** The objectives of each status, newest first. */
export const board: Readonly<Record<ObjectiveStatus, PagedList<ObjectiveView>>> = {
  pending: createColumn('pending'),
  in_progress: createColumn('in_progress'),
  waiting: createColumn('waiting'),
  done: createColumn('done'),
  error: createColumn('error'),
};

/** The shown objective. */
export const shownObjective = createResource((id, signal) =>
  request<ObjectiveView>('GET', path`/api/objectives/${id}`, { signal }),
);

/** A director that pursues objectives. */
export interface ObjectiveDirector {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly mode: string;
  readonly enabled?: boolean;
}

/** The directors that can start an objective. */
export const objectiveDirectors = createResource(async (_key, signal) => {
  const { items } = await request<Page<ObjectiveDirector>>('GET', '/api/directors?limit=200', { signal });
  return items.filter(({ mode, enabled }) => mode === 'objective' && enabled !== false);
});

/** Newest mails of each linked thread; the key is that of `threadsKey`. */
export const threadMails = createResource((key, signal) => {
  const threads = JSON.parse(key) as readonly (readonly [accountId: string, threadId: string])[];
  return Promise.all(
    threads.map(async ([accountId, threadId]) => {
      const query = new URLSearchParams({ accountId, threadId, limit: '20' });
      return (await request<Page<MailView>>('GET', `/api/emails?${query}`, { signal })).items;
    }),
  );
});

/** The key of `threadMails` for the threads of an objective. */
export function threadsKey({ threads }: Pick<ObjectiveView, 'threads'>): string {
  return JSON.stringify(threads.map(({ accountId, threadId }) => [accountId, threadId]));
}

/** The wish that was not sent yet. It stays while other pages are shown. */
export const wish = signal('');

/** False until the page is shown for the first time. */
let isOpened = false;

/** Fetches all columns. Fetches nothing before a call with `open`. */
export async function loadBoard({ open = false } = {}): Promise<void> {
  isOpened ||= open;
  if (isOpened) await Promise.all(Object.values(board).map((column) => column.load()));
}

/** Fetches the board and the shown objective again. */
export function refreshObjectives(): void {
  void loadBoard();
  shownObjective.refresh();
  threadMails.refresh();
}

/** Whether the objective is not over. */
export function isOpen({ status }: Pick<ObjectiveView, 'status'>): boolean {
  return status !== 'done' && status !== 'error';
}

const SAID = {
  pause: 'Paused. Nothing leaves until you resume.',
  resume: 'Resumed.',
  finish: 'Finished.',
} as const;

async function order(id: string, name: keyof typeof SAID): Promise<void> {
  await attempt(async () => {
    shownObjective.set(await request<ObjectiveView>('POST', path`/api/objectives/${id}/${name}`, { body: {} }));
    showToast(SAID[name]);
    await loadBoard();
  });
}

/** Pauses an objective, or resumes a paused one. */
export async function togglePause(objective: ObjectiveView): Promise<void> {
  if (isOpen(objective)) await order(objective.id, objective.paused ? 'resume' : 'pause');
}

/** Finishes an objective after a confirmation, because it cannot be opened again. */
export async function confirmFinish(objective: ObjectiveView): Promise<void> {
  if (!isOpen(objective)) return;
  const text = 'It counts as reached and does nothing more. A draft stays in Drafts. This cannot be undone.';
  if (await confirm({ title: 'Finish this objective?', text, action: 'Finish' })) await order(objective.id, 'finish');
}

/** Starts an objective with the words of the user. Resolves to its id. Rejects with `ApiError`. */
export async function startObjective(directorId: string, message: string): Promise<string> {
  const { id } = await request<{ readonly id: string }>('POST', '/api/runs', { body: { directorId, message } });
  return id;
}
