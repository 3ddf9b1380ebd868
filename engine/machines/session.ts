/**
 * An agent's thread that a director asks more than once. Asks queue; each gets a run machine of its own; an idle session
 * expires.
 *
 *   idle ──ASK──▶ working ──ASK_DONE──▶ idle          idle ──after idleMs──▶ expired
 *   UNASK withdraws an ask, also the current one.     CLOSE ▶ completed, from anywhere
 *
 * While the current ask waits for a person or a limit, the queued asks wait for the same. Their callers are informed, so that no
 * time limit counts meanwhile.
 */
import { assign, setup } from 'xstate';

/** An ask: the machine whose tool call waits, and that call as `<turn>/<call id>`. */
export interface Ask {
  readonly caller: string;
  readonly call: string;
}

/** The state of the current ask: it runs, or waits for a person or for a limit. */
export type FrontState = 'running' | 'asking' | 'limited';

export interface SessionContext {
  readonly idleMs: number;
  readonly queue: readonly Ask[];
  readonly current: Ask | null;
  readonly front: FrontState;
  /** Number of asks so far. */
  readonly asks: number;
}

export type SessionEvent =
  | ({ readonly type: 'ASK' } & Ask)
  | ({ readonly type: 'UNASK' } & Ask)
  /** `number` is the count of asks: an event of a withdrawn ask does not concern the current one. */
  | { readonly type: 'ASK_PARKED'; readonly number: number; readonly why: 'asking' | 'limited' }
  | { readonly type: 'ASK_RESUMED'; readonly number: number }
  | { readonly type: 'ASK_DONE' }
  | { readonly type: 'CLOSE' };

const isSame = (a: Ask | null, b: Ask) => a !== null && a.caller === b.caller && a.call === b.call;
const isParked = ({ front }: SessionContext) => front !== 'running';
/** Asks whose callers were informed that they wait. */
const told = (context: SessionContext) => (isParked(context) ? context.queue : []);

export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as { idleMs: number },
    tags: {} as 'parked',
  },
  actions: {
    /** Starts the run machine of the ask. */
    startAsk: (_, _params: { ask: Ask; number: number }) => {},
    /** Cancels the run machine of the ask. */
    dropAsk: (_, _params: { number: number }) => {},
    /** Informs the callers of queued asks that they wait, as the current ask does, or go on. */
    tellQueue: (_, _params: { asks: readonly Ask[]; front: FrontState }) => {},
    /** Answers asks that will never run. */
    refuseAsks: (_, _params: { asks: readonly Ask[] }) => {},
    /** Ends the session as `expired` or `completed`. */
    finish: (_, _params: { status: 'expired' | 'completed' }) => {},

    enqueue: assign(({ context, event }) =>
      event.type === 'ASK' ? { queue: [...context.queue, { caller: event.caller, call: event.call }] } : {},
    ),
    dequeue: assign(({ context, event }) =>
      event.type === 'UNASK' ? { queue: context.queue.filter((ask) => !isSame(ask, event)) } : {},
    ),
    take: assign(({ context }) => ({
      current: context.queue[0] ?? null,
      queue: context.queue.slice(1),
      asks: context.asks + 1,
    })),
    park: assign(({ event }) => (event.type === 'ASK_PARKED' ? { front: event.why } : {})),
    resume: assign({ front: 'running' }),
    release: assign({ current: null, front: 'running' }),
  },
  guards: {
    hasWork: ({ context }) => context.queue.length > 0,
    isCurrent: ({ context, event }) => event.type === 'UNASK' && isSame(context.current, event),
    isFront: ({ context, event }) => 'number' in event && event.number === context.asks,
    isParked: ({ context }) => isParked(context),
  },
  delays: { idle: ({ context }) => context.idleMs },
}).createMachine({
  id: 'session',
  version: '2',
  context: ({ input }) => ({ idleMs: input?.idleMs ?? 0, queue: [], current: null, front: 'running', asks: 0 }),
  initial: 'idle',
  on: {
    ASK: { actions: 'enqueue' },
    UNASK: { actions: 'dequeue' },
    CLOSE: { target: '.completed' },
  },
  states: {
    idle: { tags: 'parked', always: { guard: 'hasWork', target: 'working' }, after: { idle: 'expired' } },
    working: {
      entry: [
        'take',
        {
          type: 'startAsk',
          params: ({ context }) => ({ ask: context.current ?? { caller: '', call: '' }, number: context.asks }),
        },
      ],
      on: {
        ASK: [
          {
            guard: 'isParked',
            actions: [
              'enqueue',
              {
                type: 'tellQueue',
                params: ({ context, event: { caller, call } }) => ({ asks: [{ caller, call }], front: context.front }),
              },
            ],
          },
          { actions: 'enqueue' },
        ],
        ASK_PARKED: {
          guard: 'isFront',
          actions: [
            'park',
            { type: 'tellQueue', params: ({ context, event }) => ({ asks: context.queue, front: event.why }) },
          ],
        },
        ASK_RESUMED: {
          guard: 'isFront',
          actions: [
            { type: 'tellQueue', params: ({ context }) => ({ asks: told(context), front: 'running' as const }) },
            'resume',
          ],
        },
        ASK_DONE: { target: 'idle', actions: 'release' },
        UNASK: [
          {
            guard: 'isCurrent',
            target: 'idle',
            actions: [
              { type: 'dropAsk', params: ({ context }) => ({ number: context.asks }) },
              { type: 'tellQueue', params: ({ context }) => ({ asks: told(context), front: 'running' as const }) },
              'release',
            ],
          },
          { actions: 'dequeue' },
        ],
        CLOSE: {
          target: 'completed',
          actions: { type: 'dropAsk', params: ({ context }) => ({ number: context.asks }) },
        },
      },
    },
    expired: { type: 'final', entry: { type: 'finish', params: { status: 'expired' } } },
    completed: {
      type: 'final',
      entry: [
        { type: 'refuseAsks', params: ({ context }) => ({ asks: context.queue }) },
        { type: 'finish', params: { status: 'completed' } },
      ],
    },
  },
});
