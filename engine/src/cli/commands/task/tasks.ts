import type { Page } from '../../../api/http/paging.ts';
import type { Schedule } from '../../../task/schedule.ts';
import type { Task } from '../../../task/task.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { findId } from '../../find-id.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { formatTable, oneLine, plain } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { withApi, withRows } from '../../with-api.ts';
import { readAttachments, uploadFiles } from '../run/attach.ts';

/** Largest page of the API. */
const MAX_PAGE = 200;

interface AddOptions {
  readonly to: string;
  readonly instructions?: string;
  readonly file: readonly string[];
  readonly attach?: readonly string[];
  readonly due?: string;
  readonly priority: string;
}

/** `tasks add <title>`: adds a task. Without a running server it starts at the next start. */
export async function addTask(
  context: CommandContext,
  { to, instructions, file, attach = [], due, priority }: AddOptions,
  [title = '']: readonly string[],
): Promise<number> {
  const given = await readAttachments(context.terminal.cwd, attach);
  const body = {
    ...{ title, assignedTo: to, priority },
    ...(instructions !== undefined && { instructions }),
    ...(file.length > 0 && { files: file }),
    ...(due !== undefined && { dueAt: due }),
  };
  const { task, isLive } = await withApi(context, { isDriving: false }, async (client) => ({
    task: await client.request<Task>('POST', '/api/tasks', {
      body: { ...body, attachments: await uploadFiles(client, given) },
    }),
    isLive: client.isLive,
  }));
  if (context.isJson) context.print(task);
  else context.say(`task ${task.id} for ${task.assignee} ${task.assignedTo}: ${whenOf(task, isLive)}`);
  return EXIT.fine;
}

function whenOf({ dueAt }: Task, isLive: boolean): string {
  const when = dueAt === undefined ? 'starts now' : `starts at ${timeOf(dueAt)}`;
  return isLive ? when : `${dueAt === undefined ? 'starts' : when}, with the next callsheet start`;
}

interface ListOptions {
  readonly status?: string;
  readonly to?: string;
}

/** `tasks list`: prints tasks, then schedules with their next start. */
export async function listTasks(context: CommandContext, { status, to }: ListOptions): Promise<number> {
  const query = new URLSearchParams({
    limit: String(MAX_PAGE),
    ...(status !== undefined && { status }),
    ...(to !== undefined && { assignedTo: to }),
  });
  const { page, schedules } = await withApi(context, { isDriving: false }, async (client) => ({
    page: await client.request<Page<Task>>('GET', `/api/tasks?${query}`),
    schedules: (await client.request<Page<Schedule>>('GET', '/api/schedules')).items,
  }));
  const wanted = schedules.filter(({ directorId }) => to === undefined || directorId === to);
  if (context.isJson) {
    context.print({ ...page, schedules: wanted });
    return EXIT.fine;
  }
  const width = widthOf(context.terminal);
  if (page.items.length === 0) context.say('no tasks');
  else context.terminal.out(formatTasks(page.items, width));
  if (page.nextCursor !== null) context.say(`only the newest ${MAX_PAGE} tasks are listed`);
  if (wanted.length > 0 && page.items.length > 0) context.terminal.out('\n');
  if (wanted.length > 0) context.terminal.out(formatSchedules(wanted, width));
  return EXIT.fine;
}

function formatTasks(tasks: readonly Task[], width: number): string {
  const ids = shortIds(tasks.map(({ id }) => id));
  const rows = tasks.map((task) => [
    ids.get(task.id) ?? task.id,
    statusOf(task),
    task.priority,
    timeOf(task.dueAt ?? task.createdAt),
    task.assignedTo,
    oneLine(task.title),
  ]);
  return formatTable(
    ['ID', 'STATUS', 'PRIORITY', 'DUE', { head: 'ASSIGNED TO', cut: 2 }, { head: 'TITLE', cut: 1, min: 20 }],
    rows,
    width,
  );
}

function formatSchedules(schedules: readonly Schedule[], width: number): string {
  const rows = schedules.map(({ directorId, cron, timeZone, nextAt, message }) => [
    nextAt === undefined ? 'never' : timeOf(nextAt),
    directorId,
    `${cron} (${timeZone})`,
    oneLine(message),
  ]);
  return formatTable(
    ['NEXT', { head: 'DIRECTOR', cut: 2 }, { head: 'SCHEDULE', cut: 2 }, { head: 'MESSAGE', cut: 1, min: 20 }],
    rows,
    width,
  );
}

function statusOf({ status, waitingFor }: Task): string {
  return waitingFor === undefined ? status : `${status} (${waitingFor})`;
}

/** To the minute, in UTC. */
function timeOf(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`;
}

/** `tasks show <id>`: prints a task and its result. Exit 1 for a failed task, 3 for one that waits for a person. */
export async function showTask(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const task = await withRows(context, async (client) =>
    client.request<Task>('GET', path`/api/tasks/${await findId(client, 'task', given)}`),
  );
  if (context.isJson) context.print(task);
  else context.terminal.out(formatTask(task));
  if (task.waitingFor === 'approval' || task.waitingFor === 'answer') return EXIT.person;
  return task.status === 'failed' ? EXIT.warning : EXIT.fine;
}

function formatTask(task: Task): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['task', task.id],
    ['title', oneLine(task.title)],
    ['assigned to', `${task.assignee} ${task.assignedTo}`],
    ['status', statusOf(task)],
    ['priority', task.priority],
    ['due', timeOf(task.dueAt ?? task.createdAt)],
    ['run', task.runId],
    ['session', task.sessionId],
    ['started', task.startedAt && timeOf(task.startedAt)],
    ['ended', task.endedAt && timeOf(task.endedAt)],
    ['files', task.files.length === 0 ? undefined : oneLine(task.files.join(', '))],
    ['attached', task.attachments && oneLine(task.attachments.map(({ name }) => name).join(', '))],
    ['error', task.error && oneLine(`${task.error.message} (${task.error.code})`)],
    ['result', task.error === undefined && task.summary !== undefined ? oneLine(task.summary) : undefined],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [`${`${name}:`.padEnd(13)}${value}\n`]));
  return lines.join('') + (task.instructions === '' ? '' : `\n${plain(task.instructions)}\n`);
}

/** `tasks cancel <id>` */
export async function cancelTask(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const task = await withApi(context, { isDriving: false }, async (client) =>
    client.request<Task>('POST', path`/api/tasks/${await findId(client, 'task', given)}/cancel`),
  );
  if (context.isJson) context.print(task);
  else context.say(`cancelled: ${oneLine(task.title)}`);
  return EXIT.fine;
}

/** `tasks retry <id>` */
export async function retryTask(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const { task, isLive } = await withApi(context, { isDriving: false }, async (client) => ({
    task: await client.request<Task>('POST', path`/api/tasks/${await findId(client, 'task', given)}/retry`),
    isLive: client.isLive,
  }));
  if (context.isJson) context.print(task);
  else context.say(`again: ${oneLine(task.title)}${isLive ? '' : ', with the next callsheet start'}`);
  return EXIT.fine;
}
