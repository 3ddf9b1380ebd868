import type { Message } from '../model/model.ts';
import { type StoredEvent, storedEvents } from '../trace/provider-events.ts';
import { EngineError } from '../base/error.ts';
import type { Reader } from '../store/store.ts';
import type { ApprovalRecord } from '../guard/approval.ts';
import type { ApprovalDecision } from '../run/turn/decide-approval.ts';
import { readCall } from '../run/ledger.ts';
import { recordOf, type Run } from '../run/run.ts';
import { readThread, threadOf } from '../run/thread.ts';

/** A recorded thread: its messages with their times (epoch milliseconds), and its provider events. */
export interface RecordedThread {
  readonly id: string;
  /** `''` for the director's thread. */
  readonly agentId: string;
  readonly messages: readonly { readonly at: number; readonly message: Message }[];
  readonly events: readonly StoredEvent[];
}

/** All stored facts that are needed to replay a run without a model. */
export interface Recording {
  readonly run: Run;
  /** The director's thread first, then the agents' threads in the order in which they were opened. */
  readonly threads: readonly RecordedThread[];
  /**
   * Decisions of persons on approvals, in the order of the approvals; `arguments` only where the person changed them.
   */
  readonly decisions: readonly ApprovalDecision[];
}

/**
 * The recording of a director's run. `NOT_FOUND` where there is no such run, `CONFLICT` for a run on a person's
 * message.
 */
export async function readRecording(reader: Reader, runId: string): Promise<Recording> {
  const row = await reader.get('run', { id: runId });
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no run "${runId}"`);
  const { run } = recordOf(row);
  if (run.trigger.kind === 'chat')
    throw new EngineError(
      'CONFLICT',
      `run "${runId}" was a turn in a group chat, and only runs of directors can be played again`,
    );
  if (run.sessionId !== undefined)
    throw new EngineError(
      'CONFLICT',
      `run "${runId}" continues a session, and its recording would lack the earlier messages`,
    );
  if (((await readThread(reader, run.dirThreadId))?.earlier?.count ?? 0) > 0)
    throw new EngineError(
      'CONFLICT',
      `run "${runId}" goes on with a conversation, and its recording would lack the earlier messages`,
    );
  const rows = await reader.list('thread', { where: [['run', '=', runId]], order: [['id', 'asc']] });
  const threads: RecordedThread[] = [];
  for (const { id, agentId = '' } of rows.map(threadOf)) {
    const messages = await reader.list('message', { where: [['thread', '=', id]], order: [['seq', 'asc']] });
    threads.push({
      id,
      agentId,
      messages: messages.map(({ at, body }) => ({ at, message: JSON.parse(body) as Message })),
      events: await storedEvents(reader, id, Number.MAX_SAFE_INTEGER),
    });
  }
  const approvals = await reader.list('approval', { where: [['run', '=', runId]], order: [['id', 'asc']] });
  const records = approvals.map(({ body }) => JSON.parse(body) as ApprovalRecord);
  return {
    run,
    threads: [...threads.filter(({ agentId }) => agentId === ''), ...threads.filter(({ agentId }) => agentId !== '')],
    decisions: (await Promise.all(records.map((record) => decisionOf(reader, record)))).flat(),
  };
}

async function decisionOf(reader: Reader, record: ApprovalRecord): Promise<ApprovalDecision[]> {
  const { status, machine, call, arguments: args, decidedBy: by = '', decisionReason: reason } = record;
  if (status !== 'allowed' && status !== 'denied') return [];
  const isEdited = (await readCall(reader, machine, call))?.edited === true;
  const decision = status === 'allowed' ? 'allow' : 'deny';
  return [{ decision, by, ...(isEdited && { arguments: args }), ...(reason !== undefined && { reason }) }];
}
