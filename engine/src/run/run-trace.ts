import { listEntries } from '../trace/entries.ts';
import { storedEvents } from '../trace/provider-events.ts';
import type { UnifiedNode } from '../trace/trace-tree.ts';
import { directorNode, messageNode, type TracedThread } from '../trace/run-tree.ts';
import type { Reader } from '../store/store.ts';
import { entryScope, type RunRecord } from './run.ts';
import { type ThreadRecord, threadOf } from './thread.ts';

/** Most entries of a run, and most provider events of each of its threads, that the tree shows. */
const MAX_LINES = 2000;

/** The subtree of a run in the diagnostics tree. At most 2,000 entries, and 2,000 provider events a thread. */
export async function readRunTree(reader: Reader, record: RunRecord): Promise<UnifiedNode> {
  const { run, origin } = record;
  if (run.sessionId !== undefined) return readMessageTree(reader, record);
  const rows = await reader.list('thread', { where: [['run', '=', run.id]], order: [['id', 'asc']] });
  const threads = rows.map(threadOf);
  const scope = entryScope(record);
  const entries = await listEntries(reader, scope, { limit: MAX_LINES });
  const nameOf = (id: string | undefined) =>
    entries.find((entry) => entry.agent === id && entry.agentName !== '')?.agentName ?? id ?? '';
  const traced = async (thread: ThreadRecord, title: string, status: string): Promise<TracedThread> => ({
    id: thread.id,
    title,
    status,
    createdAt: thread.createdAt,
    ...(thread.endedAt !== undefined && { endedAt: thread.endedAt }),
    events: await storedEvents(reader, thread.id, MAX_LINES),
  });
  const director = threads.find(({ id }) => id === run.dirThreadId) ?? lostThread(record);
  const about = scope.emailSummary === '' ? '' : ` · ${scope.emailSummary}`;
  const agents: TracedThread[] = [];
  for (const thread of threads)
    if (thread.kind === 'agent' || thread.role !== undefined)
      agents.push(await traced(thread, thread.role ?? nameOf(thread.agentId), thread.status));
  const dirThread = await traced(director, `${origin.director.name}${about}`, run.status);
  return directorNode({
    runId: run.id,
    ...(run.emailId !== undefined && { emailId: run.emailId }),
    fetchCycleId: run.fetchCycleId,
    cost: run.usage.cost,
    isTruncated: [entries, ...[dirThread, ...agents].map(({ events }) => events)].some(
      (lines) => lines.length >= MAX_LINES,
    ),
    director: dirThread,
    agents,
    entries,
  });
}

/** The subtree of a run on one message of a session: the part of the session's thread that belongs to this run. */
async function readMessageTree(reader: Reader, record: RunRecord): Promise<UnifiedNode> {
  const { run, before } = record;
  const { sessionId = '', agentName = '' } = run;
  const scope = entryScope(record);
  const entries = await listEntries(reader, scope, { limit: MAX_LINES });
  const following = await storedEvents(reader, sessionId, MAX_LINES, before?.events);
  return messageNode({
    runId: run.id,
    fetchCycleId: '',
    cost: run.usage.cost,
    isTruncated: [entries, following].some((lines) => lines.length >= MAX_LINES),
    director: {
      id: sessionId,
      title: `${agentName} · ${scope.emailSummary}`,
      status: run.status,
      createdAt: run.createdAt,
      ...(run.endedAt !== undefined && { endedAt: run.endedAt }),
      // Later messages of the session are in the same thread.
      events: following.filter(({ body }) => body.runId === run.id),
    },
    agents: [],
    entries,
  });
}

/** A stand-in for a director's thread that a person has deleted: the run and its entries are still shown. */
function lostThread({ run }: RunRecord): ThreadRecord {
  return {
    id: run.dirThreadId,
    kind: 'director',
    runId: run.id,
    workspaceId: run.workspaceId,
    directorId: run.directorId,
    status: 'completed',
    finalized: false,
    createdAt: run.createdAt,
    ...(run.endedAt !== undefined && { endedAt: run.endedAt }),
  };
}
