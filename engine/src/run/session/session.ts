import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Change, Reader, Store } from '../../store/store.ts';
import { entryChange, lastEntrySeq } from '../../trace/entries.ts';
import { type ApprovalRecord, viewApproval } from '../../guard/approval.ts';
import type { Dependencies } from '../dependencies.ts';
import { recordOf, type Run } from '../run.ts';
import { findSessionAgent } from './session-agent.ts';
import {
  type ConversationThread,
  endThread,
  expiryOf,
  insertThread,
  type PersonSession,
  readThread,
  type ThreadRecord,
  unchanged,
  viewThread,
} from '../thread.ts';
import { bodyOf } from '../../store/damaged-row.ts';

/** A call that waits for a person (seed 002, pending actions): the view of an approval in a session. */
export interface PendingAction {
  /** Id of the approval. */
  readonly id: string;
  /** Name of the tool. */
  readonly type: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly preview: { readonly mimeType: string; readonly data: string };
  readonly reason: string;
  readonly requiresConfirmation: true;
}

/**
 * A session of a person with an agent as the API serves it (seed 002, agent sessions): the agent's thread, the run of
 * the newest message, and what that run waits for.
 */
export interface AgentSession extends ConversationThread {
  readonly agentId: string;
  readonly agentName: string;
  readonly startedBy: string;
  readonly run?: Run;
  readonly waitingFor?: Run['waitingFor'];
  /** While the run waits for a limit: the limit, and when it opens. */
  readonly limit?: string;
  readonly until?: string;
  readonly pendingActions: readonly PendingAction[];
}

/** The stored thread of a session that a person opened. */
export type SessionRecord = ThreadRecord & { readonly agentId: string; readonly opened: PersonSession };

/** Opens a session for a person (`by`: user id). `NOT_FOUND`, `CONFIG_INVALID` as in `findSessionAgent`. */
export async function openSession(deps: Dependencies, agentId: string, by: string): Promise<SessionRecord> {
  const config = deps.config.current();
  const { agent } = findSessionAgent(config, agentId);
  const now = deps.clock.now();
  const record: SessionRecord = {
    id: deps.ids.next('th'),
    kind: 'agent',
    runId: '',
    workspaceId: '',
    directorId: '',
    agentId,
    status: 'ongoing',
    finalized: false,
    createdAt: isoTime(now),
    idleMs: config.settings.sessionTimeoutMinutes * 60_000,
    opened: { by, agentName: agent.name, idleSince: now, runs: [] },
  };
  await deps.store.apply([insertThread(record)]);
  return record;
}

/** The session of this id. `SESSION_NOT_FOUND`, also for a session that a director opened. */
export async function readSession(reader: Reader, id: string): Promise<SessionRecord> {
  const record = await readThread(reader, id);
  if (record !== undefined && isSession(record)) return record;
  throw new EngineError('SESSION_NOT_FOUND', `there is no session "${id}"`, {
    hint: 'POST /api/agents/:id/sessions opens one',
  });
}

/** Whether a thread is a session that a person opened. */
export function isSession(record: ThreadRecord): record is SessionRecord {
  return record.opened !== undefined;
}

/** A session as the API serves it; lists leave `messages` out. */
export async function viewSession(
  { store, clock }: Pick<Dependencies, 'store' | 'clock'>,
  record: SessionRecord,
  options: { messages: boolean },
): Promise<AgentSession> {
  const thread = await viewThread(store, record, { ...options, now: clock.now() });
  const run = await newestRun(store, record);
  const { waitingFor, limit, until } = run ?? {};
  const pending = waitingFor === 'approval' && run !== undefined ? await pendingActions(store, run.id) : [];
  return {
    ...thread,
    agentId: record.agentId,
    agentName: record.opened.agentName,
    startedBy: record.opened.by,
    ...(run !== undefined && { run }),
    ...(waitingFor !== undefined && { waitingFor }),
    ...(limit !== undefined && { limit }),
    ...(until !== undefined && { until }),
    pendingActions: pending,
  };
}

/** The run of the newest message; undefined before the first message, and where a person has deleted the run. */
async function newestRun(store: Store, { opened }: SessionRecord): Promise<Run | undefined> {
  const row = await store.get('run', { id: opened.runs.at(-1) ?? '' });
  return row === undefined ? undefined : recordOf(row).run;
}

/** Calls of a run that wait for a person, oldest first. */
export async function pendingActions(reader: Reader, runId: string): Promise<PendingAction[]> {
  const rows = await reader.list('approval', { where: [['run', '=', runId]], order: [['id', 'asc']] });
  return rows
    .filter(({ status }) => status === 'pending')
    .map((row) => viewApproval(bodyOf<ApprovalRecord>('approval', row)))
    .map(({ id, tool: type, arguments: args, preview, reason }) => ({
      ...{ id, type, arguments: args, preview, reason },
      requiresConfirmation: true,
    }));
}

/**
 * Ends a session in which no run works: `completed` by the person, or `expired`. `STORE_CONFLICT` where a message
 * arrived since the session was read.
 */
export async function endSession(
  { store, clock, redactor }: Dependencies,
  record: SessionRecord,
  status: 'completed' | 'expired',
): Promise<void> {
  const { id, agentId, opened } = record;
  const at = status === 'expired' ? expiryOf(record) : clock.now();
  const changes: Change[] = [endThread(record, status, at, unchanged(record))];
  const last = opened.runs.at(-1);
  if (last !== undefined && (await store.get('run', { id: last })) !== undefined) {
    const agent = { id: agentId, name: opened.agentName, threadId: id };
    const entry = { phase: 'agent' as const, agent, detail: { action: `session_${status}`, sessionId: id } };
    changes.push(entryChange(last, (await lastEntrySeq(store, last)) + 1, clock.now(), entry, redactor));
  }
  await store.apply(changes);
}
