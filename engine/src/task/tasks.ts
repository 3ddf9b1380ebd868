import { DateTime } from 'luxon';
import { parseDayOrTime } from '../agenda/date-time.ts';
import { isoTime } from '../base/clock.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { EngineError } from '../base/error.ts';
import { redactValue } from '../base/redact.ts';
import { machineZone } from '../base/time-zone.ts';
import type { Snapshot } from '../config/config.ts';
import { attachUploads } from '../file/upload/upload-store.ts';
import type { RunAttachment } from '../file/upload/upload.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { findSessionAgent } from '../run/session/session-agent.ts';
import type { Row } from '../store/store.ts';
import {
  readTaskRow,
  type StoredTask,
  storedTask,
  type Task,
  TASK_PRIORITIES,
  type TaskPriority,
  viewTask,
} from './task.ts';

/** What a person asks for. */
export interface NewTask {
  readonly title: string;
  readonly instructions?: string | undefined;
  /** Id of a director or an agent; `directors/<id>` or `agents/<id>` where both have it. */
  readonly assignedTo: string;
  readonly files?: readonly string[] | undefined;
  /** Ids of uploaded files, for a director. */
  readonly attachments?: readonly string[] | undefined;
  /** A day, a time in the zone of the settings, or a time with an offset. Default: at once. */
  readonly dueAt?: string | undefined;
  readonly priority?: TaskPriority | undefined;
}

/** Tasks as persons handle them. */
export interface Tasks {
  /**
   * Adds a task for a person (`by`: user id). `BAD_REQUEST`; `NOT_FOUND` and `CONFIG_INVALID` for its assignee; errors of files as in
   * `attachUploads`.
   */
  add(task: NewTask, by: string): Promise<Task>;
  /** Cancels a task, and its run if it has begun. `NOT_FOUND`; `CONFLICT` where the task is over. */
  cancel(id: string): Promise<Task>;
  /** Gives a task that has not started another priority. `NOT_FOUND`; `CONFLICT` where it has started. */
  prioritise(id: string, priority: TaskPriority): Promise<Task>;
  /**
   * Lets a failed or cancelled task start again, at once. Its next run takes the newest config; calls that its last run may have made
   * ask a person. `NOT_FOUND`; `CONFLICT` where the task is not over, or was completed.
   */
  retry(id: string): Promise<Task>;
}

const MOST = { title: 200, instructions: 100_000, files: 100, path: 1000, years: 10 } as const;
/** Attempts to change a task while others change it. */
const MAX_TRIES = 5;

/** Tasks over a store; `cancelRun` ends a run, as in `Engine.cancel`. */
export function createTasks(
  deps: Pick<Dependencies, 'store' | 'clock' | 'ids' | 'config' | 'live' | 'redactor'>,
  cancelRun: (runId: string) => Promise<void>,
): Tasks {
  const { store, clock, live } = deps;
  const changed = async (id: string): Promise<Task> => {
    const task = await viewTask(deps, await readTaskRow(store, id));
    live.publish('task', { id, status: task.status });
    return task;
  };
  return {
    async add(given, by) {
      const id = deps.ids.next('task');
      // Under the id of the task, until its run takes them.
      const uploads = await attachUploads(store, given.attachments ?? [], id);
      const row = newRow(deps, { ...given, id, uploads: uploads.attachments }, by);
      await store.apply([{ op: 'insert', table: 'task', row }, ...uploads.changes(id)]);
      return changed(id);
    },
    cancel: (id) =>
      repeatOnConflict(async () => {
        const row = await readTaskRow(store, id);
        const { status } = await viewTask(deps, row);
        if (status === 'running') await cancelRun(row.run);
        else if (status === 'pending') {
          const body = JSON.stringify({ ...storedTask(row), endedAt: isoTime(clock.now()) } satisfies StoredTask);
          const expect = { status, due: row.due };
          await store.apply([{ op: 'update', table: 'task', key: { id }, set: { status: 'cancelled', body }, expect }]);
        } else
          throw new EngineError('CONFLICT', `the task is ${status} already`, {
            hint: 'only a task that is not over can be cancelled',
          });
        return changed(id);
      }),
    prioritise: (id, priority) =>
      repeatOnConflict(async () => {
        const { status } = await readTaskRow(store, id);
        if (status !== 'pending')
          throw new EngineError('CONFLICT', `the task is ${status} already`, {
            hint: 'only a task that has not started can get another priority',
          });
        const set = { priority: TASK_PRIORITIES.indexOf(priority) };
        await store.apply([{ op: 'update', table: 'task', key: { id }, set, expect: { status } }]);
        return changed(id);
      }),
    retry: (id) =>
      repeatOnConflict(async () => {
        const row = await readTaskRow(store, id);
        const { status } = await viewTask(deps, row);
        if (status !== 'failed' && status !== 'cancelled')
          throw new EngineError(
            'CONFLICT',
            `the task is ${status}: only a failed or cancelled one can be tried again`,
            {
              hint: status === 'completed' ? 'add a new task' : 'callsheet tasks cancel ends it first',
            },
          );
        const { error: _error, endedAt: _ended, retryOf, ...stored } = storedTask(row);
        const last = row.run === '' ? retryOf : row.run;
        const body = JSON.stringify({ ...stored, ...(last !== undefined && { retryOf: last }) } satisfies StoredTask);
        const set = { status: 'pending', due: clock.now(), run: '', body };
        const expect = { status: row.status, run: row.run };
        await store.apply([{ op: 'update', table: 'task', key: { id }, set, expect }]);
        return changed(id);
      }),
  };
}

/** Does `work` again where another request or process changed the task meanwhile, or its run has just ended. */
async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof EngineError && ['STORE_CONFLICT', 'RUN_NOT_ACTIVE'].includes(error.code);
      if (!isPassing || tries >= MAX_TRIES) throw error;
    }
  }
}

function newRow(
  { clock, config, redactor }: Pick<Dependencies, 'clock' | 'config' | 'redactor'>,
  given: NewTask & { readonly id: string; readonly uploads: readonly RunAttachment[] },
  createdBy: string,
): Row<'task'> {
  const { id, title, instructions = '', assignedTo, files = [], uploads, dueAt, priority = 'normal' } = given;
  const current = config.current();
  const now = clock.now();
  const name = title.replace(/\s+/g, ' ').trim();
  if (name === '' || name.length > MOST.title) throw badRequest(`"title" must have 1 to ${MOST.title} characters`);
  if (instructions.length > MOST.instructions)
    throw badRequest(`"instructions" must have at most ${MOST.instructions} characters`);
  if (files.length > MOST.files) throw badRequest(`"files" must have at most ${MOST.files} paths`);
  const bad = files.find((path) => path.trim() === '' || path.length > MOST.path || /\p{Cc}/u.test(path));
  if (bad !== undefined) throw badRequest(`"files": ${JSON.stringify(bad.slice(0, 100))} is no path of a file`);
  const due = dueAt === undefined ? now : dueOf(current, dueAt, now);
  const assignee = findAssignee(current, assignedTo);
  if (uploads.length > 0 && assignee.assignee === 'agent')
    throw badRequest(
      '"attachments" go to a director, not to an agent',
      'name files that its tools can read in "files"',
    );
  const stored: StoredTask = {
    ...{ title: name, instructions: instructions.trim(), ...assignee, files },
    ...(uploads.length > 0 && { attachments: uploads }),
    ...(dueAt !== undefined && { dueAt: isoTime(due) }),
    createdBy,
  };
  const body = JSON.stringify(redactValue(redactor, stored));
  return {
    id,
    status: 'pending',
    due,
    priority: TASK_PRIORITIES.indexOf(priority),
    run: '',
    at: now,
    body,
  };
}

/** Who works on a task. `NOT_FOUND`; `BAD_REQUEST` where a director and an agent have the id; `CONFIG_INVALID` as in `findSessionAgent`. */
function findAssignee(config: Snapshot, given: string): Pick<StoredTask, 'assignedTo' | 'assignee'> {
  const [, kind, id = ''] = /^(?:(directors|agents)\/)?(.*)$/s.exec(given) ?? [];
  const isDirector = kind !== 'agents' && config.directors.has(id);
  const isAgent = kind !== 'directors' && config.agents.has(id);
  if (isDirector && isAgent)
    throw badRequest(`"${id}" is a director and an agent`, `write directors/${id} or agents/${id}`);
  if (!isDirector && !isAgent) {
    const known = [...config.directors.keys(), ...config.agents.keys()];
    const message = `there is no director or agent "${given.slice(0, 100)}"${didYouMean(id, known)}`;
    throw new EngineError('NOT_FOUND', message, { hint: `directors and agents: ${known.join(', ') || 'none'}` });
  }
  if (isAgent) findSessionAgent(config, id);
  return { assignedTo: id, assignee: isDirector ? 'director' : 'agent' };
}

/** When a task is due, in epoch milliseconds; a day counts from the start of the working hours. `BAD_REQUEST`. */
function dueOf({ settings: { calendar } }: Snapshot, text: string, now: number): number {
  const zone = calendar.timeZone ?? machineZone();
  try {
    const read = parseDayOrTime(text, zone, 'dueAt');
    const due =
      'at' in read ? read.at : DateTime.fromISO(`${read.day}T${calendar.workingHours.start}`, { zone }).toMillis();
    if (due <= DateTime.fromMillis(now).plus({ years: MOST.years }).toMillis()) return due;
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'TOOL_ARGUMENTS') throw error;
    throw badRequest(error.message, 'write 2026-11-25, 2026-11-25T14:00 or 2026-11-25T14:00+01:00');
  }
  throw badRequest(`dueAt: ${text} is more than ${MOST.years} years ahead`);
}

function badRequest(message: string, hint?: string): EngineError {
  return new EngineError('BAD_REQUEST', message, hint === undefined ? {} : { hint });
}
