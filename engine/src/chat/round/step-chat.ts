import type { RoundEvent } from '../../../machines/round.ts';
import { EngineError } from '../../base/error.ts';
import { liveRunFields, type Run } from '../../run/run.ts';
import type { Change } from '../../store/store.ts';
import type { Chat, ChatMessage } from '../chat.ts';
import { appendMessages, chatOfRow, lastSeq } from '../chat-rows.ts';
import { readTranscript, type Transcript } from '../message/transcript.ts';
import { repliesOf, type SpeakerEnd, speakerEnd } from './replies.ts';
import { askForSummary, keepSummary, NO_SUMMARY } from './summarise.ts';
import { readSummary, writtenSummary } from '../summary-rows.ts';
import { advanceRound, openRounds, roundChange, type RoundOrder, type RoundState } from './round-state.ts';
import { type RoundDependencies, startSpeakers } from './start-speakers.ts';

/** Attempts to commit a step while messages arrive and other processes do the same. */
const MAX_TRIES = 20;

/** What a step of rounds has stored. */
interface Outcome {
  readonly started: readonly Run[];
  readonly messages: readonly ChatMessage[];
}

/** Cancels a run, as `Engine.cancel` does. */
export type CancelRun = (runId: string) => Promise<void>;

/**
 * Does what is due in a chat: the oldest rounds go on as far as they can without waiting, then those after them. Each step is one
 * commit that expects the revision it was read at, so several processes may try at once. Resolves with the number of
 * runs that were queued; the caller tells the engine.
 */
export async function stepChat(deps: RoundDependencies, chatId: string, cancelRun: CancelRun): Promise<number> {
  let queued = 0;
  await keepSummary(deps, chatId);
  for (let tries = 0; tries < MAX_TRIES;) {
    try {
      const outcome = await stepOnce(deps, chatId, cancelRun);
      if (outcome === undefined) return queued;
      queued += outcome.started.length;
      tell(deps, chatId, outcome);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
      tries++;
    }
  }
  deps.log.warn('the rounds of a chat changed too often meanwhile; trying again later', { chat: chatId });
  return queued;
}

/** Cancels runs; those that are over or gone need none. */
export async function cancelAll(runs: readonly string[], cancelRun: CancelRun): Promise<void> {
  for (const id of runs)
    try {
      await cancelRun(id);
    } catch (error) {
      if (!(error instanceof EngineError) || !['RUN_NOT_ACTIVE', 'NOT_FOUND'].includes(error.code)) throw error;
    }
}

/** One step of the oldest rounds; undefined where they wait, or there are none. */
async function stepOnce(deps: RoundDependencies, chatId: string, cancelRun: CancelRun): Promise<Outcome | undefined> {
  const [round] = await openRounds(deps, chatId);
  if (round === undefined) return undefined;
  const row = await deps.store.get('chat', { id: chatId });
  if (row === undefined) {
    await cancelAll(Object.values(round.facts.runs), cancelRun);
    return commit(deps, advanceRound(round, { type: 'DROP' }).round, {});
  }
  const chat = chatOfRow(row);
  if (round.value === 'queued') return start(deps, chat, round);
  // The process that stopped them may have died before it cancelled their runs.
  if (round.value === 'stopping') await cancelAll(Object.values(round.facts.runs), cancelRun);
  const ends = await endsOf(deps, round);
  if (ends === undefined) return undefined;
  return close(deps, { row, chat, round, ends });
}

/** Has the participants of queued rounds speak on all that is in the chat now. */
async function start(deps: RoundDependencies, chat: Chat, queued: RoundState): Promise<Outcome> {
  const upTo = await lastSeq(deps.store, chat.id);
  const { round, orders } = advanceRound(queued, { type: 'START' });
  const transcript = await transcriptOf(deps, chat.id, upTo);
  return follow(deps, { chat, round: { ...round, facts: { ...round.facts, upTo } }, orders, transcript });
}

/** How all speakers have ended; undefined while one of them speaks. */
async function endsOf(deps: RoundDependencies, round: RoundState): Promise<Map<string, SpeakerEnd> | undefined> {
  const ends = new Map<string, SpeakerEnd>();
  for (const id of Object.keys(round.context.speakers)) {
    const end = await speakerEnd(deps, round.facts, id);
    if (end === undefined) return undefined;
    ends.set(id, end);
  }
  return ends;
}

/** Appends the messages of a round, and starts the next one or ends: one commit. */
async function close(
  deps: RoundDependencies,
  {
    row,
    chat,
    round: open,
    ends,
  }: {
    readonly row: { readonly id: string; readonly at: number };
    readonly chat: Chat;
    readonly round: RoundState;
    readonly ends: ReadonlyMap<string, SpeakerEnd>;
  },
): Promise<Outcome> {
  let round = open;
  const send = (event: RoundEvent): readonly RoundOrder[] => {
    const next = advanceRound(round, event);
    round = next.round;
    return next.orders;
  };
  for (const [participant, { as }] of ends) send({ type: 'ENDED', participant, as });
  const { messages: replies, causes } = await repliesOf(deps, chat, open, ends);
  const now = deps.clock.now();
  const { changes, messages } = await appendMessages(deps.store, row, replies, { now, redactor: deps.redactor });
  const orders = send({ type: 'APPENDED', mentioned: Object.keys(causes) });
  const upTo = messages.at(-1)?.seq ?? round.facts.upTo;
  const facts = { ...round.facts, causes, upTo, runs: {}, failures: {} };
  const transcript = orders.length === 0 ? undefined : await withNew(deps, chat.id, messages);
  return follow(deps, { chat, round: { ...round, facts }, orders, transcript, appended: { changes, messages } });
}

/** The transcript with messages that are not stored yet. */
async function withNew(deps: RoundDependencies, chatId: string, added: readonly ChatMessage[]): Promise<Transcript> {
  const before = await transcriptOf(deps, chatId, (added[0]?.seq ?? 1) - 1);
  return { ...before, messages: [...before.messages, ...added] };
}

async function transcriptOf({ store }: RoundDependencies, chatId: string, upTo: number): Promise<Transcript> {
  return readTranscript(store, chatId, upTo, { written: writtenSummary(await readSummary(store, chatId)) });
}

/** Commits a step with what its machine asks for. */
async function follow(
  deps: RoundDependencies,
  {
    chat,
    round,
    orders,
    transcript,
    appended = { changes: [], messages: [] },
  }: {
    readonly chat: Chat;
    readonly round: RoundState;
    readonly orders: readonly RoundOrder[];
    /** Missing where nobody speaks next. */
    readonly transcript: Transcript | undefined;
    readonly appended?: { readonly changes: readonly Change[]; readonly messages: readonly ChatMessage[] };
  },
): Promise<Outcome> {
  const order = orders.find(({ type }) => type === 'startRuns');
  const made =
    order?.type === 'startRuns' && transcript !== undefined
      ? await startSpeakers(deps, chat, round, { ...order, transcript })
      : { facts: round.facts, started: [], changes: [] };
  const next = { ...round, facts: made.facts };
  const { runs, upTo, by } = made.facts;
  const asked = { speakers: Object.keys(runs), upTo: upTo - appended.messages.length, by };
  const summary = made.started.length === 0 ? NO_SUMMARY : await askForSummary(deps, chat, asked);
  const started = [...made.started, ...summary.started];
  return commit(deps, next, { ...appended, started, more: [...made.changes, ...summary.changes] });
}

async function commit(
  deps: RoundDependencies,
  round: RoundState,
  {
    changes = [],
    messages = [],
    started = [],
    more = [],
  }: {
    readonly changes?: readonly Change[];
    readonly messages?: readonly ChatMessage[];
    readonly started?: readonly Run[];
    readonly more?: readonly Change[];
  },
): Promise<Outcome> {
  deps.probe?.('before-commit');
  await deps.store.apply([roundChange(round, deps.clock.now()), ...changes, ...more]);
  deps.probe?.('after-commit');
  return { started, messages };
}

function tell({ live, log }: RoundDependencies, chatId: string, { started, messages }: Outcome): void {
  for (const { id } of messages) live.publish('chat', { id: chatId, change: 'message', messageId: id });
  live.publish('chat', { id: chatId, change: 'round' });
  for (const run of started) live.publish('run', liveRunFields(run));
  if (started.length > 0) log.debug('participants speak', { chat: chatId, runs: started.map(({ id }) => id).join() });
}
