/**
 * An agent's thread that a director talks to more than once. Asks queue; each is worked by a run machine of its own; an
 * idle session expires.
 *
 *   idle ──ASK──▶ working ──ASK_DONE──▶ idle          idle ──after idleMs──▶ expired
 *   UNASK takes an ask back, the current one too.     CLOSE ▶ completed, from anywhere
 *
 * Who queues behind an ask that waits for a person or a limit waits for the same, and is told so: nobody's time limit
 * counts meanwhile.
 */
import { assign, setup } from 'xstate';

/** Who asks: the machine whose tool call waits, and that call as `<turn>/<call id>`. */
export interface Ask {
  readonly caller: string;
  readonly call: string;
}

/** How the current ask fares: it works, or waits for a person or for a limit to open. */
export type FrontState = 'running' | 'asking' | 'limited';

export interface SessionContext {
  readonly idleMs: number;
  readonly queue: readonly Ask[];
  readonly current: Ask | null;
  readonly front: FrontState;
  /** Asks taken so far. */
  readonly asks: number;
}

export type SessionEvent =
  | ({ readonly type: 'ASK' } & Ask)
  | ({ readonly type: 'UNASK' } & Ask)
  /** `number` counts asks as `asks` does: news of one that was taken back is not about the current one. */
  | { readonly type: 'ASK_PARKED'; readonly number: number; readonly why: 'asking' | 'limited' }
  | { readonly type: 'ASK_RESUMED'; readonly number: number }
  | { readonly type: 'ASK_DONE' }
  | { readonly type: 'CLOSE' };

const isSame = (a: Ask | null, b: Ask) => a !== null && a.caller === b.caller && a.call === b.call;
const isParked = ({ front }: SessionContext) => front !== 'running';
/** Asks whose callers were told that they wait. */
const told = (context: SessionContext) => (isParked(context) ? context.queue : []);

export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as { idleMs: number },
    tags: {} as 'parked',
  },
  actions: {
    /** Starts the run machine that works the ask. */
    startAsk: (_, _params: { ask: Ask; number: number }) => {},
    /** Cancels the run machine of the ask; nobody waits for its outcome any more. */
    dropAsk: (_, _params: { number: number }) => {},
    /** Tells the callers of asks whose turn has not come that they wait as the current one does, or for work again. */
    tellQueue: (_, _params: { asks: readonly Ask[]; front: FrontState }) => {},
    /** Answers asks that will never be worked. */
    refuseAsks: (_, _params: { asks: readonly Ask[] }) => {},
    /** The session is over: `expired` or `completed`. */
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
