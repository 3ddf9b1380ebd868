import type { Page } from '../../../api/http/paging.ts';
import { nearest } from '../../../base/did-you-mean.ts';
import { EngineError } from '../../../base/error.ts';
import type { Run } from '../../../run/run.ts';
import type { AgentSession } from '../../../run/session/session.ts';
import { type ApiClient, path } from '../../client.ts';
import { conversationOf } from '../run/run.ts';

/** Who a person talks with: a director in a conversation, or an agent in a session. */
export interface Partner {
  readonly kind: 'director' | 'agent';
  readonly name: string;
  /** Sends a message with the ids of uploaded files, which only a director takes; resolves to the run that answers it, which may be one that waits for something other than the person. */
  send(message: string, attachments?: readonly string[]): Promise<Run>;
  /** Notes how the run is that answered the last message. */
  answered(run: Run): void;
  /** Begins a new conversation with the next message. */
  reset(): void;
  /** The arguments of `callsheet chat` that go on with this conversation; undefined before the first message. */
  resume(): string | undefined;
}

/** What to go on with. */
export interface PartnerOptions {
  readonly conversation?: string;
  readonly session?: string;
}

interface Named {
  readonly id: string;
  readonly name?: string;
}

/** Whether a run waits for something that comes by itself, perhaps in weeks: a reply, a date. It takes words meanwhile. */
export function waitsByItself({ waitingFor }: Pick<Run, 'waitingFor'>): boolean {
  return waitingFor === 'reply' || waitingFor === 'date' || waitingFor === 'draft';
}

/** Finds a director, or else an agent, by its id. `NOT_FOUND`; `USAGE` for an option of the other kind. */
export async function findPartner(client: ApiClient, id: string, options: PartnerOptions): Promise<Partner> {
  const { conversation, session } = options;
  const director = await read(client, path`/api/directors/${id}`);
  if (director !== undefined && session === undefined) {
    const { conversationId } = await conversationOf(client, id, conversation);
    return createDirector(client, director, conversationId);
  }
  const agent = await read(client, path`/api/agents/${id}`);
  if (agent === undefined) throw await unknown(client, id);
  if (conversation !== undefined)
    throw new EngineError('USAGE', `${id} is an agent: --conversation goes with a director`, {
      hint: 'use --session with the id of a session',
    });
  return createAgent(client, agent, session);
}

async function read(client: ApiClient, address: string): Promise<Named | undefined> {
  try {
    return await client.request<Named>('GET', address);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

async function unknown(client: ApiClient, id: string): Promise<EngineError> {
  const lists = await Promise.all(
    ['directors', 'agents'].map((kind) => client.request<Page<Named>>('GET', `/api/${kind}?limit=200`)),
  );
  const ids = lists.flatMap(({ items }) => items.map((item) => item.id));
  const near = nearest(id, ids);
  const hint = near === undefined ? `there are: ${ids.join(', ') || 'none'}` : `did you mean "${near}"?`;
  return new EngineError('NOT_FOUND', `there is no director and no agent "${id}"`, { hint });
}

function createDirector(client: ApiClient, { id, name = id }: Named, known: string | undefined): Partner {
  let conversationId = known;
  let open: string | undefined;
  return {
    kind: 'director',
    name,
    async send(message, attachments = []) {
      if (open !== undefined && attachments.length > 0)
        throw new EngineError('USAGE', 'files go with a question, and these words go to a run that waits', {
          hint: '/new begins a conversation; the files were not sent',
        });
      if (open !== undefined)
        return client.request<Run>('POST', path`/api/runs/${open}/message`, { body: { message } });
      const files = attachments.length > 0 && { attachments };
      const body = { directorId: id, message, ...(conversationId !== undefined && { conversationId }), ...files };
      const run = await client.request<Run>('POST', '/api/runs', { body });
      conversationId = run.conversationId;
      return run;
    },
    answered: (run) => void (open = waitsByItself(run) ? run.id : undefined),
    reset: () => void (conversationId = open = undefined),
    resume: () => (conversationId === undefined ? undefined : `${id} --conversation ${conversationId}`),
  };
}

function createAgent(client: ApiClient, { id, name = id }: Named, known: string | undefined): Partner {
  let sessionId = known;
  return {
    kind: 'agent',
    name,
    async send(content) {
      sessionId ??= (await client.request<AgentSession>('POST', path`/api/agents/${id}/sessions`, { body: {} })).id;
      const body = { content, waitSeconds: 0 };
      const { run } = await client.request<AgentSession>('POST', path`/api/sessions/${sessionId}/message`, { body });
      if (run === undefined) throw new EngineError('INTERNAL', `session ${sessionId} has no run for the message`);
      return run;
    },
    answered: () => {},
    reset: () => void (sessionId = undefined),
    resume: () => (sessionId === undefined ? undefined : `${id} --session ${sessionId}`),
  };
}
