import { isoTime } from '../base/clock.ts';
import { DISCOVERY_TOOLS } from '../config/permissions.ts';
import type { OrchestrationEntry } from './entry.ts';
import type { EventBody, StoredEvent } from './provider-events.ts';
import { byTime, sumUsage, type NodeLevel, type UnifiedNode, worstLevel } from './trace-tree.ts';

/** Data of a thread for the tree; the run room reads it from the store. */
export interface TracedThread {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly createdAt: string;
  readonly endedAt?: string;
  readonly events: readonly StoredEvent[];
}

/** Data of a run for its subtree. `director` is the main thread of the run; `entries` are in order. */
export interface TracedRun {
  readonly runId: string;
  readonly emailId?: string;
  readonly fetchCycleId: string;
  readonly cost: number | null;
  readonly isTruncated: boolean;
  readonly director: TracedThread;
  readonly agents: readonly TracedThread[];
  readonly entries: readonly OrchestrationEntry[];
}

/**
 * Creates the subtree of a run. `dirThreadId` and `agentThreadId` decide strictly which thread an entry belongs to. An
 * agent's thread begins at the `agent__x` call whose `detail.sessionId` is its id, otherwise with its own first line
 * (seed 000, 3.2.6).
 */
export function directorNode(run: TracedRun): UnifiedNode {
  const own = run.entries.filter((entry) => entry.agentThreadId === '');
  const lines = threadLines(run, run.director, own);
  const agents = run.agents.map((agent) => agentNode(run, agent, lines));
  const parentId = run.fetchCycleId === '' ? null : run.fetchCycleId;
  return { ...threadHead(run, run.director, 'director'), parentId, ...runTotals(run, merge(lines, agents)) };
}

/**
 * Creates the subtree of a run that answers a message in a person's session. All runs of the session share one thread,
 * so the node has the id of the run.
 */
export function messageNode(run: TracedRun): UnifiedNode {
  const id = run.runId;
  const lines = threadLines(run, run.director, run.entries).map((node) => ({ ...node, parentId: id }));
  return { ...threadHead(run, run.director, 'agent'), id, parentId: null, ...runTotals(run, lines) };
}

/** Level, usage and children of the node of a whole run. */
function runTotals(run: TracedRun, children: readonly UnifiedNode[]) {
  const usage = sumUsage(children.map((node) => node.usage));
  const own: NodeLevel = run.director.status === 'failed' ? 'error' : 'info';
  return {
    level: worstLevel([...children.map((node) => node.level), own]),
    ...(usage !== undefined && { usage: { ...usage, cost: run.cost } }),
    ...(run.isTruncated && { truncated: true as const }),
    children,
  };
}

function agentNode(run: TracedRun, agent: TracedThread, ofDirector: readonly UnifiedNode[]): UnifiedNode {
  const own = run.entries.filter((entry) => entry.agentThreadId === agent.id);
  const children = threadLines(run, agent, own);
  const anchor = run.entries.find((entry) => entry.agentThreadId === '' && entry.detail.sessionId === agent.id);
  const call = ofDirector.find((node) => node.id === anchor?.id);
  const begin = call?.startedAt ?? children[0]?.timestamp ?? agent.createdAt;
  const last = children.at(-1)?.timestamp ?? begin;
  const usage = sumUsage(children.map((node) => node.usage));
  return {
    ...threadHead(run, agent, 'agent'),
    parentId: run.director.id,
    timestamp: begin,
    startedAt: begin,
    // A session stays open for a while after its last line, so the duration ends with that line.
    durationMs: Math.max(0, Date.parse(last) - Date.parse(begin)),
    level: worstLevel([...children.map((node) => node.level), agent.status === 'failed' ? 'error' : 'info']),
    ...(usage !== undefined && { usage }),
    ...(anchor !== undefined && { anchorId: anchor.id }),
    children,
  };
}

function threadHead(run: TracedRun, thread: TracedThread, kind: 'director' | 'agent') {
  const { id, title, status, createdAt, endedAt } = thread;
  return {
    id,
    kind,
    timestamp: createdAt,
    startedAt: createdAt,
    title,
    status,
    ...(endedAt !== undefined && { durationMs: Date.parse(endedAt) - Date.parse(createdAt) }),
    ...runFields(run),
  };
}

const runFields = ({ runId, emailId }: TracedRun) => ({ runId, ...(emailId !== undefined && { emailId }) });

/** Merges a thread's entries and events into one list by time; `isFirst` decides the order for equal times. */
function threadLines(run: TracedRun, thread: TracedThread, entries: readonly OrchestrationEntry[]): UnifiedNode[] {
  const answers = thread.events.filter(({ body }) => body.kind === 'response').map(({ at }) => at);
  const lastAnswer = answers.at(-1) ?? -Infinity;
  const events = thread.events.map((event, i) => eventNode(run, thread, event, thread.events[i + 1], lastAnswer));
  const lines = entries.map((entry) => entryNode(run, thread, entry, answers, lastAnswer));
  return merge(events, lines, isFirst);
}

/** The entry that ends a run or the answer of an agent. */
const END = /^(?:director|agent)_(?:complete|failed|cancelled)$/;

/**
 * In the same millisecond, a response or error precedes the entries that it caused, and a request follows them; the entry of the end is
 * the last.
 */
const isFirst = (event: UnifiedNode, line: UnifiedNode) => event.phase !== 'request' || END.test(line.title);

function merge(
  a: readonly UnifiedNode[],
  b: readonly UnifiedNode[],
  isFirst: (node: UnifiedNode, other: UnifiedNode) => boolean = () => true,
): UnifiedNode[] {
  const merged: UnifiedNode[] = [];
  const right = b.toSorted(byTime);
  let next = 0;
  for (const node of a) {
    for (let other = right[next]; other !== undefined; other = right[++next]) {
      const order = byTime(other, node);
      if (order > 0 || (order === 0 && isFirst(node, other))) break;
      merged.push(other);
    }
    merged.push(node);
  }
  return [...merged, ...right.slice(next)];
}

/** States of an unfinished thread or run. */
const OPEN_STATUSES = new Set(['ongoing', 'queued', 'running', 'waiting']);

function eventNode(
  run: TracedRun,
  thread: TracedThread,
  { seq, at, body }: StoredEvent,
  next: StoredEvent | undefined,
  lastAnswer: number,
): UnifiedNode {
  const attempt = body.attempt > 0 ? ` · attempt ${body.attempt + 1}` : '';
  const failed = at > lastAnswer ? 'error' : 'warn';
  const level: NodeLevel = body.kind === 'request' ? 'debug' : body.kind === 'error' ? failed : 'info';
  const latencyMs = body.kind === 'request' ? 0 : body.latencyMs;
  const unanswered = OPEN_STATUSES.has(thread.status) ? 'running' : 'cancelled';
  const status =
    body.kind === 'request'
      ? next === undefined
        ? unanswered
        : undefined
      : body.kind === 'error'
        ? 'failed'
        : 'completed';
  return {
    id: `${thread.id}.${seq}`,
    kind: 'event',
    parentId: thread.id,
    timestamp: isoTime(at),
    startedAt: isoTime(at - latencyMs),
    title: isSummary(body) ? `${body.model} · summary` : `${body.model} · turn ${body.turn}${attempt}`,
    level,
    phase: body.kind,
    ...(status !== undefined && { status }),
    ...(body.kind !== 'request' && { durationMs: latencyMs }),
    ...(body.kind === 'response' &&
      body.usage !== undefined && { usage: { ...body.usage, ...(body.cost !== undefined && { cost: body.cost }) } }),
    ...(body.kind === 'error' && { error: body.error }),
    ...runFields(run),
  };
}

/** Whether an event is about a summary of the earlier part of a session. */
function isSummary(body: EventBody): boolean {
  return (
    (body.kind === 'request' && body.own !== undefined) || (body.kind === 'response' && body.summary !== undefined)
  );
}

/** Tools that only list and explain agents and tools. */
const DISCOVERY: ReadonlySet<string> = new Set(DISCOVERY_TOOLS);

function entryNode(
  run: TracedRun,
  thread: TracedThread,
  entry: OrchestrationEntry,
  answers: readonly number[],
  lastAnswer: number,
): UnifiedNode {
  const { tool, action } = entry.detail;
  const at = Date.parse(entry.timestamp);
  // A thread sends its next request only after all calls of the last answer have ended, so that answer made the call.
  const called = tool === undefined ? undefined : answers.findLast((answer) => answer <= at);
  const begin = called ?? at;
  return {
    id: entry.id,
    kind: 'entry',
    parentId: thread.id,
    timestamp: entry.timestamp,
    startedAt: isoTime(begin),
    title: entry.detail.line ?? ([action, tool].filter((word) => word !== undefined).join(' · ') || entry.phase),
    level: entryLevel(entry, at > lastAnswer),
    status: entry.error !== undefined ? 'failed' : asksPerson(entry) ? 'waiting' : 'completed',
    ...(tool !== undefined && { durationMs: at - begin }),
    ...(entry.error !== undefined && { error: entry.error }),
    phase: entry.phase,
    ...runFields(run),
  };
}

function asksPerson({ detail: { action } }: Pick<OrchestrationEntry, 'detail'>): boolean {
  return action === 'approval_requested' || action === 'question_asked';
}

/**
 * A tool error is only a warning, because the model reads it and goes on; so is a model error before a later answer.
 */
function entryLevel({ error, phase, detail }: OrchestrationEntry, isLast: boolean): NodeLevel {
  if (error !== undefined) return phase === 'tool' || (detail.action === 'model_failed' && !isLast) ? 'warn' : 'error';
  if (asksPerson({ detail }) || detail.action === 'api_changed') return 'warn';
  return detail.tool !== undefined && DISCOVERY.has(detail.tool) ? 'debug' : 'info';
}
