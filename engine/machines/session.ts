/**
 * An agent's thread that a director talks to more than once. Asks queue; each is worked by a run machine of its own; an
 * idle session expires.
 *
 *   idle ──ASK──▶ working ──ASK_DONE──▶ idle          idle ──after idleMs──▶ expired
 *   UNASK takes an ask back, the current one too.     CLOSE ▶ completed, from anywhere
 */
import { assign, setup } from 'xstate';

/** Who asks: the machine whose tool call waits, and that call as `<turn>/<call id>`. */
export interface Ask {
  readonly caller: string;
  readonly call: string;
}

export interface SessionContext {
  readonly idleMs: number;
  readonly queue: readonly Ask[];
  readonly current: Ask | null;
  /** Asks taken so far. */
  readonly asks: number;
}

export type SessionEvent =
  | ({ readonly type: 'ASK' } & Ask)
  | ({ readonly type: 'UNASK' } & Ask)
  | { readonly type: 'ASK_DONE' }
  | { readonly type: 'CLOSE' };

const isSame = (a: Ask | null, b: Ask) => a !== null && a.caller === b.caller && a.call === b.call;

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
    release: assign({ current: null }),
  },
  guards: {
    hasWork: ({ context }) => context.queue.length > 0,
    isCurrent: ({ context, event }) => event.type === 'UNASK' && isSame(context.current, event),
  },
  delays: { idle: ({ context }) => context.idleMs },
}).createMachine({
  id: 'session',
  version: '1',
  context: ({ input }) => ({ idleMs: input?.idleMs ?? 0, queue: [], current: null, asks: 0 }),
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
        ASK_DONE: { target: 'idle', actions: 'release' },
        UNASK: [
          {
            guard: 'isCurrent',
            target: 'idle',
            actions: [{ type: 'dropAsk', params: ({ context }) => ({ number: context.asks }) }, 'release'],
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
