import { isoTime } from '../base/clock.ts';
import { EngineError, type ErrorBody, errorBody } from '../base/error.ts';
import { passUploads } from '../file/upload/upload-store.ts';
import { notificationChanges } from '../notification/notification-rows.ts';
import { channelsOf } from '../notification/targets.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { createRun } from '../run/lifecycle/create.ts';
import { repeatChanges, repeaterOf } from '../run/lifecycle/retry.ts';
import { liveRunFields, OPEN_STATUSES, recordOf, type Run, type RunRecord } from '../run/run.ts';
import { continueSession, startSession } from '../run/session/take-message.ts';
import type { Change, Row } from '../store/store.ts';
import { type StoredTask, storedTask, taskMessage } from './task.ts';

interface NewRun {
  readonly run: Run;
  readonly changes: readonly Change[];
}

/**
 * Starts a pending task: one commit marks it as running and queues its run, so that it starts once, also where several processes
 * try. Where a person has repeated its last run meanwhile, the task takes that run. A task whose assignee is gone or broken fails
 * instead. Returns the id of the run; undefined where there is none. `STORE_CONFLICT` where another process was faster. The caller tells the engine (`queued`).
 */
export async function startTask(deps: Dependencies, row: Row<'task'>): Promise<string | undefined> {
  const { store, live, log } = deps;
  const task = {
    op: 'update',
    table: 'task',
    key: { id: row.id },
    expect: { status: 'pending', due: row.due },
  } as const;
  const stored = storedTask(row);
  const repeated = await lastRepeatOf(deps, stored.retryOf);
  if (repeated !== undefined) {
    const { id, status: now } = repeated;
    const status = OPEN_STATUSES.some((open) => open === now) ? 'running' : now;
    // Fails where the run has ended meanwhile: nothing would tell the task.
    const isSame = { op: 'update', table: 'run', key: { id }, set: { status: now }, expect: { status: now } } as const;
    await store.apply([{ ...task, set: { status, run: id } }, isSame]);
    live.publish('task', { id: row.id, status });
    return id;
  }
  let started: NewRun;
  try {
    started = await newRunOf(deps, row);
  } catch (error) {
    if (!isGone(error)) throw error;
    const cause = errorBody(error);
    const body = JSON.stringify({ ...stored, error: cause, endedAt: isoTime(deps.clock.now()) });
    const news = newsOf(deps, stored, cause);
    await store.apply([{ ...task, set: { status: 'failed', body } }, ...news.changes]);
    log.warn('a task could not start', { task: row.id, ...cause });
    live.publish('task', { id: row.id, status: 'failed' });
    if (news.id !== undefined) live.publish('notification', { id: news.id, kind: 'failure' });
    return undefined;
  }
  const { run, changes } = started;
  deps.probe?.('before-commit');
  await store.apply([{ ...task, set: { status: 'running', run: run.id } }, ...changes]);
  deps.probe?.('after-commit');
  log.info('a task has started', { task: row.id, run: run.id });
  live.publish('task', { id: row.id, status: 'running' });
  live.publish('run', liveRunFields(run));
  return run.id;
}

/** The notification of a task that could not start, where the settings ask for it. */
function newsOf(
  { config, clock, ids }: Dependencies,
  { title }: StoredTask,
  { code, message }: ErrorBody,
): { readonly id?: string; readonly changes: readonly Change[] } {
  const current = config.current();
  if (!current.settings.notifications.includes('failure')) return { changes: [] };
  const told = { kind: 'failure' as const, title: `Task not started: ${title}`, text: `${code}: ${message}` };
  const id = ids.next('ntf');
  const channels = channelsOf(current, told);
  return { id, changes: notificationChanges(told, { id, now: clock.now(), channels }) };
}

/** Whether an error says that the assignee of a task is not there, or cannot work. */
function isGone(error: unknown): error is EngineError {
  return error instanceof EngineError && (error.code === 'NOT_FOUND' || error.code === 'CONFIG_INVALID');
}

async function newRunOf(deps: Dependencies, row: Row<'task'>): Promise<NewRun> {
  const task = storedTask(row);
  const { assignedTo, assignee, createdBy, retryOf } = task;
  const before = retryOf === undefined ? undefined : await runRecord(deps, retryOf);
  const message = taskMessage(task);
  const dueAt = isoTime(row.due);
  if (assignee === 'agent') {
    const work = { content: message, by: createdBy, task: { id: row.id, dueAt } };
    const going = await goOn(deps, before?.run.sessionId, work);
    return going ?? startSession(deps, assignedTo, work);
  }
  if (before !== undefined) return repeatChanges(deps, before, createdBy);
  // Those of an earlier run are deleted with it.
  const attachments = retryOf === undefined ? task.attachments : undefined;
  const { run, changes } = await createRun(deps, {
    ...{ config: deps.config.current(), directorId: assignedTo, startedBy: createdBy, attachments },
    trigger: { kind: 'task', message, taskId: row.id, dueAt },
  });
  return { run, changes: [...changes, ...(await passUploads(deps.store, row.id, run.id))] };
}

/** The last of the runs that persons have begun meanwhile in place of the task's own; undefined where there is none. */
async function lastRepeatOf({ store }: Pick<Dependencies, 'store'>, id: string | undefined): Promise<Run | undefined> {
  const next = id === undefined ? undefined : await repeaterOf(store, id);
  return next && ((await lastRepeatOf({ store }, next.id)) ?? next);
}

async function runRecord({ store }: Dependencies, id: string): Promise<RunRecord | undefined> {
  const row = await store.get('run', { id });
  return row && recordOf(row);
}

/** The next message of the session that worked on a task before; undefined where that session takes none any more. */
async function goOn(
  deps: Dependencies,
  sessionId: string | undefined,
  message: Parameters<typeof continueSession>[2],
): Promise<NewRun | undefined> {
  if (sessionId === undefined) return undefined;
  try {
    return await continueSession(deps, sessionId, message);
  } catch (error) {
    if (error instanceof EngineError && error.code.startsWith('SESSION_')) return undefined;
    throw error;
  }
}
