import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { Message } from '../../engine/src/model/model.ts';
import type { Plan } from '../../engine/src/run/plan/plan-record.ts';
import type { AgentSession, Conversation, Run, RunStatus, WorkspaceItem } from '../http/api-types.ts';
import type { Page } from '../http/api-types.ts';
import { path, request } from '../http/request.ts';
import { fetchThread } from '../run/runs.ts';

/** Who is asked. */
export interface Asked {
  readonly kind: 'director' | 'agent';
  readonly id: string;
}

/** A question and what came of it. */
export interface Turn {
  readonly question: string;
  /** Answers and tool calls with their results; of an earlier question only its answer. */
  readonly steps: readonly Message[];
  /** Absent for the earlier messages of a session. */
  readonly runId?: string;
  readonly status: RunStatus;
  readonly waitingFor?: string;
  readonly error?: ErrorBody;
  readonly at?: string;
  readonly items: readonly WorkspaceItem[];
  /** Of the newest question to a director that plans. */
  readonly plan?: Plan;
}

/** A conversation with a director, or a session with an agent. */
export interface Talk {
  readonly id: string;
  readonly asked: Asked;
  readonly name: string;
  /** Transcript that the next question goes on with. */
  readonly threadId?: string;
  readonly turns: readonly Turn[];
  /** Start of the turns before; undefined when all are there. */
  readonly moreBefore?: string;
  /** Why it takes no question any more; `''` while it does. */
  readonly over: string;
}

/** Fetches a talk by the kind and the id of its address. */
export function fetchTalk(key: string, signal: AbortSignal): Promise<Talk> {
  const [kind = '', id = ''] = key.split('/');
  return kind === 'session' ? fetchSession(id, signal) : fetchConversation(id, signal);
}

async function fetchConversation(id: string, signal: AbortSignal): Promise<Talk> {
  const conversation = await request<Conversation>('GET', path`/api/conversations/${id}`, { signal });
  const { turns = [], directorId, directorName, moreBefore } = conversation;
  const newest = turns.at(-1);
  // The steps of the newest question; an earlier one links to its run.
  const [thread, plan, items] = await Promise.all([
    newest && fetchThread(newest.threadId, signal),
    newest && fetchPlan(newest.runId, signal),
    Promise.all(turns.map((turn) => fetchItems(turn.runId, turn.runId, signal))),
  ]);
  const { from = 0, count = 0 } = thread?.earlier ?? {};
  return {
    ...{ id, asked: { kind: 'director', id: directorId }, name: directorName, over: '' },
    ...(newest !== undefined && { threadId: newest.threadId }),
    ...(moreBefore !== undefined && { moreBefore }),
    turns: turns.map(({ message, answer, runId, status, waitingFor, error, createdAt }, i) => ({
      ...{ question: message, runId, status, at: createdAt, items: items[i] ?? [] },
      ...(waitingFor !== undefined && { waitingFor }),
      ...(error !== undefined && { error }),
      ...(i === turns.length - 1 && plan !== undefined && { plan }),
      steps:
        i === turns.length - 1
          ? stepsOf((thread?.messages ?? []).slice(from + count))
          : answer === ''
            ? []
            : [{ role: 'assistant', content: answer }],
    })),
  };
}

async function fetchSession(id: string, signal: AbortSignal): Promise<Talk> {
  const session = await request<AgentSession>('GET', path`/api/sessions/${id}`, { signal });
  const { agentId, agentName, threadStatus, run, messages = [], prompts = [], error } = session;
  const all: Turn[] = [];
  const isOfPrompt = (at: number) => prompts.some(({ from, count }) => at >= from && at < from + count);
  for (const message of messages.filter((_message, at) => !isOfPrompt(at))) {
    const last = all.at(-1);
    if (message.role === 'user') all.push({ question: message.content, steps: [], status: 'completed', items: [] });
    else if (message.role !== 'system' && last !== undefined)
      all[all.length - 1] = { ...last, steps: [...last.steps, message] };
  }
  const newest = all.at(-1);
  if (run !== undefined) {
    const asked = run.trigger.message ?? '';
    const { status, waitingFor } = run;
    const state = { runId: run.id, status, at: run.createdAt, ...(waitingFor !== undefined && { waitingFor }) };
    const more = {
      ...state,
      ...(error !== undefined && { error }),
      items: await fetchItems(run.workspaceId, run.id, signal),
    };
    // A message that waits for its turn is not in the transcript yet.
    if (newest === undefined || (status === 'queued' && newest.question !== asked))
      all.push({ question: asked, steps: [], ...more });
    else all[all.length - 1] = { ...newest, ...more };
  }
  return {
    ...{ id, asked: { kind: 'agent', id: agentId }, name: agentName, threadId: id, turns: all },
    over:
      threadStatus === 'ongoing'
        ? ''
        : session.status === 'expired'
          ? 'This session has expired.'
          : 'This session has ended.',
  };
}

async function fetchPlan(runId: string, signal: AbortSignal): Promise<Plan | undefined> {
  return (await request<Run>('GET', path`/api/runs/${runId}`, { signal })).plan;
}

const stepsOf = (messages: readonly Message[]) =>
  messages.filter(({ role }) => role === 'assistant' || role === 'tool');

async function fetchItems(workspaceId: string, runId: string, signal: AbortSignal): Promise<readonly WorkspaceItem[]> {
  const from = path`/api/workspaces/${workspaceId}/items?runId=${runId}&limit=20`;
  return (await request<Page<WorkspaceItem>>('GET', from, { signal })).items;
}

/** Whether a turn goes on: it is queued, works or waits. */
export function isOpen(turn: Pick<Turn, 'status'> | undefined): boolean {
  return turn !== undefined && ['queued', 'running', 'waiting'].includes(turn.status);
}
