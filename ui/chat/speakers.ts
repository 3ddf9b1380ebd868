import type { Chat, ChatRound, SpeakerStatus } from '../http/api-types.ts';

/** A participant in the round that goes on. */
export type Speaker = ChatRound['participants'][number];

/** Who takes part in the round that goes on, by participant. */
export function speakersOf({ round }: Pick<Chat, 'round'>): ReadonlyMap<string, Speaker> {
  return new Map((round?.participants ?? []).map((speaker) => [speaker.participantId, speaker]));
}

/** Whether a participant has not ended its turn. */
export function isSpeaking(speaker: Speaker | undefined): boolean {
  return speaker?.status === 'running' || speaker?.status === 'waiting';
}

/** The state of a turn in words. Replies of a round appear together, so the first ones wait for the last. */
export const TURN_LABELS: Readonly<Record<SpeakerStatus, string>> = {
  running: 'is writing',
  // For a limit or a date: what waits for a person is shown as that.
  waiting: 'waits',
  done: 'has answered, and waits for the others',
  failed: 'has failed',
  cancelled: 'was cancelled',
};
