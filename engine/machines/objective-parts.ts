import type {
  ActResult,
  DecidedAction,
  ObjectiveContext,
  ObjectiveEvent,
  OwnAct,
  WakeWhy,
} from './objective-events.ts';

/** Context of an objective before it starts. */
export const newObjective: ObjectiveContext = {
  wake: null,
  life: null,
  wakes: 0,
  rounds: 0,
  refusals: 0,
  roles: 0,
  acts: 0,
  act: 'tool',
  why: 'start',
  unread: 0,
  next: 'start',
  paused: false,
  until: 0,
  followUps: 0,
  isFollowUp: false,
  calls: {},
  role: 'running',
  leftMs: 0,
  since: 0,
  failure: null,
  outcome: null,
};

interface Now {
  readonly context: ObjectiveContext;
}
type Role = 'intake' | 'planner' | 'writer';

/** Actions and guards of the chart with their params, which are read when the action is due. */
export const openWake = { type: 'openWake' as const, params: ({ context }: Now) => ({ number: context.wakes }) };
export const dropWake = { type: 'dropWake' as const, params: ({ context }: Now) => ({ number: context.wakes }) };
export const startRole = (role: Role) => ({
  type: 'startRole' as const,
  params: ({ context }: Now) => ({ role, number: context.roles }),
});
export const dropRole = (role: Role) => ({
  type: 'dropRole' as const,
  params: ({ context }: Now) => ({ role, number: context.roles }),
});
const currentAct = ({ context }: Now) => ({ act: context.act, number: context.acts });
export const makeCall = { type: 'makeCall' as const, params: currentAct };
export const readOutcome = { type: 'readOutcome' as const, params: currentAct };
export const dropCalls = {
  type: 'dropCalls' as const,
  params: ({ context }: Now) => ({ calls: Object.keys(context.calls) }),
};
interface Heard {
  readonly event: ObjectiveEvent;
}
export const noteWake = {
  type: 'noteWake' as const,
  params: ({ event }: Heard) => ({ note: event.type === 'WAKE' ? event.note : undefined }),
};
export const notePause = {
  type: 'notePause' as const,
  params: ({ event }: Heard) => ({
    isPaused: event.type === 'PAUSE',
    by: event.type === 'PAUSE' || event.type === 'RESUME' ? event.by : '',
  }),
};
/** An event that wakes is counted and kept. */
export const hears = ['hear' as const, noteWake] as const;
export const plan = (act: OwnAct) => ({ type: 'plan' as const, params: act });
export const hearOwn = (why: WakeWhy) => ({ type: 'hearOwn' as const, params: why });
export const decides = (action: DecidedAction) => ({ type: 'decides' as const, params: action });
export const acted = (result: ActResult) => ({ type: 'acted' as const, params: result });

/** Questions to the user whether the objective shall go on, by their reason. */
export const askGoOn = {
  ofTime: {
    type: 'askGoOn' as const,
    params: ({ context }: Now) => ({
      reason: `this wake has worked for ${(context.wake?.timeMs ?? 0) / 60_000} minutes (budget.maxMinutes)`,
    }),
  },
  ofRounds: {
    type: 'askGoOn' as const,
    params: ({ context }: Now) => ({
      reason: `the planner has decided ${context.rounds} times in this wake (budget.maxIterations)`,
    }),
  },
  ofRules: {
    type: 'askGoOn' as const,
    params: { reason: 'the planner decided several times what the rules do not permit' },
  },
  ofLimit: {
    type: 'askGoOn' as const,
    params: ({ event }: Heard) => ({
      reason: event.type === 'ROLE_LIMITED' ? event.failure.message : 'a limit was reached',
    }),
  },
};
