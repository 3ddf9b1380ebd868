import type { Message } from '../model/model.ts';
import { type StoredEvent, storedEvents } from '../trace/provider-events.ts';
import { EngineError } from '../base/error.ts';
import type { Reader } from '../store/store.ts';
import type { ApprovalRecord } from '../guard/approval.ts';
import type { ApprovalDecision } from '../run/turn/decide-approval.ts';
import { readCall } from '../run/ledger.ts';
import { recordOf, type Run } from '../run/run.ts';
import { threadOf } from '../run/thread.ts';

/** A thread as it was: what was said, when, and what models were asked. */
export interface RecordedThread {
  readonly id: string;
  /** `''` for the director's. */
  readonly agentId: string;
  readonly messages: readonly { readonly at: number; readonly message: Message }[];
  readonly events: readonly StoredEvent[];
}

/** All that is needed to play a run again without a model: nothing but what is stored. */
export interface Recording {
  readonly run: Run;
  /** The director's first, then the agents' as they were opened. */
  readonly threads: readonly RecordedThread[];
  /** What persons decided, in the order in which it was asked; `arguments` only where they changed them. */
  readonly decisions: readonly ApprovalDecision[];
}

/** The recording of a director's run. `NOT_FOUND` where there is no such run, `CONFLICT` for one on a person's message. */
export async function readRecording(reader: Reader, runId: string): Promise<Recording> {
  const row = await reader.get('run', { id: runId });
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no run "${runId}"`);
  const { run } = recordOf(row);
  if (run.sessionId !== undefined)
    throw new EngineError(
      'CONFLICT',
      `run "${runId}" builds on earlier messages of its session, which are no part of it`,
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
