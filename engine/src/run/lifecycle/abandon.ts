import { isoTime } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Message } from '../../model/model.ts';
import { lapse } from '../turn/drop-calls.ts';
import { mark, openCalls } from '../ledger.ts';
import { OPEN_STATUSES, summarise } from '../run.ts';
import type { Step } from '../step/step.ts';
import { leaveThread, threadOf } from '../thread.ts';

/**
 * Whether an error says that machines of a run cannot be read: another version wrote them, or their rows are damaged.
 */
export function isUnreadable(error: unknown): error is EngineError {
  const codes: readonly string[] = ['MACHINE_VERSION', 'STORE_DAMAGED', 'STORE_TAMPERED'];
  return error instanceof EngineError && codes.includes(error.code);
}

/**
 * Cancels a run whose machines cannot be read, when a person cancels it. All its machines, timers, open calls and
 * threads are closed, its results stay, and each open call in a transcript gets an error as its answer.
 * `RUN_NOT_ACTIVE` where the run is over.
 */
export async function abandonRun(step: Step, cause: EngineError): Promise<void> {
  const { draft, now } = step;
  const { id, status } = step.runState.record.run;
  if (!OPEN_STATUSES.some((open) => open === status))
    throw new EngineError('RUN_NOT_ACTIVE', `run "${id}" is ${status} already`);
  for (const machine of await draft.list('machine', { where: [['root', '=', id]] })) {
    if (machine.status !== 'done')
      draft.append({ op: 'update', table: 'machine', key: { id: machine.id }, set: { status: 'done' } });
    draft.append({ op: 'delete', table: 'timer', where: { machine: machine.id } });
    for (const row of await openCalls(draft, machine.id)) {
      await mark(draft, row, 'cancelled', { error: UNKNOWN });
      if (row.approvalId !== undefined) await lapse(step, row.approvalId);
    }
  }
  for (const row of await draft.list('thread', { where: [['run', '=', id]] })) {
    if (row.status !== 'ongoing') continue;
    for (const callId of unanswered(await step.runState.transcript(row.id)))
      await step.append(row.id, { role: 'tool', tool_call_id: callId, content: JSON.stringify({ error: UNKNOWN }) });
    draft.append(leaveThread(threadOf(row), 'failed', now));
  }
  const { code, message } = errorBody(cause);
  const error = { code, message: `cancelled; the run could not be read: ${message}` };
  step.patchRun({ status: 'cancelled', summary: summarise(error.message), error, endedAt: isoTime(now) });
  const phase = step.runState.record.run.agentId === undefined ? 'director' : 'agent';
  step.entry({ phase, detail: { action: `${phase}_cancelled` }, error });
}

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
