import { recordOf } from '../run/run.ts';
import type { Reader, Row } from '../store/store.ts';
import type { Chat, ChatRound, SpeakerStatus } from './chat.ts';
import { chatOfRow } from './chat-rows.ts';
import { endOf, GONE } from './round/replies.ts';
import { openRounds, type RoundState } from './round/round-state.ts';

/** A chat as the API serves it: with the round that is going on. */
export async function viewChat({ store }: { readonly store: Reader }, row: Row<'chat'>): Promise<Chat> {
  const [round] = await openRounds({ store }, row.id);
  return { ...chatOfRow(row), ...(round !== undefined && { round: await viewRound(store, round) }) };
}

async function viewRound(store: Reader, { id, facts, context }: RoundState): Promise<ChatRound> {
  const { runs, failures = {}, messageId } = facts;
  const speakers = [...Object.keys(context.speakers), ...context.next];
  const participants = await Promise.all(
    speakers.map(async (participantId) => {
      const runId = runs[participantId];
      const row = runId === undefined ? undefined : await store.get('run', { id: runId });
      const isGone = runId !== undefined && row === undefined;
      const failure = failures[participantId] ?? (isGone ? GONE : undefined);
      const status = row === undefined ? 'running' : statusOf(recordOf(row).run.status);
      return { participantId, ...(runId !== undefined && { runId }), status: failure ? endOf(failure) : status };
    }),
  );
  return { id, number: context.number, ...(messageId !== undefined && { messageId }), participants };
}

function statusOf(status: ReturnType<typeof recordOf>['run']['status']): SpeakerStatus {
  if (status === 'completed') return 'done';
  return status === 'queued' ? 'running' : status;
}
