import { isoTime } from '../base/clock.ts';
import { EngineError, type ErrorBody } from '../base/error.ts';
import type { RunAttachment } from '../file/upload/upload.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { OPEN_STATUSES, recordOf, type Run } from '../run/run.ts';
import { bodyOf } from '../store/damaged-row.ts';
import type { Reader, Row } from '../store/store.ts';

/** Statuses of a task; the last three are final. */
export const TASK_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Of due tasks, one of the last priority starts first. */
export const TASK_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

/** What the store keeps of a task besides its columns. Times are ISO 8601. */
export interface StoredTask {
  readonly title: string;
  readonly instructions: string;
  /** Id of a director or an agent. */
  readonly assignedTo: string;
  readonly assignee: 'director' | 'agent';
  /** Paths of files, as the assignee's tools take them. */
  readonly files: readonly string[];
  /** Files that a person uploaded, for a director. */
  readonly attachments?: readonly RunAttachment[];
  /** Absent in a task that was to start at once. */
  readonly dueAt?: string;
  /** Id of the person who added it. */
  readonly createdBy: string;
  /** Why it could not start. */
  readonly error?: ErrorBody;
  /** When it ended, where it had no run. */
  readonly endedAt?: string;
  /** The run that the next run repeats. */
  readonly retryOf?: string;
}

/** A task as the API serves it (seed 002). Times are ISO 8601. */
export interface Task extends Omit<StoredTask, 'retryOf'> {
  readonly id: string;
  readonly priority: TaskPriority;
  readonly status: TaskStatus;
  readonly createdAt: string;
  /** The run that works on it or has done so last; in an agent's task also the session. */
  readonly runId?: string;
  readonly sessionId?: string;
  readonly startedAt?: string;
  /** What the run waits for. */
  readonly waitingFor?: Run['waitingFor'];
  /** The result in at most 200 characters. */
  readonly summary?: string;
}

/** The stored part of a row. `STORE_DAMAGED`. */
export function storedTask(row: Row<'task'>): StoredTask {
  return bodyOf<StoredTask>('task', row);
}

/** The row of a task. `NOT_FOUND`. */
export async function readTaskRow(reader: Reader, id: string): Promise<Row<'task'>> {
  const row = await reader.get('task', { id });
  if (row !== undefined) return row;
  throw new EngineError('NOT_FOUND', `there is no task "${id.slice(0, 100)}"`, {
    hint: 'callsheet tasks list shows them; a task is deleted with its run',
  });
}

/** A task as the API serves it. What has become of it is taken from its run. */
export async function viewTask({ store }: Pick<Dependencies, 'store'>, row: Row<'task'>): Promise<Task> {
  const { retryOf: _internal, ...stored } = storedTask(row);
  const found = row.run === '' ? undefined : await store.get('run', { id: row.run });
  const priority = TASK_PRIORITIES[row.priority] ?? 'normal';
  const task = { id: row.id, ...stored, priority, status: row.status as TaskStatus, createdAt: isoTime(row.at) };
  if (found === undefined) return task;
  const {
    id: runId,
    status: runStatus,
    sessionId,
    createdAt: startedAt,
    endedAt,
    waitingFor,
    summary,
    error,
  } = recordOf(found).run;
  const isOver = !OPEN_STATUSES.some((open) => open === runStatus);
  return {
    ...task,
    // A run that could not be read ended without a step, which would have noted it here.
    status: isOver && row.status === 'running' ? (runStatus as TaskStatus) : task.status,
    runId,
    startedAt,
    ...(sessionId !== undefined && { sessionId }),
    ...(waitingFor !== undefined && { waitingFor }),
    ...(isOver && { summary }),
    ...(endedAt !== undefined && { endedAt }),
    ...(runStatus === 'failed' && error !== undefined && { error }),
  };
}

/** The message that hands a task to its assignee. */
export function taskMessage({ title, instructions, files }: StoredTask): string {
  const list = files.map((file) => `- ${file}`).join('\n');
  return [`Task: ${title}`, instructions, list === '' ? '' : `Files:\n${list}`]
    .filter((part) => part !== '')
    .join('\n\n');
}
