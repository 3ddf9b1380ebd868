/**
 * The work of a plan director on one wish. Pure: ids and counters only. The plan, the results of its steps and the texts are
 * rows; roles do the work, one at a time, each in a machine of its own.
 *
 *   queued ──START──▶ summarising ⇄ planning ──PLANNED──▶ executing ⇄ evaluating ──▶ synthesising ──▶ checking ──▶ completed
 *   planning ──TOO_LONG──▶ summarising: the model cannot read the whole conversation
 *   executing ──STEP_DONE──▶ passed: the next step, or synthesising │ failed: again, after the last retry the next step
 *                            hopeless: the next step                │ unclear: evaluating
 *   evaluating ──EVALUATED─▶ the same, without unclear
 *   anywhere: CANCEL ▶ cancelled, DEADLINE ▶ failed (LIMIT_TIME), FAIL ▶ failed
 *
 * Beside the work, `time` says whether the time limit counts: not while the role waits for a person or for a limit.
 */
import { assign, cancel, raise, setup } from 'xstate';

/** The roles, in the order of their first work. `summary` sums up the earlier part of a long conversation. */
export type PlanRole = 'summary' | 'planner' | 'executor' | 'evaluator' | 'synthesis';

/** What a run waits for while its role does. */
export type PlanWait = 'asking' | 'limited' | 'answer';

/** The error that ended a plan. */
interface PlanFailure {
  readonly code: string;
  readonly message: string;
}

export interface PlanContext {
  /** Steps of the plan; 0 before there is one. */
  readonly steps: number;
  /** The step that is worked on, from 1; 0 before the first. */
  readonly step: number;
  /** Retries of this step so far. */
  readonly retries: number;
  readonly maxRetries: number;
  /** Steps that failed for good. */
  readonly failedSteps: number;
  /** The role that works; null where none does. */
  readonly role: PlanRole | null;
  /** Roles that have started so far, the present one included, without summaries. */
  readonly number: number;
  readonly wait: PlanWait | null;
  /** The whole working time, in milliseconds. */
  readonly timeMs: number;
  /** Working time left, as of `since`. */
  readonly leftMs: number;
  /** Start of the running time count, in epoch milliseconds, or 0 while time does not count. */
  readonly since: number;
  readonly failure: PlanFailure | null;
}

export type PlanEvent =
  | { readonly type: 'START'; readonly at: number; readonly limits: { readonly timeMs: number } }
  | { readonly type: 'START_FAILED' | 'FAIL'; readonly at: number; readonly failure: PlanFailure }
  /** The summary is stored, or none is needed. */
  | { readonly type: 'SUMMARISED'; readonly at: number }
  | { readonly type: 'TOO_LONG'; readonly at: number }
  /** `steps`: 1 or more. `maxRetries`: for each step. */
  | { readonly type: 'PLANNED'; readonly at: number; readonly steps: number; readonly maxRetries: number }
  | {
      readonly type: 'STEP_DONE';
      readonly at: number;
      /** unclear: a model has to say. hopeless: another try would meet the same, such as a person's no. */
      readonly verdict: 'passed' | 'failed' | 'hopeless' | 'unclear';
    }
  | { readonly type: 'EVALUATED'; readonly at: number; readonly verdict: 'passed' | 'failed' }
  | { readonly type: 'SYNTHESISED'; readonly at: number }
  /** The checked answer is stored. */
  | { readonly type: 'MODEL_ANSWERED'; readonly at: number }
  | { readonly type: 'CALL_PARKED'; readonly at: number; readonly call: string; readonly why: PlanWait }
  | { readonly type: 'CALL_RESUMED'; readonly at: number; readonly call: string }
  | { readonly type: 'CANCEL'; readonly at: number }
  /** `byMs` of the time on the clock did not pass: the clock was set (back: below 0), or no process worked. */
  | { readonly type: 'TIME_SHIFTED'; readonly at: number; readonly byMs: number }
  | { readonly type: 'DEADLINE' }
  | { readonly type: 'xstate.init'; readonly input: unknown };

/** The name of a role's work, as its waits name it. */
const callOf = ({ role, number }: PlanContext) => `role/${role}/${number}`;

const isFailed = (event: PlanEvent) => 'verdict' in event && event.verdict === 'failed';
const mayRetry = ({ context, event }: { context: PlanContext; event: PlanEvent }) =>
  isFailed(event) && context.retries < context.maxRetries;
const isLast = ({ step, steps }: PlanContext) => step >= steps;

export const planMachine = setup({
  types: { context: {} as PlanContext, events: {} as PlanEvent, tags: {} as 'parked' },
  actions: {
    /** Starts a role; `step` is 0 for the summary, the planner and the synthesis, `retry` is 0 for the first try of a step. */
    startRole: (_, _params: { role: PlanRole; number: number; step: number; retry: number }) => {},
    /** Ends the role that works, if one does. */
    dropRole: (_, _params: { role: PlanRole | null; number: number }) => {},
    /** Checks what the synthesis claims, stores the answer, and says MODEL_ANSWERED. */
    checkAnswer: () => {},
    /** Aborts the check, if it still reads. */
    dropCheck: () => {},
    finish: () => {},

    begin: assign(({ event }) => {
      if (event.type !== 'START') return {};
      const { timeMs } = event.limits;
      return { timeMs, leftMs: timeMs, since: event.at };
    }),
    takePlan: assign(({ event }) =>
      event.type === 'PLANNED' ? { steps: event.steps, maxRetries: event.maxRetries, step: 1, retries: 0 } : {},
    ),
    countRetry: assign(({ context }) => ({ retries: context.retries + 1 })),
    nextStep: assign(({ context, event }) => ({
      step: context.step + 1,
      retries: 0,
      failedSteps: context.failedSteps + Number('verdict' in event && event.verdict !== 'passed'),
    })),
    countRole: assign(({ context }, { role }: { role: PlanRole }) => ({
      role,
      number: context.number + (role === 'summary' ? 0 : 1),
    })),
    noRole: assign({ role: null }),
    wait: assign(({ event }) => (event.type === 'CALL_PARKED' ? { wait: event.why } : {})),
    stopCounting: assign(({ context, event }) => {
      const at = 'at' in event ? event.at : context.since;
      return { leftMs: Math.max(0, context.leftMs - (at - context.since)), since: 0 };
    }),
    goOnCounting: assign(({ event }) => ({ wait: null, since: 'at' in event ? event.at : 0 })),
    shiftTime: assign(({ context, event }) => {
      if (event.type !== 'TIME_SHIFTED') return {};
      const workedMs = Math.max(0, event.at - event.byMs - context.since);
      return { leftMs: Math.max(0, context.leftMs - workedMs), since: event.at };
    }),
    setDeadline: raise({ type: 'DEADLINE' }, { id: 'deadline', delay: 'timeLeft' }),
    clearDeadline: cancel('deadline'),
    fail: assign(({ event }) => ('failure' in event ? { failure: event.failure } : {})),
    failOnTime: assign(({ context }) => ({
      failure: {
        code: 'LIMIT_TIME',
        message: `stopped after ${context.timeMs / 60_000} minutes of work (budget.maxMinutes)`,
      },
    })),
  },
  guards: {
    mayRetry,
    isUnclear: ({ event }) => event.type === 'STEP_DONE' && event.verdict === 'unclear',
    isLast: ({ context }) => isLast(context),
    isOurs: ({ context, event }) => context.role !== null && 'call' in event && event.call === callOf(context),
    /** A clock that was set back concerns only a count that began before. */
    isCounting: ({ context, event }) =>
      event.type === 'TIME_SHIFTED' && context.since > 0 && (event.byMs > 0 || context.since > event.at),
  },
  delays: { timeLeft: ({ context }) => context.leftMs },
}).createMachine({
  id: 'plan',
  version: '1',
  context: {
    steps: 0,
    step: 0,
    retries: 0,
    maxRetries: 0,
    failedSteps: 0,
    role: null,
    number: 0,
    wait: null,
    timeMs: 0,
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
        START: { target: 'active', actions: ['begin', 'setDeadline'] },
        START_FAILED: { target: 'failed', actions: 'fail' },
      },
    },
    active: {
      type: 'parallel',
      exit: [
        { type: 'dropRole', params: ({ context: { role, number } }) => ({ role, number }) },
        'noRole',
        'clearDeadline',
      ],
      states: {
        work: {
          initial: 'summarising',
          states: {
            summarising: {
              entry: [
                { type: 'countRole', params: { role: 'summary' } },
                {
                  type: 'startRole',
                  params: ({ context: { number } }) => ({ role: 'summary', number, step: 0, retry: 0 }),
                },
              ],
              on: { SUMMARISED: 'planning' },
            },
            planning: {
              entry: [
                { type: 'countRole', params: { role: 'planner' } },
                {
                  type: 'startRole',
                  params: ({ context: { number } }) => ({ role: 'planner', number, step: 0, retry: 0 }),
                },
              ],
              on: { PLANNED: { target: 'executing', actions: 'takePlan' }, TOO_LONG: 'summarising' },
            },
            executing: {
              entry: [
                { type: 'countRole', params: { role: 'executor' } },
                {
                  type: 'startRole',
                  params: ({ context: { number, step, retries } }) => ({
                    role: 'executor',
                    number,
                    step,
                    retry: retries,
                  }),
                },
              ],
              on: {
                STEP_DONE: [
                  { guard: 'isUnclear', target: 'evaluating' },
                  { guard: 'mayRetry', target: 'executing', reenter: true, actions: 'countRetry' },
                  { guard: 'isLast', target: 'synthesising', actions: 'nextStep' },
                  { target: 'executing', reenter: true, actions: 'nextStep' },
                ],
              },
            },
            evaluating: {
              entry: [
                { type: 'countRole', params: { role: 'evaluator' } },
                {
                  type: 'startRole',
                  params: ({ context: { number, step, retries } }) => ({
                    role: 'evaluator',
                    number,
                    step,
                    retry: retries,
                  }),
                },
              ],
              on: {
                EVALUATED: [
                  { guard: 'mayRetry', target: 'executing', actions: 'countRetry' },
                  { guard: 'isLast', target: 'synthesising', actions: 'nextStep' },
                  { target: 'executing', actions: 'nextStep' },
                ],
              },
            },
            synthesising: {
              entry: [
                { type: 'countRole', params: { role: 'synthesis' } },
                {
                  type: 'startRole',
                  params: ({ context: { number } }) => ({ role: 'synthesis', number, step: 0, retry: 0 }),
                },
              ],
              on: { SYNTHESISED: { target: 'checking', actions: 'noRole' } },
            },
            checking: {
              entry: 'checkAnswer',
              exit: 'dropCheck',
              on: { MODEL_ANSWERED: { target: '#plan.completed' } },
            },
          },
        },
        time: {
          initial: 'counting',
          states: {
            counting: { on: { CALL_PARKED: { guard: 'isOurs', target: 'parked', actions: 'wait' } } },
            parked: {
              tags: 'parked',
              entry: ['stopCounting', 'clearDeadline'],
              exit: ['goOnCounting', 'setDeadline'],
              on: {
                CALL_PARKED: { guard: 'isOurs', actions: 'wait' },
                CALL_RESUMED: { guard: 'isOurs', target: 'counting' },
                // The outcome of a role may come before the news that it no longer waits.
                SUMMARISED: 'counting',
                TOO_LONG: 'counting',
                PLANNED: 'counting',
                STEP_DONE: 'counting',
                EVALUATED: 'counting',
                SYNTHESISED: 'counting',
              },
            },
          },
        },
      },
    },
    completed: { type: 'final', entry: ['clearDeadline', 'finish'] },
    failed: { type: 'final', entry: ['clearDeadline', 'finish'] },
    cancelled: { type: 'final', entry: ['clearDeadline', 'finish'] },
  },
});
