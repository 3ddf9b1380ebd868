import type { SpeakerState } from '../../../machines/round.ts';
import type { ErrorBody } from '../../base/error.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import { recordOf, type Run } from '../../run/run.ts';
import { readMessages } from '../../run/thread.ts';
import { type Chat, newChatId, type NewChatMessage, type Participant } from '../chat.ts';
import { changesOfRun } from '../roam/change-rows.ts';
import { mentionedIn } from '../message/mentions.ts';
import type { RoundFacts, RoundState } from './round-state.ts';

/** Longest message of a participant, in characters. */
const MAX_LENGTH = 100_000;
const CUT = '\n[cut]';

/** How the run of a speaker has ended; undefined while it goes on. */
export interface SpeakerEnd {
  readonly as: Exclude<SpeakerState, 'running'>;
  /** Missing: the run is gone, or could not begin. */
  readonly run?: Run;
  readonly error?: ErrorBody;
}

/** Why a participant has no message that a person has cancelled. */
export const CANCELLED: ErrorBody = { code: 'RUN_CANCELLED', message: 'cancelled' };

/** Why a participant has no message whose run somebody has deleted. */
export const GONE: ErrorBody = { code: 'NOT_FOUND', message: 'its run was deleted' };

/** How a participant has ended that has no run to tell. */
export function endOf({ code }: ErrorBody): 'failed' | 'cancelled' {
  return code === CANCELLED.code ? 'cancelled' : 'failed';
}

const ENDS = { completed: 'done', failed: 'failed', cancelled: 'cancelled' } as const;

/** How a speaker of the current round has ended. A run that somebody deleted counts as failed. */
export async function speakerEnd(
  { store }: Pick<Dependencies, 'store'>,
  { runs, failures = {} }: RoundFacts,
  participant: string,
): Promise<SpeakerEnd | undefined> {
  const failure = failures[participant];
  if (failure !== undefined) return { as: endOf(failure), error: failure };
  const row = await store.get('run', { id: runs[participant] ?? '' });
  if (row === undefined) return { as: 'failed', error: GONE };
  const { run } = recordOf(row);
  if (run.status !== 'completed' && run.status !== 'failed' && run.status !== 'cancelled') return undefined;
  return { as: ENDS[run.status], run, ...(run.error !== undefined && { error: run.error }) };
}

/** The messages of a round, in the order of its speakers, and who is mentioned in them. */
export async function repliesOf(
  { store, ids }: Pick<Dependencies, 'store' | 'ids'>,
  chat: Chat,
  round: RoundState,
  ends: ReadonlyMap<string, SpeakerEnd>,
): Promise<{ readonly messages: NewChatMessage[]; readonly causes: Readonly<Record<string, string>> }> {
  const messages: NewChatMessage[] = [];
  const causes: Record<string, string> = {};
  for (const [id, end] of ends) {
    // One that was removed from the chat since has no name in it any more.
    const participant = chat.participants.find((one) => one.id === id);
    const name = participant?.displayName ?? round.facts.names?.[id] ?? id;
    const text = end.as === 'done' ? await answerOf(store, end.run, name) : '';
    const error = text === '' ? errorOf(end) : undefined;
    const changesId = end.run && (await changesOfRun(store, chat.id, end.run.id));
    const message: NewChatMessage = {
      ...{ id: newChatId(ids, 'm'), authorKind: 'agent', authorId: id, authorDisplayName: name },
      text: error === undefined ? text : lineOf(name, end, error),
      meta: {
        ...metaOf(round, id, participant, end.run),
        ...(changesId !== undefined && { changesId }),
        ...(error !== undefined && { error }),
      },
    };
    messages.push(message);
    if (error !== undefined) continue;
    const mentioned = mentionedIn(text, chat.participants, chat.mentions).filter((other) => other !== id);
    for (const other of mentioned) causes[other] ??= message.id;
  }
  return { messages, causes };
}

async function answerOf(store: Dependencies['store'], run: Run | undefined, name: string): Promise<string> {
  const messages = run?.sessionId === undefined ? [] : await readMessages(store, run.sessionId);
  const last = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  const text = withoutName(last.trim(), name);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}${CUT}` : text;
}

/** Models put their name in front although the prompt says otherwise. */
function withoutName(text: string, name: string): string {
  for (const prefix of [`**${name}**:`, `**${name}:**`, `${name}:`])
    if (text.startsWith(prefix) && text.length > prefix.length) return text.slice(prefix.length).trimStart();
  return text;
}

function errorOf({ as, error }: SpeakerEnd): ErrorBody {
  if (as === 'cancelled') return CANCELLED;
  const { code, message } = error ?? { code: 'MODEL_BAD_ANSWER', message: 'its answer is empty' };
  return { code, message };
}

function lineOf(name: string, { as }: SpeakerEnd, { message }: ErrorBody): string {
  return as === 'cancelled' ? `${name} was cancelled.` : `${name} could not answer: ${message}`;
}

function metaOf(
  { context: { number }, facts }: RoundState,
  id: string,
  participant: Participant | undefined,
  run: Run | undefined,
): NewChatMessage['meta'] {
  const cause = facts.causes[id];
  const isTool = participant !== undefined && ['codex', 'claude', 'gemini'].includes(participant.type);
  const provider = isTool ? participant.type : run?.apis.at(-1)?.provider;
  const runId = facts.runs[id];
  return {
    trigger: number === 0 ? 'manual' : 'mention',
    ...(cause !== undefined && { triggeredByMessageId: cause }),
    ...(number > 0 && { tagSessionIndex: number }),
    ...(provider !== undefined && { provider }),
    ...(runId !== undefined && { runId }),
  };
}
