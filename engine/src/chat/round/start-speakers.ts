import { EngineError, type ErrorBody, errorBody } from '../../base/error.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import type { Run } from '../../run/run.ts';
import { startTurn } from '../../run/session/chat-turn.ts';
import type { Change } from '../../store/store.ts';
import type { Chat, Participant } from '../chat.ts';
import { readChatFiles } from '../message/files.ts';
import { promptTaint, turnPrompt } from '../message/prompt.ts';
import type { Transcript, TranscriptMarks } from '../message/transcript.ts';
import { keepsSession, readSession } from '../session-rows.ts';
import type { RoundFacts, RoundState } from './round-state.ts';

/** What rounds use of the app. */
export type RoundDependencies = Dependencies & {
  /** Relative paths of files of chats start here. */
  readonly baseDir: string;
};

/**
 * The runs of a round on one transcript, as changes, and the facts of the round with them. A participant that cannot begin, since its
 * api or agent is gone, gets a failure instead.
 */
export async function startSpeakers(
  deps: RoundDependencies,
  chat: Chat,
  round: Pick<RoundState, 'id' | 'facts'>,
  {
    number,
    participants,
    transcript,
  }: { readonly number: number; readonly participants: readonly string[]; readonly transcript: Transcript },
): Promise<{ readonly facts: RoundFacts; readonly started: readonly Run[]; readonly changes: readonly Change[] }> {
  const { settings } = deps.config.current();
  const files = await readChatFiles(chat.files, { settings, baseDir: deps.baseDir });
  const mark = deps.store.lookupKey(`chat\0${round.id}\0${number}`);
  const runs: Record<string, string> = {};
  const names: Record<string, string> = {};
  const failures: Record<string, ErrorBody> = {};
  const started: Run[] = [];
  const changes: Change[] = [];
  for (const id of participants) {
    const participant = chat.participants.find((one) => one.id === id);
    const stopped = round.facts.failures?.[id];
    if (participant !== undefined) names[id] = participant.displayName;
    if (stopped !== undefined) {
      failures[id] = stopped;
      continue;
    }
    try {
      if (participant === undefined) throw new EngineError('NOT_FOUND', 'it is no participant of the chat any more');
      const { displayName, agentId, apiConfigId } = participant;
      const marks = await marksOf(deps, participant);
      const sources = { chat, participant, transcript, files, mark, marks };
      const turn = await startTurn(deps, {
        ...{ chatId: chat.id, participantId: id, name: displayName, agentId, apiConfigId },
        ...{
          prompt: turnPrompt(sources),
          message: answered(transcript, round.facts.causes[id]),
          title: `${displayName} in ${chat.title}`,
        },
        ...{ by: round.facts.by, taint: promptTaint(sources) },
      });
      runs[id] = turn.run.id;
      started.push(turn.run);
      changes.push(...turn.changes);
    } catch (error) {
      if (!isGone(error)) throw error;
      failures[id] = errorBody(error);
    }
  }
  return { facts: { ...round.facts, runs, names, failures }, started, changes };
}

async function marksOf(
  { config, store }: Pick<RoundDependencies, 'config' | 'store'>,
  participant: Participant,
): Promise<TranscriptMarks | undefined> {
  const api = config.current().apis.get(participant.apiConfigId ?? '');
  if (!keepsSession(participant, api)) return undefined;
  return { participant: participant.id, seenUpTo: (await readSession(store, participant.id))?.record.upTo };
}

/** The text of the message that made a participant speak; of the newest one where a person asked for the turn. */
function answered({ messages }: Transcript, cause: string | undefined): string {
  return (messages.find(({ id }) => id === cause) ?? messages.at(-1))?.text ?? '';
}

/** Whether an error says that who speaks is not there, or cannot work. */
function isGone(error: unknown): boolean {
  return error instanceof EngineError && (error.code === 'NOT_FOUND' || error.code === 'CONFIG_INVALID');
}
