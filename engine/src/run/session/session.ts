import { isoTime } from '../../base/clock.ts';
import { EngineError, type ErrorBody } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import type { Change, Reader } from '../../store/store.ts';
import { entryChange, lastEntrySeq } from '../../trace/entries.ts';
import { type ApprovalRecord, viewApproval } from '../../guard/approval.ts';
import type { Dependencies } from '../dependencies.ts';
import { viewRun } from '../lifecycle/view-run.ts';
import { recordOf, type Run } from '../run.ts';
import { addMetrics, filesModifiedBy, type SessionMetrics } from '../session-metrics.ts';
import { findSessionAgent } from './session-agent.ts';
import {
  type ConversationThread,
  endThread,
  expiryOf,
  insertThread,
  type MessageSpan,
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
 * `pending`: nothing was said yet. `running`: the agent works on the newest message, or waits for a person or a limit. `completed`,
 * `failed`, `cancelled`: how that work ended; the session takes the next message unless it was ended. `expired`: it takes none.
 */
export type SessionStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';

/**
 * A session of a person with an agent as the API serves it (seed 002, agent sessions): the agent's thread, the run of
 * the newest message, and what that run waits for.
 */
export interface AgentSession extends Omit<ConversationThread, 'status'>, SessionMetrics {
  readonly status: SessionStatus;
  /** Status of the thread: `ongoing` while the session takes messages. */
  readonly threadStatus: ConversationThread['status'];
  readonly agentId: string;
  readonly agentName: string;
  readonly startedBy: string;
  /** The task that it works on. */
  readonly taskId?: string;
  /** The messages that came from prompts and that nobody said: instructions, examples and memories. */
  readonly prompts?: readonly MessageSpan[];
  /** Why the work on the newest message failed. */
  readonly error?: ErrorBody;
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
  const record = newSession(deps, agentId, { by });
  await deps.store.apply([insertThread(record)]);
  return record;
}

/** Whose session is opened, and what for. */
export interface NewSession {
  readonly by: string;
  readonly taskId?: string;
  /** The chat whose turn it is. */
  readonly chatId?: string;
  /** The prompt of that turn. */
  readonly prompt?: string;
  /** Default: the newest one. */
  readonly config?: Snapshot;
}

/** A session that is not stored yet. Errors as in `openSession`. */
export function newSession(
  deps: Dependencies,
  agentId: string,
  { by, taskId, chatId, prompt, config = deps.config.current() }: NewSession,
): SessionRecord {
  const { agent } = findSessionAgent(config, agentId);
  const now = deps.clock.now();
  return {
    id: deps.ids.next('th'),
    kind: 'agent',
    runId: '',
    workspaceId: '',
    directorId: '',
    agentId,
    status: 'ongoing',
    finalized: false,
    createdAt: isoTime(now),
    taint: null,
    idleMs: config.settings.sessionTimeoutMinutes * 60_000,
    opened: {
      ...{ by, agentName: agent.name, idleSince: now, runs: [] },
      ...(taskId !== undefined && { taskId }),
      ...(chatId !== undefined && { chatId }),
      ...(prompt !== undefined && { first: prompt }),
    },
  };
}

/** The session of this id. `SESSION_NOT_FOUND`, also for a session that a director opened. */
export async function readSession(reader: Reader, id: string): Promise<SessionRecord> {
  const record = await readThread(reader, id);
  if (record !== undefined && isSession(record)) return record;
  throw new EngineError('SESSION_NOT_FOUND', `there is no session "${id}"`, {
    hint: 'POST /api/agents/:id/sessions opens one',
  });
}

/** Whether a thread is a session that a person opened, and no turn of a group chat. */
export function isSession(record: ThreadRecord): record is SessionRecord {
  return record.opened !== undefined && record.opened.chatId === undefined;
}

/** A session as the API serves it; lists leave `messages` out. */
export async function viewSession(
  deps: Pick<Dependencies, 'store' | 'clock' | 'modes'>,
  record: SessionRecord,
  options: { messages: boolean },
): Promise<AgentSession> {
  const { store, clock } = deps;
  const thread = await viewThread(store, record, { ...options, now: clock.now() });
  const row = await store.get('run', { id: record.opened.runs.at(-1) ?? '' });
  const run = row && recordOf(row).run;
  const { waitingFor, limit, until, error } = run ?? {};
  const pending = waitingFor === 'approval' && run !== undefined ? await pendingActions(store, run.id) : [];
  const { agentName, by, taskId, prompts, metrics } = record.opened;
  // The metrics of a run are added to those of its session when it ends.
  const isWorking = row !== undefined && record.runId === row.id;
  const current = isWorking
    ? { usage: (await viewRun(deps.store, row)).usage, files: await filesModifiedBy(store, row.id) }
    : undefined;
  const status = statusOf(thread.status, run?.status);
  return {
    ...thread,
    status,
    threadStatus: thread.status,
    agentId: record.agentId,
    agentName,
    startedBy: by,
    ...(taskId !== undefined && { taskId }),
    ...(prompts !== undefined && { prompts }),
    ...addMetrics(metrics, current),
    ...(run !== undefined && { run }),
    ...(waitingFor !== undefined && { waitingFor }),
    ...(limit !== undefined && { limit }),
    ...(until !== undefined && { until }),
    ...(status === 'failed' && error !== undefined && { error }),
    pendingActions: pending,
  };
}

/** The status of a session, by that of its thread and of the run of its newest message, if there is one. */
function statusOf(thread: ConversationThread['status'], run: Run['status'] | undefined): SessionStatus {
  if (thread === 'expired') return 'expired';
  if (run === undefined) return thread === 'ongoing' ? 'pending' : 'cancelled';
  return run === 'completed' || run === 'failed' || run === 'cancelled' ? run : 'running';
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
