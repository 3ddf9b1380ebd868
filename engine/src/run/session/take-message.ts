import { EngineError } from '../../base/error.ts';
import type { Change, Store } from '../../store/store.ts';
import { lastEventSeq } from '../../trace/provider-events.ts';
import { actorHashes, hashesOf, newRun, queueRun } from '../lifecycle/create.ts';
import type { Dependencies } from '../dependencies.ts';
import { withParticipant } from '../participant.ts';
import { type Run, liveRunFields, type Trigger } from '../run.ts';
import { endSession, isSession, newSession, readSession, type SessionRecord } from './session.ts';
import { findSessionAgent } from './session-agent.ts';
import { expiryOf, insertThread, readThread, unchanged, updateThread } from '../thread.ts';

/** How often a message is tried again after another request changed its session. */
const MAX_TRIES = 5;

/** A person's message in a session. */
export interface PersonMessage {
  readonly content: string;
  /** User id. */
  readonly by: string;
  /** The task that the message hands to the agent; `dueAt` is ISO 8601. */
  readonly task?: { readonly id: string; readonly dueAt: string };
}

/**
 * Accepts a person's message: queues a run of the agent on the session's thread, with the newest config. One message is
 * worked on at a time. `SESSION_NOT_FOUND`, `SESSION_EXPIRED`, `SESSION_COMPLETED`, `SESSION_BUSY` while a run works;
 * `NOT_FOUND`, `CONFIG_INVALID` where the config no longer has the agent or its api.
 */
export async function acceptMessage(deps: Dependencies, sessionId: string, message: PersonMessage): Promise<Run> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryMessage(deps, sessionId, message);
    } catch (error) {
      // Another request changed the session first: read it again to see whether it still accepts this message.
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || tries >= MAX_TRIES) throw error;
    }
  }
}

/** A message in a session as changes, for a commit of the caller, who tells the engine (`queued`). Errors as in `acceptMessage`. */
export async function continueSession(
  deps: Dependencies,
  sessionId: string,
  message: PersonMessage,
): Promise<{ run: Run; changes: Change[] }> {
  const record = await openRecord(deps, sessionId);
  if (record.runId !== '') throw busy(record.runId);
  const { run, session, changes } = await messageRun(deps, record, requestOf(message));
  return { run, changes: [updateThread(session, unchanged(record)), ...changes] };
}

async function tryMessage(deps: Dependencies, sessionId: string, message: PersonMessage): Promise<Run> {
  const { run, changes } = await continueSession(deps, sessionId, message);
  await deps.store.apply(changes);
  deps.live.publish('run', liveRunFields(run));
  return run;
}

/** The session, if it accepts messages. Stores that it has expired, where its time is over. */
async function openRecord(deps: Dependencies, sessionId: string): Promise<SessionRecord> {
  const record = await openedByPerson(deps.store, sessionId);
  const isExpired = record.status === 'expired' || expiryOf(record) <= deps.clock.now();
  if (record.status === 'ongoing' && isExpired) await endSession(deps, record, 'expired');
  const hint = 'POST /api/agents/:id/sessions opens a new one';
  if (isExpired) throw new EngineError('SESSION_EXPIRED', `session "${sessionId}" has expired`, { hint });
  if (record.status === 'ongoing') return record;
  throw new EngineError('SESSION_COMPLETED', `session "${sessionId}" is completed`, { hint });
}

/**
 * The session, if a person opened it. A director's session takes messages of its director alone; where it has ended, the
 * error says how.
 */
async function openedByPerson(store: Store, sessionId: string): Promise<SessionRecord> {
  const thread = await readThread(store, sessionId);
  if (thread === undefined || isSession(thread) || thread.kind !== 'agent' || thread.status === 'ongoing')
    return readSession(store, sessionId);
  const [code, state] =
    thread.status === 'expired'
      ? (['SESSION_EXPIRED', 'has expired'] as const)
      : (['SESSION_COMPLETED', 'is completed'] as const);
  throw new EngineError(code, `session "${sessionId}" of run ${thread.runId} ${state}`, {
    hint: 'POST /api/agents/:id/sessions opens a new one',
  });
}

function busy(runId: string): EngineError {
  return new EngineError('SESSION_BUSY', `the agent is still working on the last message (run ${runId})`, {
    hint: 'wait for the run, answer its approval, or cancel it',
    retryable: true,
  });
}

/**
 * A session that is opened with its first message, as changes. `NOT_FOUND`, `CONFIG_INVALID` as in `findSessionAgent`. The caller
 * tells the engine (`queued`).
 */
export async function startSession(
  deps: Dependencies,
  agentId: string,
  message: PersonMessage,
): Promise<{ run: Run; changes: Change[] }> {
  const { by, task } = message;
  const record = newSession(deps, agentId, { by, ...(task !== undefined && { taskId: task.id }) });
  const { run, session, changes } = await messageRun(deps, record, requestOf(message));
  return { run, changes: [insertThread(session), ...changes] };
}

function requestOf({ content, by, task }: PersonMessage): { readonly by: string; readonly trigger: Trigger } {
  const trigger: Trigger =
    task === undefined
      ? { kind: 'message', message: content }
      : { kind: 'task', message: content, taskId: task.id, dueAt: task.dueAt };
  return { by, trigger };
}

/** The run on a message, the session with it, and the changes that store the run alone. */
export async function messageRun(
  deps: Dependencies,
  record: SessionRecord,
  { by, trigger }: { readonly by: string; readonly trigger: Trigger },
): Promise<{ run: Run; session: SessionRecord; changes: Change[] }> {
  const { id: sessionId, agentId, opened } = record;
  const named = { agentId, agentName: opened.agentName, trigger };
  const config = withParticipant(deps.config.current(), named);
  const { agent, apiConfigId } = findSessionAgent(config, agentId);
  const id = deps.ids.next('run');
  const workspaceId = record.workspaceId === '' ? id : record.workspaceId;
  const run = newRun(deps, config, {
    id,
    mode: 'session',
    startedBy: by,
    trigger,
    directorId: '',
    directorName: '',
    agentId,
    agentName: agent.name,
    sessionId,
    workspaceId,
    dirThreadId: '',
    fetchCycleId: '',
    documents: { ...actorHashes(config, [agent], [apiConfigId]), ...hashesOf(config, [`agents/${agentId}`]) },
  });
  const origin = { director: { id: '', name: '' }, agent: { id: agentId, name: agent.name } };
  const before = await lastSeqs(deps, sessionId);
  const session = {
    ...record,
    runId: id,
    workspaceId,
    idleMs: config.settings.sessionTimeoutMinutes * 60_000,
    opened: { ...opened, agentName: agent.name, runs: [...opened.runs, id] },
  };
  return { run, session, changes: await queueRun(deps, { run, origin, before }) };
}

/**
 * How many messages and events the thread has. No other writer appends to it before this run does: the commit would
 * fail.
 */
async function lastSeqs({ store }: Dependencies, threadId: string): Promise<{ messages: number; events: number }> {
  const [row] = await store.list('message', { where: [['thread', '=', threadId]], order: [['seq', 'desc']], limit: 1 });
  return { messages: row?.seq ?? 0, events: await lastEventSeq(store, threadId) };
}
