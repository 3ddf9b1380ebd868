import { EngineError } from '../../base/error.ts';
import { mailOf, readMailRow } from '../../mail/mail-store.ts';
import type { Change, Reader } from '../../store/store.ts';
import type { Snapshot } from '../../config/config.ts';
import { passUploads } from '../../file/upload/upload-store.ts';
import { joinConversation, type JoinedConversation } from '../conversation/join-conversation.ts';
import type { Dependencies } from '../dependencies.ts';
import { intendedRetry, type LedgerRow, listCalls, readCall, RETRY_CALL } from '../ledger.ts';
import { liveRunFields, recordOf, type Run, type RunRecord, updateRun } from '../run.ts';
import { taskChange } from '../task-row.ts';
import { createRun, directorOf, type TriggerMail } from './create.ts';

/** Attempts to store a retry while other processes change the same rows. */
const MAX_CONFLICTS = 3;

/**
 * Repeats a failed run: a new queued run of the same director on the same trigger, under the newest config, in the
 * workspace of the mail. A run is repeated once: a second call returns the run that repeats it, with `isNew` false.
 * `NOT_FOUND` where the run, its director or its mail is gone, `RUN_NOT_FAILED`, and `CONFLICT` for a message of a
 * session, which a person sends again. `startedBy` is the id of that person. The caller tells the engine (`queued`) about a new run.
 */
export async function retryRun(
  deps: Dependencies,
  runId: string,
  startedBy: string,
): Promise<{ run: Run; isNew: boolean }> {
  for (let conflicts = 0; ; conflicts++) {
    const record = await readFailed(deps.store, runId);
    const known = await repeaterOf(deps.store, runId);
    if (known !== undefined) return { run: known, isNew: false };
    const { run, changes } = await repeatChanges(deps, record, startedBy);
    try {
      await deps.store.apply([...changes, ...(await taskChange(deps.store, run, runId))]);
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

/** A new run that repeats one that is over, once, as changes. `NOT_FOUND` where the director or the mail is gone. */
export async function repeatChanges(
  deps: Dependencies,
  record: RunRecord,
  startedBy: string,
): Promise<{ run: Run; changes: Change[] }> {
  const { run, changes } = await createRetry(deps, record, startedBy);
  const { changes: update } = updateRun(record, { retriedBy: run.id }, deps.clock.now());
  return { run, changes: [intendedRetry(record.run.id, run.id), ...update, ...changes] };
}

async function readFailed(reader: Reader, runId: string): Promise<RunRecord> {
  const row = await reader.get('run', { id: runId });
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no run "${runId}"`);
  const record = recordOf(row);
  const { status, sessionId, trigger } = record.run;
  if (status !== 'failed')
    throw new EngineError('RUN_NOT_FAILED', `run "${runId}" is ${status}: only a failed run can be repeated`, {
      hint: 'start a new run on the same mail or message instead',
    });
  if (trigger.kind === 'chat')
    throw new EngineError('CONFLICT', `run "${runId}" was a turn in a group chat`, {
      hint: 'have the participant speak again in the chat',
    });
  if (sessionId !== undefined)
    throw new EngineError('CONFLICT', `run "${runId}" answered a message of session "${sessionId}"`, {
      hint: 'send the message again in the session',
    });
  return record;
}

/** The run that repeats a run, or undefined. */
export async function repeaterOf(reader: Reader, runId: string): Promise<Run | undefined> {
  const noted = (await readCall(reader, runId, RETRY_CALL))?.arguments['runId'];
  const row = typeof noted === 'string' ? await reader.get('run', { id: noted }) : undefined;
  return row && recordOf(row).run;
}

async function createRetry(
  deps: Dependencies,
  record: RunRecord,
  startedBy: string,
): Promise<{ run: Run; changes: Change[] }> {
  const { id, directorId, trigger, emailId, filterId, workspaceId } = record.run;
  // A program's message does not become a person's by being repeated.
  const message = trigger.kind !== 'mail' ? { by: trigger.by ?? record.run.startedBy } : {};
  const doneBefore = await writesOf(deps, record.run);
  const config = deps.config.current();
  const conversation = await conversationOf(deps, config, record.run);
  const { run, changes } = await createRun(deps, {
    config,
    directorId,
    conversationId: conversation?.id,
    attachments: record.run.attachments,
    trigger: { ...trigger, ...message },
    startedBy,
    retry: { retryOf: id, ...(doneBefore.length > 0 && { doneBefore }) },
    ...(filterId !== undefined && { filterId }),
    ...(emailId !== undefined && { mail: await triggerMail(deps.store, id, emailId), workspaceId }),
  });
  const files = await passUploads(deps.store, id, run.id);
  return { run, changes: [...changes, ...(conversation?.changes(run.id) ?? []), ...files] };
}

/** The conversation of a failed run: its question is asked again there. `CONFLICT` while another question is answered. */
async function conversationOf(
  deps: Dependencies,
  config: Snapshot,
  { conversationId, directorId, trigger, startedBy }: Run,
): Promise<JoinedConversation | undefined> {
  if (conversationId === undefined) return undefined;
  const { name } = directorOf(config, directorId);
  const question = { directorId, directorName: name, message: trigger.message ?? '', startedBy };
  return joinConversation(deps, { ...question, conversationId });
}

async function triggerMail(reader: Reader, runId: string, emailId: string): Promise<TriggerMail> {
  const row = await readMailRow(reader, emailId);
  if (row === undefined) throw new EngineError('NOT_FOUND', `the mail of run "${runId}" was deleted`);
  const { accountId, threadId, subject, date, from } = mailOf(row).summary;
  return { id: emailId, accountId, threadId, subject, date, from: from[0]?.address ?? '' };
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
