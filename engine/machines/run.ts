/**
 * The tool loop of one run: a director on one trigger, or an agent on one ask. Pure: ids and counters only, no transcript, no
 * clock: `at` of each event is its time in epoch milliseconds.
 *
 *   queued ──START──▶ asking ──MODEL_ANSWERED──▶ completed        no calls: the last word
 *                      ▲  ▲ │                └─▶ calling          calls are open
 *                      │  │ │                └─▶ asking           all calls were settled in the same step
 *                      │  │ └─MODEL_FAILED──▶ backingOff | rateLimited ──after──▶ asking
 *                      │  │                └─▶ asking          of the next api, where one may take over
 *                      │  │                └─▶ failed
 *                      │  └── calling.running ⇄ calling.parked
 *                      └───── every call settled
 *   anywhere: CANCEL ▶ cancelled, DEADLINE ▶ failed (LIMIT_TIME), FAIL ▶ failed, no turns left ▶ failed (LIMIT_STEPS)
 *
 * The time limit is the delayed event DEADLINE. It is cancelled while the run waits only for a person or a limit, and set again
 * with the time that was left.
 */
import { assign, cancel, raise, setup } from 'xstate';
import type { ParkReason, RunContext, RunEvent, RunLimits } from './run-events.ts';

/** Cut or refused answers in a row before the run fails. */
const MAX_NUDGES = 2;
const MAX_BACKOFF_MS = 60_000;

/** The event to the caller of a machine whose own calls are parked: an approval goes before an answer, and that before a limit. */
function parkedBy({ calls }: RunContext) {
  const waits = new Set(Object.values(calls));
  const why: ParkReason = waits.has('asking') ? 'asking' : waits.has('answer') ? 'answer' : 'limited';
  return { type: 'CALL_PARKED' as const, why };
}

const limitsOf = (context: RunContext): RunLimits =>
  context.limits ?? { maxTurns: 0, timeMs: 0, maxAttempts: 0, backoffMs: 0 };
const openCalls = (context: RunContext) => Object.values(context.calls);
/** Failed attempts of this turn with the present api. */
const failedOf = (context: RunContext) => context.attempt - context.firstAttempt;
const hasAttempts = (context: RunContext) => failedOf(context) + 1 < limitsOf(context).maxAttempts;
const isOutOfTurns = (turn: number, context: RunContext) => turn >= limitsOf(context).maxTurns;

export const runMachine = setup({
  types: { context: {} as RunContext, events: {} as RunEvent, tags: {} as 'parked' },
  actions: {
    /** Effect: one model request with the transcript as it stands. */
    askModel: (_, _params: { turn: number; attempt: number }) => {},
    /** Aborts the model request, if one is running. */
    dropModel: () => {},
    /** Asks another api from now on. */
    changeApi: (_, _params: { apiId: string }) => {},
    /** Cancels, aborts and answers the calls that are still open. */
    dropCalls: (_, _params: { calls: readonly string[] }) => {},
    /** Informs the caller of an ask that the ask waits, or goes on. */
    tellCaller: (_, _params: { type: 'CALL_PARKED' | 'CALL_RESUMED'; why?: ParkReason }) => {},
    /** Ends the run and reports its outcome to its caller. */
    finish: () => {},

    begin: assign(({ event }) => {
      if (event.type !== 'START') return {};
      return { limits: event.limits, leftMs: event.limits.timeMs, since: event.at };
    }),
    countAnswer: assign(({ context, event }) => {
      if (event.type !== 'MODEL_ANSWERED') return {};
      return {
        turn: context.turn + 1,
        attempt: 0,
        firstAttempt: 0,
        nudges: event.outcome === 'nudge' ? context.nudges + 1 : 0,
        calls: event.calls,
        inputTokens: context.inputTokens + event.inputTokens,
        outputTokens: context.outputTokens + event.outputTokens,
      };
    }),
    countFailure: assign(({ context, event }) => {
      if (event.type !== 'MODEL_FAILED') return {};
      const doubling = Math.min(MAX_BACKOFF_MS, limitsOf(context).backoffMs * 2 ** failedOf(context));
      return { attempt: context.attempt + 1, waitMs: event.retryAfterMs ?? doubling };
    }),
    countFallback: assign(({ context, event }) => {
      if (event.type !== 'MODEL_FAILED' || event.next === undefined) return {};
      const { maxAttempts, backoffMs } = event.next;
      const attempt = context.attempt + 1;
      return { attempt, firstAttempt: attempt, limits: { ...limitsOf(context), maxAttempts, backoffMs } };
    }),
    defer: assign(({ event }) => (event.type === 'DEFER' ? { waitMs: event.waitMs } : {})),
    settleCall: assign(({ context, event }) => {
      if (event.type !== 'CALL_SETTLED') return {};
      const { [event.call]: _settled, ...calls } = context.calls;
      return { calls };
    }),
    parkCall: assign(({ context, event }) =>
      event.type === 'CALL_PARKED' ? { calls: { ...context.calls, [event.call]: event.why } } : {},
    ),
    resumeCall: assign(({ context, event }) =>
      event.type === 'CALL_RESUMED' ? { calls: { ...context.calls, [event.call]: 'running' as const } } : {},
    ),
    stopCounting: assign(({ context, event }) => {
      const at = 'at' in event ? event.at : context.since;
      return { leftMs: Math.max(0, context.leftMs - (at - context.since)), since: 0 };
    }),
    shiftTime: assign(({ context, event }) => {
      if (event.type !== 'TIME_SHIFTED') return {};
      const workedMs = Math.max(0, event.at - event.byMs - context.since);
      return { leftMs: Math.max(0, context.leftMs - workedMs), since: event.at };
    }),
    goOnCounting: assign(({ event }) => ({ since: 'at' in event ? event.at : 0 })),
    setDeadline: raise({ type: 'DEADLINE' }, { id: 'deadline', delay: 'timeLeft' }),
    clearDeadline: cancel('deadline'),
    fail: assign(({ event }) => ('failure' in event && event.failure ? { failure: event.failure } : {})),
    failOnTurns: assign(({ context }) => ({
      failure: {
        code: 'LIMIT_STEPS',
        message: `stopped after ${limitsOf(context).maxTurns} model turns (budget.maxIterations)`,
      },
    })),
    failOnTime: assign(({ context }) => ({
      failure: {
        code: 'LIMIT_TIME',
        message: `stopped after ${limitsOf(context).timeMs / 60_000} minutes of work (budget.maxMinutes)`,
      },
    })),
    forgetCalls: assign({ calls: {} }),
  },
  guards: {
    isFinal: ({ event }) => event.type === 'MODEL_ANSWERED' && event.outcome === 'final',
    isHopeless: ({ context, event }) =>
      event.type === 'MODEL_ANSWERED' && event.outcome === 'nudge' && context.nudges >= MAX_NUDGES,
    isLastTurn: ({ context, event }) =>
      event.type === 'MODEL_ANSWERED' &&
      Object.keys(event.calls).length === 0 &&
      isOutOfTurns(context.turn + 1, context),
    isSettled: ({ event }) => event.type === 'MODEL_ANSWERED' && Object.keys(event.calls).length === 0,
    mayWait: ({ context, event }) =>
      event.type === 'MODEL_FAILED' && event.kind === 'rateLimit' && hasAttempts(context),
    mayRetry: ({ context, event }) =>
      event.type === 'MODEL_FAILED' && event.kind === 'transient' && hasAttempts(context),
    hasNextApi: ({ event }) => event.type === 'MODEL_FAILED' && event.next !== undefined,
    /** A clock that was set back concerns only a count that began before. */
    isCounting: ({ context, event }) =>
      event.type === 'TIME_SHIFTED' && context.since > 0 && (event.byMs > 0 || context.since > event.at),
    knowsCall: ({ context, event }) => 'call' in event && event.call in context.calls,
    noCallsNoTurns: ({ context }) => openCalls(context).length === 0 && isOutOfTurns(context.turn, context),
    noCalls: ({ context }) => openCalls(context).length === 0,
    noneRuns: ({ context }) =>
      openCalls(context).length > 0 && openCalls(context).every((state) => state !== 'running'),
    someRun: ({ context }) => openCalls(context).some((state) => state === 'running'),
  },
  delays: { retryDelay: ({ context }) => context.waitMs, timeLeft: ({ context }) => context.leftMs },
}).createMachine({
  id: 'run',
  version: '3',
  context: {
    limits: null,
    turn: 0,
    attempt: 0,
    firstAttempt: 0,
    nudges: 0,
    waitMs: 0,
    calls: {},
    inputTokens: 0,
    outputTokens: 0,
    leftMs: 0,
    since: 0,
    failure: null,
  },
  initial: 'queued',
  on: {
    CANCEL: { target: '.cancelled' },
    FAIL: { target: '.failed', actions: 'fail' },
    DEADLINE: { target: '.failed', actions: 'failOnTime' },
    TIME_SHIFTED: { guard: 'isCounting', actions: ['shiftTime', 'setDeadline'] },
  },
  states: {
    queued: {
      tags: 'parked',
      on: {
        START: { target: 'asking', actions: ['begin', 'setDeadline'] },
        START_FAILED: { target: 'failed', actions: 'fail' },
      },
    },
    asking: {
      entry: { type: 'askModel', params: ({ context }) => ({ turn: context.turn + 1, attempt: context.attempt }) },
      exit: 'dropModel',
      on: {
        MODEL_ANSWERED: [
          { guard: 'isFinal', target: 'completed', actions: 'countAnswer' },
          { guard: 'isHopeless', target: 'failed', actions: ['countAnswer', 'fail'] },
          { guard: 'isLastTurn', target: 'failed', actions: ['countAnswer', 'failOnTurns'] },
          { guard: 'isSettled', target: 'asking', reenter: true, actions: 'countAnswer' },
          { target: 'calling', actions: 'countAnswer' },
        ],
        MODEL_FAILED: [
          { guard: 'mayWait', target: 'rateLimited', actions: 'countFailure' },
          { guard: 'mayRetry', target: 'backingOff', actions: 'countFailure' },
          {
            guard: 'hasNextApi',
            target: 'asking',
            reenter: true,
            actions: [
              'countFallback',
              {
                type: 'changeApi',
                params: ({ event }) => ({ apiId: event.type === 'MODEL_FAILED' ? (event.next?.apiId ?? '') : '' }),
              },
            ],
          },
          { target: 'failed', actions: 'fail' },
        ],
        DEFER: { target: 'rateLimited', actions: 'defer' },
      },
    },
    backingOff: { tags: 'parked', after: { retryDelay: 'asking' } },
    rateLimited: {
      tags: 'parked',
      entry: ['stopCounting', 'clearDeadline', { type: 'tellCaller', params: { type: 'CALL_PARKED', why: 'limited' } }],
      exit: ['goOnCounting', 'setDeadline', { type: 'tellCaller', params: { type: 'CALL_RESUMED' } }],
      after: { retryDelay: 'asking' },
    },
    calling: {
      initial: 'running',
      exit: [{ type: 'dropCalls', params: ({ context }) => ({ calls: Object.keys(context.calls) }) }, 'forgetCalls'],
      on: {
        CALL_SETTLED: { guard: 'knowsCall', actions: 'settleCall' },
        CALL_PARKED: { guard: 'knowsCall', actions: 'parkCall' },
        CALL_RESUMED: { guard: 'knowsCall', actions: 'resumeCall' },
      },
      always: [
        { guard: 'noCallsNoTurns', target: 'failed', actions: 'failOnTurns' },
        { guard: 'noCalls', target: 'asking' },
      ],
      states: {
        running: { always: { guard: 'noneRuns', target: 'parked' } },
        parked: {
          tags: 'parked',
          entry: ['stopCounting', 'clearDeadline', { type: 'tellCaller', params: ({ context }) => parkedBy(context) }],
          exit: ['goOnCounting', 'setDeadline', { type: 'tellCaller', params: { type: 'CALL_RESUMED' } }],
          always: { guard: 'someRun', target: 'running' },
        },
      },
    },
    completed: { type: 'final', entry: ['clearDeadline', 'finish'] },
    failed: { type: 'final', entry: ['clearDeadline', 'finish'] },
    cancelled: { type: 'final', entry: ['clearDeadline', 'finish'] },
  },
});
