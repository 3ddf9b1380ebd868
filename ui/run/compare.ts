import type { ToolCall } from '../../engine/src/model/model.ts';
import type { ConversationThread, Run, RunComparison, WorkspaceItem } from '../http/api-types.ts';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { fetchItems } from '../item/items.ts';
import { fetchThread } from './runs.ts';

/** A call of a tool with its answer. */
export interface Made {
  readonly call: ToolCall;
  readonly answer: string | undefined;
  /** How the call differs from that of the other run; `''` where it does not. */
  readonly note: string;
}

/** A result, and how it differs from that of the other run. */
export interface Result {
  readonly item: WorkspaceItem;
  readonly note: string;
}

/** One of two runs that are compared. */
export interface Side {
  readonly run: Run;
  readonly calls: readonly Made[];
  readonly results: readonly Result[];
}

/** Two runs side by side. The key: both ids with a space between. */
export const compared = createResource(async (key, signal) => {
  const [a = '', b = ''] = key.split(' ');
  const runOf = (id: string) => request<Run>('GET', path`/api/runs/${id}`, { signal });
  const [left, right, differences] = await Promise.all([
    runOf(a),
    runOf(b),
    request<RunComparison>('GET', path`/api/runs/${a}/compare/${b}`, { signal }),
  ]);
  const facts = async (run: Run) => ({
    run,
    thread: await fetchThread(run.sessionId ?? run.dirThreadId, signal),
    items: await fetchItems(`${run.workspaceId}/${run.id}`, '&limit=100', signal),
  });
  const [one, two] = await Promise.all([facts(left), facts(right)]);
  return { differences, sides: [sideOf(one, two), sideOf(two, one)] as const };
});

type Facts = Pick<Side, 'run'> & { readonly thread: ConversationThread; readonly items: readonly WorkspaceItem[] };

function sideOf(own: Facts, other: Facts): Side {
  return {
    run: own.run,
    calls: notedCalls(callsOf(own.thread), callsOf(other.thread)),
    results: own.items.map((item) => {
      const twin = other.items.find(({ label, mimeType }) => label === item.label && mimeType === item.mimeType);
      const note = twin === undefined ? 'only here' : twin.data === item.data ? '' : 'differs';
      return { item, note };
    }),
  };
}

/** The calls of a thread with their answers, in order. */
function callsOf({ messages = [] }: ConversationThread): readonly Omit<Made, 'note'>[] {
  const answers = new Map(messages.flatMap((m) => (m.role === 'tool' ? [[m.tool_call_id, m.content]] : [])));
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? (message.tool_calls ?? []).map((call) => ({ call, answer: answers.get(call.id) }))
      : [],
  );
}

/** Compares the n-th call of a tool with the n-th call of it in the other run. */
export function notedCalls(own: readonly Omit<Made, 'note'>[], other: readonly Omit<Made, 'note'>[]): readonly Made[] {
  const seen = new Map<string, number>();
  return own.map(({ call, answer }) => {
    const { name } = call.function;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    const twin = other.filter((made) => made.call.function.name === name)[nth];
    if (twin === undefined) return { call, answer, note: 'only here' };
    if (twin.call.function.arguments !== call.function.arguments) return { call, answer, note: 'other arguments' };
    return { call, answer, note: twin.answer === answer ? '' : 'other result' };
  });
}
