import { initialTransition, type StateValue, transition } from 'xstate';
import { type RoundContext, type RoundEvent, roundMachine, type SpeakerState } from '../../../machines/round.ts';
import { EngineError, type ErrorBody } from '../../base/error.ts';
import { damagedRow } from '../../store/damaged-row.ts';
import type { Change, Reader, Row } from '../../store/store.ts';

/** The machine of rounds, for its diagram and the table of its versions. */
export const ROUND_MACHINE = roundMachine;

/** What the store keeps of rounds besides the state of their machine. */
export interface RoundFacts {
  /** The message of a person that started the rounds; absent where a person had a participant speak. */
  readonly messageId?: string;
  /** Id of the person. */
  readonly by: string;
  /** The run of each participant of the current round. */
  readonly runs: Readonly<Record<string, string>>;
  /** The names of these participants, for when they are removed from the chat meanwhile. */
  readonly names?: Readonly<Record<string, string>>;
  /** Why participants of the current round could not begin. */
  readonly failures?: Readonly<Record<string, ErrorBody>>;
  /** The message that made each participant of the current round speak. */
  readonly causes: Readonly<Record<string, string>>;
  /** Number of the last message of the transcript on which the current round speaks. */
  readonly upTo: number;
}

/** What the machine asks for: params of its actions. */
export type RoundOrder =
  | { readonly type: 'startRuns'; readonly number: number; readonly participants: readonly string[] }
  | { readonly type: 'cancelRuns'; readonly participants: readonly string[] }
  | {
      readonly type: 'appendReplies';
      readonly number: number;
      readonly speakers: Readonly<Record<string, SpeakerState>>;
    };

const ORDERS: readonly string[] = ['startRuns', 'cancelRuns', 'appendReplies'] satisfies RoundOrder['type'][];

/** Rounds that one action set off, ready for the next event. */
export interface RoundState {
  readonly id: string;
  readonly chatId: string;
  readonly facts: RoundFacts;
  /** `queued`, `speaking`, `stopping`, and others of the machine. */
  readonly value: StateValue;
  readonly context: RoundContext;
  readonly isOver: boolean;
  /** Revision of the stored row; 0 without one. */
  readonly rev: number;
}

/** Rounds that are not stored yet; they wait for their turn. */
export function newRound(
  head: Pick<RoundState, 'id' | 'chatId' | 'facts'>,
  input: { readonly maxRounds: number; readonly number: number; readonly participants: readonly string[] },
): RoundState {
  const [{ value, context }] = initialTransition(roundMachine, input);
  return { ...head, value, context, isOver: false, rev: 0 };
}

/** The rounds after an event, and what the machine asks for now. Rounds that are over stay as they are. */
export function advanceRound(
  round: RoundState,
  event: RoundEvent,
): { readonly round: RoundState; readonly orders: readonly RoundOrder[] } {
  if (round.isOver) return { round, orders: [] };
  const [next, actions] = transition(roundMachine, snapshotOf(round), event);
  const orders = actions
    .filter(({ type }) => ORDERS.includes(type))
    .map(({ type, params }) => ({ type, ...(params as object) }) as RoundOrder);
  const { value, context, status } = next;
  return { round: { ...round, value, context, isOver: status !== 'active' }, orders };
}

/** The rounds of a row. `STORE_DAMAGED`; `MACHINE_VERSION` where a later version has written it. */
export function roundOfRow(row: Row<'chatRound'>): RoundState {
  let stored: { version: string; facts: RoundFacts; value: StateValue; context: RoundContext };
  try {
    stored = JSON.parse(row.body) as typeof stored;
  } catch (cause) {
    throw damagedRow(`chatRound ${row.id}`, cause);
  }
  const { version, facts, value, context } = stored;
  if (version !== roundMachine.version)
    throw new EngineError(
      'MACHINE_VERSION',
      `rounds ${row.id} were written by version ${version}, this is ${roundMachine.version ?? ''}`,
      { hint: 'finish them with the version of Callsheet that started them' },
    );
  return { id: row.id, chatId: row.chat, facts, value, context, isOver: row.status === 'done', rev: row.rev };
}

/** The open rounds of a chat, oldest first; the first of them has its turn. */
export async function openRounds({ store }: { readonly store: Reader }, chatId: string): Promise<RoundState[]> {
  const rows = await store.list('chatRound', {
    where: [
      ['status', '=', 'open'],
      ['chat', '=', chatId],
    ],
    order: [['id', 'asc']],
  });
  return rows.map(roundOfRow);
}

/** The change that stores rounds; `STORE_CONFLICT` where another process has stepped them since. `now` in epoch milliseconds. */
export function roundChange({ id, chatId, facts, value, context, isOver, rev }: RoundState, now: number): Change {
  const body = JSON.stringify({ version: roundMachine.version, facts, value, context });
  const set = { status: isOver ? 'done' : 'open', rev: rev + 1, at: now, body };
  return rev === 0
    ? { op: 'insert', table: 'chatRound', row: { id, chat: chatId, ...set } }
    : { op: 'update', table: 'chatRound', key: { id }, set, expect: { rev } };
}

function snapshotOf({ value, context }: RoundState) {
  return roundMachine.resolveState({ value: value as never, context });
}
