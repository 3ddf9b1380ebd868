import type { Change, Reader } from '../store/store.ts';

/**
 * The changes that delete a run with all that belongs to it alone: machines, timers, ledger, approvals, threads with
 * messages and events, entries. Its items go too unless another run works in the same workspace.
 */
export async function forgetRun(reader: Reader, runId: string): Promise<Change[]> {
  const row = await reader.get('run', { id: runId });
  if (row === undefined) return [];
  const { run } = JSON.parse(row.body) as { run: { workspaceId: string } };
  const changes: Change[] = [
    { op: 'delete', table: 'run', where: { id: runId } },
    { op: 'delete', table: 'approval', where: { run: runId } },
    { op: 'delete', table: 'entry', where: { scope: runId } },
    { op: 'delete', table: 'lease', where: { run: runId } },
  ];
  for (const { id } of await reader.list('machine', { where: [['root', '=', runId]], bodies: false })) {
    changes.push({ op: 'delete', table: 'timer', where: { machine: id } });
    changes.push({ op: 'delete', table: 'ledger', where: { machine: id } });
  }
  changes.push({ op: 'delete', table: 'machine', where: { root: runId } });
  for (const { id } of await reader.list('thread', { where: [['run', '=', runId]], bodies: false })) {
    changes.push({ op: 'delete', table: 'message', where: { thread: id } });
    changes.push({ op: 'delete', table: 'event', where: { thread: id } });
  }
  changes.push({ op: 'delete', table: 'thread', where: { run: runId } });
  if (await isLastOf(reader, run.workspaceId, runId, row.mail))
    changes.push({ op: 'delete', table: 'item', where: { workspace: run.workspaceId } });
  return changes;
}

/** Runs that share a workspace are runs on the same mail. */
async function isLastOf(reader: Reader, workspaceId: string, runId: string, mail: string): Promise<boolean> {
  if (mail === '') return true;
  const others = await reader.list('run', { where: [['mail', '=', mail]] });
  return !others.some(
    (row) =>
      row.id !== runId && (JSON.parse(row.body) as { run: { workspaceId: string } }).run.workspaceId === workspaceId,
  );
}
