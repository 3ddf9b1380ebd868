import { isoTime } from '../../base/clock.ts';
import { EngineError, type ErrorBody, errorBody } from '../../base/error.ts';
import type { Message } from '../../model/model.ts';
import { lapse } from '../turn/drop-calls.ts';
import { type LedgerState, mark, readCall } from '../ledger.ts';
import { OPEN_STATUSES, summarise } from '../run.ts';
import { isDamage } from '../../store/damaged-row.ts';
import type { Step } from '../step/step.ts';
import { leaveThread, readThread } from '../thread.ts';

/** How a run that cannot be read ends: a person cancels it, or the engine cannot go on with it. */
export type CloseStatus = 'cancelled' | 'failed';

/**
 * Ends a run whose machines cannot be read. All its machines, timers, open calls and threads are closed, its results
 * stay, and each open call in a transcript gets an error as its answer, unless the transcript is damaged too. Rows that
 * cannot be read keep their bodies. `RUN_NOT_ACTIVE` where the run is over.
 */
export async function abandonRun(step: Step, cause: EngineError, status: CloseStatus): Promise<void> {
  const { draft, now } = step;
  const { record } = step.runState;
  const { id } = record.run;
  if (!OPEN_STATUSES.some((open) => open === record.run.status))
    throw new EngineError('RUN_NOT_ACTIVE', `run "${id}" is ${record.run.status} already`);
  for (const machine of await draft.list('machine', { where: [['root', '=', id]], bodies: false })) {
    if (machine.status !== 'done')
      draft.append({ op: 'update', table: 'machine', key: { id: machine.id }, set: { status: 'done' } });
    draft.append({ op: 'delete', table: 'timer', where: { machine: machine.id } });
    await cancelCalls(step, machine.id);
  }
  for (const { id: threadId } of await draft.list('thread', {
    where: [
      ['run', '=', id],
      ['status', '=', 'ongoing'],
    ],
    bodies: false,
  }))
    await closeThread(step, threadId);
  const error = closeError(cause, status);
  step.patchRun({ status, summary: summarise(error.message), error, endedAt: isoTime(now) });
  const phase = record.run.agentId === undefined ? 'director' : 'agent';
  step.entry({ phase, detail: { action: `${phase}_${status}` }, error });
}

/** The error of a run that cannot be read. */
export function closeError(cause: EngineError, status: CloseStatus): ErrorBody {
  const { code, message } = errorBody(cause);
  return { code, message: `${status}; the run could not be read: ${message}` };
}

async function cancelCalls(step: Step, machine: string): Promise<void> {
  const rows = await step.draft.list('ledger', {
    where: [['machine', '=', machine]],
    onDamaged: () => {},
    bodies: false,
  });
  for (const { call, state } of rows) {
    if (!OPEN_CALLS.some((open) => open === state)) continue;
    const row = await readCall(step.draft, machine, call).catch(ifDamaged);
    if (row === undefined) {
      step.draft.append({ op: 'update', table: 'ledger', key: { machine, call }, set: { state: 'cancelled' } });
      continue;
    }
    await mark(step.draft, row, 'cancelled', { error: UNKNOWN });
    if (row.approvalId !== undefined) await lapse(step, row.approvalId).catch(ifDamaged);
  }
}

async function closeThread(step: Step, threadId: string): Promise<void> {
  const messages = await step.runState.transcript(threadId).catch(ifDamaged);
  for (const callId of unanswered(messages ?? []))
    await step.append(threadId, { role: 'tool', tool_call_id: callId, content: JSON.stringify({ error: UNKNOWN }) });
  const record = await readThread(step.draft, threadId).catch(ifDamaged);
  if (record !== undefined) step.draft.append(leaveThread(record, 'failed', step.now));
  else step.draft.append({ op: 'update', table: 'thread', key: { id: threadId }, set: { status: 'failed' } });
}

/** Undefined for a row that cannot be read; rethrows all other errors. */
function ifDamaged(error: unknown): undefined {
  if (!isDamage(error)) throw error;
}

const OPEN_CALLS: readonly LedgerState[] = ['intended', 'started', 'ambiguous'];

const UNKNOWN = {
  code: 'TOOL_OUTCOME_UNKNOWN',
  message: 'the run was closed before this call was answered: it may or may not have had its effect',
};

/** Ids of the tool calls in the last model answer that have no tool message. */
function unanswered(messages: readonly Message[]): string[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const last = messages[at];
  if (last?.role !== 'assistant') return [];
  const answered = new Set(messages.slice(at).flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : [])));
  return (last.tool_calls ?? []).map(({ id }) => id).filter((id) => !answered.has(id));
}
