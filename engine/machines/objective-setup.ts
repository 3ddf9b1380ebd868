import { assign, cancel, raise, setup } from 'xstate';
import type {
  ActResult,
  DecidedAction,
  ObjectiveContext,
  ObjectiveEvent,
  OwnAct,
  WakeWhy,
} from './objective-events.ts';

/** Reasons of a wake, the strongest first: of several events, the strongest is the reason of the wake. */
const WAKE_REASONS: readonly WakeWhy[] = [
  'answer',
  'words',
  'reply',
  'draftDeleted',
  'sent',
  'resumed',
  'label',
  'date',
  'start',
];

/** Decisions in a row that the rules do not permit, before a person is asked. */
const MAX_REFUSALS = 2;
/** Wakes before the limits of the life were ever read. */
const MAX_BLIND_WAKES = 5;

const strongest = (a: WakeWhy, b: WakeWhy): WakeWhy => (WAKE_REASONS.indexOf(a) <= WAKE_REASONS.indexOf(b) ? a : b);
const openCalls = ({ calls }: ObjectiveContext) => Object.values(calls);
const timeOf = (event: ObjectiveEvent, otherwise: number) => ('at' in event ? (event.at ?? otherwise) : otherwise);
/** A decision that the rules do not permit; a follow-up above the limit is one. */
const isRefused = ({ followUps, life }: ObjectiveContext, event: ObjectiveEvent) =>
  event.type === 'DECIDED' &&
  (event.action === 'refused' || (event.isFollowUp === true && followUps >= (life?.maxFollowUps ?? 0)));
/** The working time that is left at an event. */
const leftAt = (context: ObjectiveContext, at: number) =>
  context.since === 0 ? context.leftMs : Math.max(0, context.leftMs - (at - context.since));

/** Actions, guards and delays of the machine of objectives. */
export const objectiveSetup = setup({
  types: { context: {} as ObjectiveContext, events: {} as ObjectiveEvent, tags: {} as 'parked' },
  actions: {
    /** Effect: takes the newest config and reads the linked threads; WOKEN reports it. */
    openWake: (_, _params: { number: number }) => {},
    /** Drops the effect of `openWake`, if it runs. */
    dropWake: (_, _params: { number: number }) => {},
    /** Takes what the effect has found; sent by the engine. */
    settleWake: (_, _params: { call: string; result: unknown }) => {},
    /** Starts the work of a role; UNDERSTOOD, DECIDED or WRITTEN reports its end. */
    startRole: (_, _params: { role: 'intake' | 'planner' | 'writer'; number: number }) => {},
    /** Ends the work of the role, if it is not over. */
    dropRole: (_, _params: { role: 'intake' | 'planner' | 'writer'; number: number }) => {},
    /** Makes a tool call through the guards; CALLED reports which calls are open. */
    makeCall: (_, _params: { act: OwnAct; number: number }) => {},
    /** Reads the outcome of the call; ACTED reports what follows. */
    readOutcome: (_, _params: { act: OwnAct; number: number }) => {},
    /** Cancels, aborts and answers the calls that are still open. */
    dropCalls: (_, _params: { calls: readonly string[] }) => {},
    /** Notes that the user has sent the draft; NOTED reports until when a reply is awaited. */
    noteSent: () => {},
    /** Asks the user whether and how to go on; the reason is one sentence. */
    askGoOn: (_, _params: { reason: string }) => {},
    /** Writes the state that is reached into the record of the objective. */
    show: () => {},
    /** Writes into the record that the objective is paused, or goes on. */
    notePause: (_, _params: { isPaused: boolean; by: string }) => {},
    /** Keeps what happened in the record, and adds a line to the story. */
    noteWake: (_, _params: { note: unknown }) => {},
    /** Ends the run and stores its outcome. `by`: the person who finished it. */
    finish: () => {},

    begin: assign(({ event }) => (event.type === 'START' ? { wake: event.limits } : {})),
    hear: assign(({ context, event }) =>
      event.type !== 'WAKE'
        ? {}
        : {
            unread: context.unread + 1,
            next: context.unread === 0 ? event.why : strongest(context.next, event.why),
          },
    ),
    hearOwn: assign(({ context }, why: WakeWhy) => ({
      unread: context.unread + 1,
      next: context.unread === 0 ? why : strongest(context.next, why),
    })),
    countWake: assign(({ context, event }) => ({
      wakes: context.wakes + 1,
      rounds: 0,
      refusals: 0,
      why: context.unread === 0 ? ('start' as const) : context.next,
      unread: 0,
      until: 0,
      leftMs: context.wake?.timeMs ?? 0,
      since: timeOf(event, context.since),
    })),
    woken: assign(({ context, event }) => {
      if (event.type !== 'WOKEN') return {};
      // The time of a wake began before its limits were read.
      const used = (context.wake?.timeMs ?? 0) - leftAt(context, event.at);
      return {
        wake: event.limits,
        life: event.life,
        followUps: Math.max(context.followUps, event.followUps),
        leftMs: Math.max(0, event.limits.timeMs - used),
        since: event.at,
        why: event.isAnswered && context.why === 'date' ? ('reply' as const) : context.why,
      };
    }),
    setLife: raise({ type: 'EXPIRE' }, { id: 'life', delay: 'lifeLeft' }),
    clearLife: cancel('life'),
    setDue: raise({ type: 'DUE' }, { id: 'due', delay: 'untilDue' }),
    clearDue: cancel('due'),
    setDeadline: raise({ type: 'DEADLINE' }, { id: 'deadline', delay: 'timeLeft' }),
    clearDeadline: cancel('deadline'),
    stopCounting: assign(({ context, event }) => ({
      leftMs: leftAt(context, timeOf(event, context.since)),
      since: 0,
    })),
    goOnCounting: assign(({ event }) => ({ since: timeOf(event, 0) })),
    shiftTime: assign(({ context, event }) => {
      if (event.type !== 'TIME_SHIFTED') return {};
      const workedMs = Math.max(0, event.at - event.byMs - context.since);
      return { leftMs: Math.max(0, context.leftMs - workedMs), since: event.at };
    }),
    nextRole: assign(({ context }) => ({ roles: context.roles + 1, role: 'running' as const })),
    parkRole: assign(({ event }) => (event.type === 'CALL_PARKED' ? { role: event.why } : {})),
    resumeRole: assign({ role: 'running' }),
    countDecision: assign(({ context, event }) => {
      if (event.type !== 'DECIDED') return {};
      return {
        rounds: context.rounds + 1,
        refusals: 0,
        until: event.until ?? 0,
        isFollowUp: event.action === 'draft' ? event.isFollowUp === true : context.isFollowUp,
      };
    }),
    countRefusal: assign(({ context }) => ({ rounds: context.rounds + 1, refusals: context.refusals + 1 })),
    plan: assign((_, act: OwnAct) => ({ act })),
    nextCall: assign(({ context }) => ({ acts: context.acts + 1 })),
    openedCalls: assign(({ event }) => (event.type === 'CALLED' ? { calls: event.calls } : {})),
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
    forgetCalls: assign({ calls: {} }),
    waitUntil: assign(({ event }) => ({ until: 'until' in event ? (event.until ?? 0) : 0 })),
    countSent: assign(({ context }) => ({
      followUps: context.followUps + (context.isFollowUp ? 1 : 0),
      isFollowUp: false,
    })),
    pause: assign({ paused: true }),
    unpause: assign({ paused: false }),
    fail: assign(({ event }) => ('failure' in event && event.failure ? { failure: event.failure } : {})),
    failOnWakes: assign(({ context }) => ({
      failure: {
        code: 'LIMIT_STEPS',
        message: `stopped after ${context.life?.maxWakes ?? MAX_BLIND_WAKES} wakes (objective.maxWakes)`,
      },
    })),
    failOnLife: assign({
      failure: { code: 'LIMIT_TIME', message: 'stopped at the end of its life (objective.maxDays)' },
    }),
    reach: assign({ outcome: 'reached' }),
    giveUp: assign({ outcome: 'gaveUp' }),
    abandon: assign({ outcome: 'cancelled' }),
  },
  guards: {
    hasUnread: ({ context }) => context.unread > 0 && !context.paused,
    isPaused: ({ context }) => context.paused,
    isOutOfWakes: ({ context }) => context.wakes > (context.life?.maxWakes ?? MAX_BLIND_WAKES),
    isOutOfRounds: ({ context }) => context.rounds >= (context.wake?.maxTurns ?? 0),
    hasNothingNew: ({ context, event }) =>
      event.type === 'WOKEN' && !event.isNew && !event.isAnswered && context.why === 'date',
    isMore: ({ event }) => event.type === 'UNDERSTOOD' && event.isMore,
    isAsked: ({ event }) => event.type === 'UNDERSTOOD' && event.isAsked,
    isRefused: ({ context, event }) => isRefused(context, event),
    isStubborn: ({ context, event }) => isRefused(context, event) && context.refusals >= MAX_REFUSALS,
    isHeldBack: ({ context, event }) =>
      event.type === 'ACTED' && event.result === 'send' && (context.paused || context.unread > 0),
    isDraftSent: ({ context, event }) => event.type === 'WAKE' && event.why === 'sent' && context.act === 'send',
    decides: ({ event }, action: DecidedAction) => event.type === 'DECIDED' && event.action === action,
    acted: ({ event }, result: ActResult) => event.type === 'ACTED' && event.result === result,
    isSent: ({ event }) => event.type === 'WAKE' && event.why === 'sent',
    wantsNothing: ({ event }) => event.type === 'CALLED' && Object.keys(event.calls).length === 0,
    isRoleCall: ({ event }) => 'call' in event && event.call.startsWith('role/'),
    knowsCall: ({ context, event }) => 'call' in event && event.call in context.calls,
    noCalls: ({ context }) => openCalls(context).length === 0,
    noneRuns: ({ context }) =>
      openCalls(context).length > 0 && openCalls(context).every((state) => state !== 'running'),
    someRun: ({ context }) => openCalls(context).some((state) => state === 'running'),
    isSending: ({ context }) => context.act === 'send',
    isCounting: ({ context, event }) =>
      event.type === 'TIME_SHIFTED' && context.since > 0 && (event.byMs > 0 || context.since > event.at),
    isDue: ({ context }) => context.until > 0 && !context.paused,
  },
  delays: {
    timeLeft: ({ context }) => context.leftMs,
    untilDue: ({ context, event }) => Math.max(0, context.until - timeOf(event, context.until)),
    lifeLeft: ({ context, event }) => Math.max(0, (context.life?.endsAt ?? 0) - timeOf(event, 0)),
  },
});
