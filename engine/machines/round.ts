/**
 * What one action in a group chat sets off: participants speak in rounds. Each round has the participants that the messages before it
 * mention; all of them speak on the same transcript, and their messages are appended together.
 *
 *   queued ──START──▶ speaking ──ENDED, all──▶ appending ──APPENDED──▶ speaking (next round) … ──▶ done
 *   CANCEL in a round ▶ stopping ──ENDED, all──▶ closing ──APPENDED──▶ cancelled        CANCEL before it, DROP ▶ cancelled
 *
 * Round 0 is the turn of a participant that a person asked to speak. A participant that fails or is cancelled counts as done.
 */
import { assign, setup } from 'xstate';

/** How a participant is in a round: its run goes on, or how it ended. */
export type SpeakerState = 'running' | 'done' | 'failed' | 'cancelled';

export interface RoundContext {
  /** Rounds of mentions at most; a turn that a person asked for comes before them. */
  readonly maxRounds: number;
  /** The current round. */
  readonly number: number;
  /** The participants of the current round, by id. */
  readonly speakers: Readonly<Record<string, SpeakerState>>;
  /** Ids of those who speak in the round that comes next. */
  readonly next: readonly string[];
}

export type RoundEvent =
  /** It is the turn of this action: those before it in the chat are over. */
  | { readonly type: 'START' }
  | { readonly type: 'ENDED'; readonly participant: string; readonly as: Exclude<SpeakerState, 'running'> }
  /** The messages of the round are in the chat; `mentioned` are ids of participants. */
  | { readonly type: 'APPENDED'; readonly mentioned: readonly string[] }
  | { readonly type: 'CANCEL' }
  /** The chat is gone. */
  | { readonly type: 'DROP' };

export const roundMachine = setup({
  types: {
    context: {} as RoundContext,
    events: {} as RoundEvent,
    input: {} as { maxRounds: number; number: number; participants: readonly string[] },
    tags: {} as 'parked',
  },
  actions: {
    /** Queues the runs of a round. */
    startRuns: (_, _params: { number: number; participants: readonly string[] }) => {},
    /** Cancels the runs of these participants. */
    cancelRuns: (_, _params: { participants: readonly string[] }) => {},
    /** Appends the messages of the round. */
    appendReplies: (_, _params: { number: number; speakers: Readonly<Record<string, SpeakerState>> }) => {},

    open: assign(({ context: { next } }) => ({
      speakers: Object.fromEntries(next.map((id) => [id, 'running' as const])),
      next: [],
    })),
    end: assign(({ context: { speakers }, event }) =>
      event.type === 'ENDED' && speakers[event.participant] === 'running'
        ? { speakers: { ...speakers, [event.participant]: event.as } }
        : {},
    ),
    goOn: assign(({ context: { number }, event }) =>
      event.type === 'APPENDED' ? { number: number + 1, next: [...new Set(event.mentioned)] } : {},
    ),
    leave: assign({ speakers: {}, next: [] }),
  },
  guards: {
    haveEnded: ({ context }) => Object.values(context.speakers).every((state) => state !== 'running'),
    goesOn: ({ context, event }) =>
      event.type === 'APPENDED' && event.mentioned.length > 0 && context.number < context.maxRounds,
  },
}).createMachine({
  id: 'round',
  version: '1',
  context: ({ input }) => ({
    maxRounds: input?.maxRounds ?? 0,
    number: input?.number ?? 0,
    speakers: {},
    next: [...new Set(input?.participants ?? [])],
  }),
  initial: 'queued',
  on: { DROP: '.cancelled' },
  states: {
    queued: { tags: 'parked', on: { START: 'speaking', CANCEL: 'cancelled' } },
    speaking: {
      tags: 'parked',
      entry: [
        'open',
        {
          type: 'startRuns',
          params: ({ context: { number, speakers } }) => ({ number, participants: Object.keys(speakers) }),
        },
      ],
      on: { ENDED: { actions: 'end' }, CANCEL: 'stopping' },
      always: { guard: 'haveEnded', target: 'appending' },
    },
    appending: {
      entry: {
        type: 'appendReplies',
        params: ({ context: { number, speakers } }) => ({ number, speakers }),
      },
      on: {
        APPENDED: [{ guard: 'goesOn', target: 'speaking', actions: 'goOn' }, { target: 'done' }],
        CANCEL: 'closing',
      },
    },
    stopping: {
      tags: 'parked',
      entry: {
        type: 'cancelRuns',
        params: ({ context: { speakers } }) => ({
          participants: Object.keys(speakers).filter((id) => speakers[id] === 'running'),
        }),
      },
      on: { ENDED: { actions: 'end' } },
      always: { guard: 'haveEnded', target: 'closing' },
    },
    closing: {
      entry: {
        type: 'appendReplies',
        params: ({ context: { number, speakers } }) => ({ number, speakers }),
      },
      on: { APPENDED: 'cancelled' },
    },
    done: { type: 'final', entry: 'leave' },
    cancelled: { type: 'final', entry: 'leave' },
  },
});
