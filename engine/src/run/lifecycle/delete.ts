import type { Change, Reader, Row } from '../../store/store.ts';
import { runLogId } from '../../memory/run-log.ts';
import { deleteEntities } from '../../guard/placeholder/entity-rows.ts';
import { deleteUploadsOf } from '../../file/upload/upload-store.ts';
import { leaveConversation } from '../conversation.ts';
import { RETRY_CALL } from '../ledger.ts';
import { removeFromIndex } from '../../search/search.ts';
import { recordOf } from '../run.ts';
import { deleteNotificationsOf } from '../../notification/notification-rows.ts';
import { listItems } from '../../workspace/items.ts';
import { itemRuns } from '../item-runs.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import { readableRows } from '../../store/readable-rows.ts';
import { readThread, type ThreadRecord, unchanged, updateThread } from '../thread.ts';

/**
 * The changes that delete a run and everything that belongs to it alone: machines, timers, ledger, approvals, threads
 * with messages and events, private values, entries, items, changes of files with the versions before them. The last run of a workspace takes all items with it. Of a
 * session that a person opened only the run's provider events are deleted, since later messages build on the earlier
 * ones; the session is deleted with its last run.
 */
export async function deleteRun(reader: Reader, runId: string): Promise<Change[]> {
  const [row] = await reader.list('run', { where: [['id', '=', runId]], bodies: false });
  if (row === undefined) return [];
  const readable = readableRows(reader, () => {});
  const run = await cursorOf(readable, row);
  const changes: Change[] = [
    { op: 'delete', table: 'run', where: { id: runId } },
    ...removeFromIndex('run', runId),
    { op: 'delete', table: 'approval', where: { run: runId } },
    { op: 'delete', table: 'entry', where: { scope: runId } },
    { op: 'delete', table: 'audit', where: { run: runId } },
    { op: 'delete', table: 'lease', where: { run: runId } },
    { op: 'delete', table: 'draftEdit', where: { run: runId } },
    { op: 'delete', table: 'memory', where: { id: runLogId(runId) } },
    { op: 'delete', table: 'fileChange', where: { run: runId } },
    { op: 'delete', table: 'fileVersion', where: { run: runId } },
    { op: 'delete', table: 'objective', where: { id: runId } },
    { op: 'delete', table: 'objectiveThread', where: { objective: runId } },
    { op: 'delete', table: 'followUp', where: { objective: runId } },
    { op: 'delete', table: 'planStep', where: { run: runId } },
    { op: 'delete', table: 'task', where: { run: runId } },
    { op: 'delete', table: 'conversationRun', where: { run: runId } },
    ...deleteEntities(runId),
  ];
  for (const { id } of await reader.list('machine', { where: [['root', '=', runId]], bodies: false })) {
    changes.push({ op: 'delete', table: 'timer', where: { machine: id } });
    changes.push({ op: 'delete', table: 'ledger', where: { machine: id } });
  }
  changes.push({ op: 'delete', table: 'machine', where: { root: runId } });
  changes.push(...(await deleteNotificationsOf(readable, runId)));
  if (run.retryOf !== undefined) changes.push(...(await forgetRetry(readable, run.retryOf)));
  changes.push(...(await deleteUploadsOf(reader, runId)));
  for (const { conversation } of await reader.list('conversationRun', { where: [['run', '=', runId]] }))
    changes.push(...(await leaveConversation(reader, conversation, runId)));
  if (run.sessionId !== undefined)
    return [...changes, ...(await leaveSession(readable, run.sessionId, runId, run.workspaceId))];
  for (const { id } of await reader.list('thread', { where: [['run', '=', runId]], bodies: false })) {
    changes.push({ op: 'delete', table: 'message', where: { thread: id } });
    changes.push({ op: 'delete', table: 'redactedMessage', where: { thread: id } });
    changes.push({ op: 'delete', table: 'event', where: { thread: id } });
  }
  changes.push({ op: 'delete', table: 'thread', where: { run: runId } });
  const { workspaceId } = run;
  if (await isLastOf(readable, workspaceId, runId, row.mail))
    changes.push({ op: 'delete', table: 'item', where: { workspace: workspaceId } });
  else changes.push(...(await deleteOwnItems(readable, workspaceId, runId)));
  return changes;
}

async function deleteOwnItems(reader: Reader, workspace: string, runId: string): Promise<Change[]> {
  const items = await listItems(reader, workspace, { includeDeleted: true });
  const runOf = await itemRuns(reader, items);
  const own = items.filter((item) => runOf(item) === runId);
  return own.map(({ id }) => ({ op: 'delete', table: 'item', where: { workspace, id } }));
}

/** The failed run that the deleted one repeated can be repeated again. */
async function forgetRetry(reader: Reader, failedId: string): Promise<Change[]> {
  const row = await reader.get('run', { id: failedId });
  if (row === undefined) return [];
  const { run, ...rest } = recordOf(row);
  const { retriedBy: _deleted, ...kept } = run;
  return [
    { op: 'delete', table: 'ledger', where: { machine: failedId, call: RETRY_CALL } },
    { op: 'update', table: 'run', key: { id: failedId }, set: { body: JSON.stringify({ run: kept, ...rest }) } },
  ];
}

/**
 * Removes a run from a session that a person opened. Where the session is deleted already, the items go with its first
 * run.
 */
async function leaveSession(reader: Reader, sessionId: string, runId: string, workspaceId: string): Promise<Change[]> {
  const session = await readThread(
    readableRows(reader, () => {}),
    sessionId,
  );
  if (session?.opened === undefined)
    return workspaceId === runId ? [{ op: 'delete', table: 'item', where: { workspace: workspaceId } }] : [];
  const runs = session.opened.runs.filter((id) => id !== runId);
  if (runs.length === 0) return deleteSession(session);
  const atWork = session.runId === runId ? '' : session.runId;
  const events = await reader.list('event', { where: [['thread', '=', sessionId]] });
  const own = events.filter((row) => bodyOf<{ runId: string }>('event', row).runId === runId);
  return [
    updateThread({ ...session, runId: atWork, opened: { ...session.opened, runs } }, unchanged(session)),
    ...own.map(({ seq }): Change => ({ op: 'delete', table: 'event', where: { thread: sessionId, seq } })),
  ];
}

/** The changes that delete a session that a person opened, with its messages, events and items. */
export function deleteSession({ id, workspaceId }: ThreadRecord): Change[] {
  return [
    { op: 'delete', table: 'message', where: { thread: id } },
    { op: 'delete', table: 'redactedMessage', where: { thread: id } },
    ...deleteEntities(id),
    { op: 'delete', table: 'event', where: { thread: id } },
    { op: 'delete', table: 'thread', where: { id } },
    ...(workspaceId === '' ? [] : [{ op: 'delete', table: 'item', where: { workspace: workspaceId } } as const]),
  ];
}

/** Whether no other run uses the workspace. Only runs on the same mail share one. */
async function isLastOf(reader: Reader, workspaceId: string, runId: string, mail: string): Promise<boolean> {
  if (mail === '') return true;
  const others = await reader.list('run', { where: [['mail', '=', mail]], bodies: false });
  for (const row of others)
    if (row.id !== runId && (await cursorOf(reader, row)).workspaceId === workspaceId) return false;
  return true;
}

/** The workspace and the session of a run. A run that cannot be read counts as one with a workspace of its own. */
async function cursorOf(
  reader: Reader,
  { id }: Pick<Row<'run'>, 'id'>,
): Promise<{ readonly workspaceId: string; readonly sessionId?: string; readonly retryOf?: string }> {
  const row = await reader.get('run', { id });
  return row === undefined ? { workspaceId: id } : recordOf(row).run;
}
