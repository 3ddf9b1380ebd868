import { EngineError } from '../../base/error.ts';
import { mailOf, readMailRow } from '../../mail/mail-store.ts';
import type { Change, Reader } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { intendedRetry, type LedgerRow, listCalls, readCall, RETRY_CALL } from '../ledger.ts';
import { liveRunFields, recordOf, type Run, type RunRecord, updateRun } from '../run.ts';
import { createRun, type TriggerMail } from './create.ts';

/** Attempts to store a retry while other processes change the same rows. */
const MAX_CONFLICTS = 3;

/**
 * Repeats a failed run: a new queued run of the same director on the same trigger, under the newest config, in the
 * workspace of the mail. A run is repeated once: a second call returns the run that repeats it, with `isNew` false.
 * `NOT_FOUND` where the run, its director or its mail is gone, `RUN_NOT_FAILED`, and `CONFLICT` for a message of a
 * session, which a person sends again. The caller tells the engine (`queued`) about a new run.
 */
export async function retryRun(deps: Dependencies, runId: string): Promise<{ run: Run; isNew: boolean }> {
  for (let conflicts = 0; ; conflicts++) {
    const record = await readFailed(deps.store, runId);
    const known = await repeaterOf(deps.store, runId);
    if (known !== undefined) return { run: known, isNew: false };
    const { run, changes } = await createRetry(deps, record);
    const { change } = updateRun(record, { retriedBy: run.id }, deps.clock.now());
    try {
      await deps.store.apply([intendedRetry(runId, run.id), change, ...changes]);
    } catch (error) {
      // Another request or process repeated the run, or stored the same revision.
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || conflicts >= MAX_CONFLICTS) throw error;
      continue;
    }
    deps.live.publish('run', liveRunFields(record.run));
    deps.live.publish('run', liveRunFields(run));
    return { run, isNew: true };
  }
}

async function readFailed(reader: Reader, runId: string): Promise<RunRecord> {
  const row = await reader.get('run', { id: runId });
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no run "${runId}"`);
  const record = recordOf(row);
  const { status, sessionId } = record.run;
  if (status !== 'failed')
    throw new EngineError('RUN_NOT_FAILED', `run "${runId}" is ${status}: only a failed run can be repeated`, {
      hint: 'start a new run on the same mail or message instead',
    });
  if (sessionId !== undefined)
    throw new EngineError('CONFLICT', `run "${runId}" answered a message of session "${sessionId}"`, {
      hint: 'send the message again in the session',
    });
  return record;
}

/** The run that repeats a run, or undefined. */
async function repeaterOf(reader: Reader, runId: string): Promise<Run | undefined> {
  const noted = (await readCall(reader, runId, RETRY_CALL))?.arguments['runId'];
  const row = typeof noted === 'string' ? await reader.get('run', { id: noted }) : undefined;
  return row && recordOf(row).run;
}

async function createRetry(deps: Dependencies, record: RunRecord): Promise<{ run: Run; changes: Change[] }> {
  const { id, directorId, trigger, emailId, filterId, workspaceId } = record.run;
  const doneBefore = await writesOf(deps, record.run);
  return createRun(deps, {
    config: deps.config.current(),
    directorId,
    trigger,
    startedBy: 'user',
    retry: { retryOf: id, ...(doneBefore.length > 0 && { doneBefore }) },
    ...(filterId !== undefined && { filterId }),
    ...(emailId !== undefined && { mail: await triggerMail(deps.store, id, emailId), workspaceId }),
  });
}

async function triggerMail(reader: Reader, runId: string, emailId: string): Promise<TriggerMail> {
  const row = await readMailRow(reader, emailId);
  if (row === undefined) throw new EngineError('NOT_FOUND', `the mail of run "${runId}" was deleted`);
  const { accountId, subject, date, from } = mailOf(row).summary;
  return { id: emailId, accountId, subject, date, from: from[0]?.address ?? '' };
}

/**
 * Names of the tools with which a run and those that it repeats have changed the world, or may have: in a retry each
 * call of one of them waits for a person.
 */
async function writesOf(
  { store, tools, config }: Dependencies,
  { id, doneBefore = [] }: Run,
): Promise<readonly string[]> {
  const machines = await store.list('machine', { where: [['root', '=', id]], bodies: false });
  const calls = await listCalls(
    store,
    machines.map((machine) => machine.id),
  );
  const registry = tools.of(config.current());
  const isWrite = (name: string) => registry.get(name)?.effects === 'write';
  const written = calls.filter((call) => isWrite(call.tool) && mayHaveHappened(call)).map(({ tool }) => tool);
  return [...new Set([...doneBefore, ...written])].sort();
}

/** Whether a call of a run that is over had its effect, or nobody knows. */
function mayHaveHappened({ state, isUnsure = false, error }: LedgerRow): boolean {
  const isKnown = state === 'failed' || state === 'denied' || state === 'cancelled';
  return !isKnown || isUnsure || error?.code === 'TOOL_OUTCOME_UNKNOWN';
}
