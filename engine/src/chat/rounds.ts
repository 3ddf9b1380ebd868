import { EngineError } from '../base/error.ts';
import type { Engine } from '../run/engine/engine.ts';
import type { Chat, ChatMessage } from './chat.ts';
import { chatOfRow, readChatRow } from './chat-rows.ts';
import { mentionedIn } from './message/mentions.ts';
import type { Rounds } from './round-port.ts';
import { CANCELLED } from './round/replies.ts';
import { advanceRound, newRound, openRounds, roundChange, type RoundState } from './round/round-state.ts';
import type { RoundDependencies } from './round/start-speakers.ts';
import { openSummary } from './round/summarise.ts';
import { SUMMARY_STATUSES } from './summary-rows.ts';
import { cancelAll, type CancelRun, stepChat } from './round/step-chat.ts';

/** Attempts to cancel rounds that go on meanwhile. */
const MAX_TRIES = 20;

/** The rounds of chats over a store; whoever drives them calls `step` when a run of theirs ends, at a start, and from time to time. */
export interface RoundDriver extends Rounds {
  /** Does what is due in a chat. */
  step(chatId: string): Promise<void>;
  /** Ids of the chats in which rounds are open, or a summary is written. */
  openChats(): Promise<string[]>;
}

/** The part of the engine that rounds use. */
export type RoundEngine = Pick<Engine, 'cancel' | 'queued'>;

/** Rounds of chats. Those that a message sets off wait until the ones before them in the chat are over. */
export function createRounds(deps: RoundDependencies, engine: RoundEngine): RoundDriver {
  const { store, clock, ids, live } = deps;
  const cancelRun: CancelRun = (runId) => engine.cancel(runId);
  const step = async (chatId: string) => {
    if ((await stepChat(deps, chatId, cancelRun)) > 0) engine.queued();
  };
  const wake = (chatId: string) => live.publish('chat', { id: chatId, change: 'round' });
  const make = (
    { id: chatId, maxRounds }: Pick<Chat, 'id' | 'maxRounds'>,
    facts: Pick<RoundState['facts'], 'by' | 'messageId' | 'causes'>,
    first: { readonly number: number; readonly participants: readonly string[] },
  ) => newRound({ id: ids.next('rnd'), chatId, facts: { ...facts, runs: {}, upTo: 0 } }, { maxRounds, ...first });

  return {
    step,
    async openChats() {
      const open = ['open', SUMMARY_STATUSES[0]].map((status) =>
        store.list('chatRound', { where: [['status', '=', status]], bodies: false }),
      );
      return [...new Set((await Promise.all(open)).flat().map(({ chat }) => chat))];
    },
    async messageAppended(chat, message) {
      const participants = mentionedIn(message.text, chat.participants, chat.mentions);
      if (participants.length === 0) return { changes: [], committed: () => {} };
      const causes = Object.fromEntries(participants.map((id) => [id, message.id]));
      const facts = { by: byOf(message), messageId: message.id, causes };
      const round = make(chat, facts, { number: 1, participants });
      return { changes: [roundChange(round, clock.now())], committed: () => wake(chat.id) };
    },
    async speak(chatId, participantId, by) {
      const chat = await chatOf(store, chatId);
      const round = make(chat, { by, causes: {} }, { number: 0, participants: [participantId] });
      await store.apply([roundChange(round, clock.now())]);
      wake(chatId);
      return round.id;
    },
    async cancel(chatId, participantId) {
      const hasRounds = (await openRounds(deps, chatId)).length > 0;
      if (hasRounds) {
        const runs = participantId === undefined ? stopAll(deps, chatId) : stopOne(deps, chatId, participantId);
        await cancelAll(await runs, cancelRun);
      }
      // A round that is stopped asks for no summary any more.
      if (participantId === undefined) await cancelAll(await openSummary(deps, chatId), cancelRun);
      if (!hasRounds) return;
      await step(chatId);
      wake(chatId);
    },
  };
}

function byOf({ meta }: ChatMessage): string {
  return meta.userId ?? 'user';
}

async function chatOf(store: RoundDependencies['store'], id: string): Promise<Chat> {
  return chatOfRow(await readChatRow(store, id));
}

/** Stops all rounds of a chat; returns the runs that have to be cancelled then. */
async function stopAll(deps: RoundDependencies, chatId: string): Promise<string[]> {
  return repeatOnConflict(async () => {
    const rounds = await openRounds(deps, chatId);
    const stopped = rounds.map((round) => advanceRound(round, { type: 'CANCEL' }).round);
    await deps.store.apply(stopped.map((round) => roundChange(round, deps.clock.now())));
    return rounds.flatMap(({ facts }) => Object.values(facts.runs));
  });
}

/**
 * The run of a participant that speaks, to be cancelled. One that would speak in rounds that wait for their turn counts as cancelled when
 * these begin.
 */
async function stopOne(deps: RoundDependencies, chatId: string, participantId: string): Promise<string[]> {
  return repeatOnConflict(async () => {
    const rounds = await openRounds(deps, chatId);
    const runs = rounds.flatMap(({ facts }) => facts.runs[participantId] ?? []);
    const waiting = rounds.find(({ context }) => context.next.includes(participantId));
    if (runs.length > 0 || waiting === undefined) return runs;
    const { facts } = waiting;
    const failures = { ...facts.failures, [participantId]: CANCELLED };
    await deps.store.apply([roundChange({ ...waiting, facts: { ...facts, failures } }, deps.clock.now())]);
    return [];
  });
}

async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT' || tries >= MAX_TRIES) throw error;
    }
}
