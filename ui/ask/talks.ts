import type { AgentSession, Conversation, Page } from '../http/api-types.ts';
import { createPagedList } from '../http/list.ts';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { dropAnswersOf } from '../run/live-answer.ts';
import { idsOn } from '../shell/route.ts';
import { type Asked, fetchTalk, isOpen, type Talk } from './talk.ts';

/** A director or an agent that can be asked. */
export interface Listed extends Asked {
  readonly name: string;
  readonly description: string;
}

interface Document {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly enabled?: boolean;
}

/** Whom a person can ask: directors, then agents. */
export const askable = createResource(async (_key, signal): Promise<readonly Listed[]> => {
  const all = async (kind: Asked['kind']) => {
    const { items } = await request<Page<Document>>('GET', `${path`/api/${`${kind}s`}`}?limit=200`, { signal });
    return items
      .filter(({ enabled }) => enabled !== false)
      .map(({ id, name = id, description = '' }) => ({ kind, id, name, description }));
  };
  return (await Promise.all([all('director'), all('agent')])).flat();
});

/** Conversations with directors, the last active first. */
export const conversations = createPagedList<Conversation>('/api/conversations', () => ({
  ...{ kind: 'conversation', limit: '50' },
}));

/** Sessions with agents, newest first. */
export const sessions = createPagedList<AgentSession>('/api/sessions', () => ({ limit: '50' }));

/** The talk that is open, by `conversation/<id>` or `session/<id>`. */
export const shownTalk = createResource(async (key, signal): Promise<Talk> => {
  const talk = await fetchTalk(key, signal);
  const over = talk.turns.flatMap((turn) => (turn.runId === undefined || isOpen(turn) ? [] : [turn.runId]));
  dropAnswersOf(new Set(over));
  return talk;
});

/** Fetches the lists of talks. */
export async function loadTalks(): Promise<void> {
  await Promise.all([conversations.load(), sessions.load()]);
}

/** What the page shows, again; nothing while another page is open. */
export function refreshAsk(): void {
  if (idsOn('ask').length === 0 && askable.state.value.key === '') return;
  void loadTalks();
  if (idsOn('ask').length > 0) shownTalk.refresh();
}

/** Whether a run belongs to the talk that is open. */
export function isOfShownTalk(runId: string): boolean {
  return idsOn('ask').length > 0 && (shownTalk.state.value.data?.turns.some((turn) => turn.runId === runId) ?? false);
}

/** Asks: begins a talk, or goes on with one. Resolves to its place. Rejects with `ApiError`. */
export async function ask(
  asked: Asked,
  talkId: string | undefined,
  question: { readonly message: string; readonly attachments: readonly string[] },
): Promise<readonly [kind: string, id: string]> {
  const { message, attachments } = question;
  if (asked.kind === 'director') {
    const body = {
      ...{ directorId: asked.id, message },
      ...(talkId !== undefined && { conversationId: talkId }),
      ...(attachments.length > 0 && { attachments }),
    };
    const { conversationId = '' } = await request<{ conversationId?: string }>('POST', '/api/runs', { body });
    return ['conversation', conversationId];
  }
  const id = talkId ?? (await request<AgentSession>('POST', path`/api/agents/${asked.id}/sessions`, { body: {} })).id;
  await request('POST', path`/api/sessions/${id}/message`, { body: { content: message, waitSeconds: 0 } });
  return ['session', id];
}

/** Ends a session: it takes no message any more. Rejects with `ApiError`. */
export async function endTalk(id: string): Promise<void> {
  await request('POST', path`/api/sessions/${id}/cancel`, { body: { end: true } });
  refreshAsk();
}

/** Cancels the work on the newest question. Rejects with `ApiError`. */
export async function cancelTurn({ id, asked, turns }: Talk): Promise<void> {
  const runId = turns.at(-1)?.runId;
  if (asked.kind === 'agent') await request('POST', path`/api/sessions/${id}/cancel`, { body: {} });
  else if (runId !== undefined) await request('POST', path`/api/runs/${runId}/cancel`, { body: {} });
  refreshAsk();
}
