import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { addToIndex } from '../../search/search.ts';
import { isDamage } from '../../store/damaged-row.ts';
import type { Change, Reader } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { StepRunner } from './step-runner.ts';
import type { LeaseMode } from '../lease.ts';
import { OPEN_STATUSES, recordOf, type RunRecord, summarise, updateRun } from '../run.ts';
import { abandonRun, closeError, type CloseStatus } from '../lifecycle/abandon.ts';
import { isUnreadable } from '../lifecycle/unreadable.ts';

/** What `closeUnreadable` ends, and why. */
export interface UnreadableRun {
  readonly runId: string;
  readonly cause: EngineError;
  readonly status: CloseStatus;
  readonly mode?: LeaseMode;
}

/**
 * Ends a run of which rows cannot be read: in a step as long as the run and its config can be read, else row by row
 * without one. `NOT_FOUND`, `RUN_NOT_ACTIVE` where it is over, `STORE_FAILED`.
 */
export async function closeUnreadable(
  deps: Dependencies,
  stepRunner: StepRunner,
  { runId, cause, status, mode = 'command' }: UnreadableRun,
): Promise<void> {
  try {
    await stepRunner.run(runId, (step) => abandonRun(step, cause, status), mode);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await deps.store.apply(await closingChanges(deps, { runId, cause, status }));
    stepRunner.closed(runId, status);
    deps.log.warn('a run that cannot be read was closed', { run: runId, status, code: error.code });
    deps.live.publish('run', { id: runId, status });
  }
}

/** The changes that close all rows of a run. The lease goes, so that no step that began before can be committed. */
async function closingChanges(deps: Dependencies, { runId, cause, status }: UnreadableRun): Promise<Change[]> {
  const { store, clock } = deps;
  const [row] = await store.list('run', { where: [['id', '=', runId]], bodies: false });
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no run "${runId}"`);
  if (!OPEN_STATUSES.some((open) => open === row.status))
    throw new EngineError('RUN_NOT_ACTIVE', `run "${runId}" is ${row.status} already`);
  const record = await readRecord(store, runId);
  const now = clock.now();
  const error = closeError(cause, status);
  const end = { status, summary: summarise(error.message), error, endedAt: isoTime(now) };
  const run: Change[] =
    record === undefined
      ? [{ op: 'update', table: 'run', key: { id: runId }, set: { status } }, addToIndex('run', runId, true)]
      : updateRun(record, end, now).changes;
  const list = async (table: 'approval' | 'thread', open: string, closed: string): Promise<Change[]> => {
    const where = [
      ['run', '=', runId],
      ['status', '=', open],
    ] as const;
    const rows = await store.list(table, { where, bodies: false });
    return rows.map(({ id }) => ({ op: 'update', table, key: { id }, set: { status: closed } }));
  };
  const machines = await store.list('machine', { where: [['root', '=', runId]], bodies: false });
  return [
    ...run,
    ...machines.flatMap(({ id }): Change[] => [
      { op: 'update', table: 'machine', key: { id }, set: { status: 'done' } },
      { op: 'delete', table: 'timer', where: { machine: id } },
    ]),
    ...(await list('approval', 'pending', 'lapsed')),
    ...(await list('thread', 'ongoing', 'failed')),
    { op: 'delete', table: 'lease', where: { run: runId } },
  ];
}

async function readRecord(reader: Reader, runId: string): Promise<RunRecord | undefined> {
  try {
    const row = await reader.get('run', { id: runId });
    return row === undefined ? undefined : recordOf(row);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}
