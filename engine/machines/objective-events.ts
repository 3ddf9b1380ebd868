/** Events and context of the machine of objectives (objective.ts). Types only. */

/** Why an objective wakes. */
export type WakeWhy = 'answer' | 'words' | 'reply' | 'draftDeleted' | 'sent' | 'resumed' | 'label' | 'date' | 'start';

/** What the planner may decide; `refused`: a decision that the rules do not permit. */
export type DecidedAction =
  'draft' | 'askUser' | 'waitForReply' | 'waitUntil' | 'callTool' | 'finish' | 'giveUp' | 'refused';

/** A tool call of the objective itself. */
export type OwnAct = 'draft' | 'send' | 'tool';

/** What became of a tool call: `draft` lies in Drafts, `send`: it shall be sent too, `sent`, or the planner decides again. */
export type ActResult = 'draft' | 'send' | 'sent' | 'done';

export interface ObjectiveFailure {
  readonly code: string;
  readonly message: string;
}

/** Limits of one wake. */
export interface WakeLimits {
  /** Most decisions of the planner. */
  readonly maxTurns: number;
  /** Longest working time, in milliseconds. */
  readonly timeMs: number;
}

/** Limits of the whole life; read again at each wake. */
export interface LifeLimits {
  readonly maxWakes: number;
  readonly maxFollowUps: number;
  /** End of its life, in epoch milliseconds. */
  readonly endsAt: number;
}

/** An open call runs, waits for a person to allow it or to answer, or waits for a limit. */
export type WorkState = 'running' | 'asking' | 'answer' | 'limited';

export interface ObjectiveContext {
  readonly wake: WakeLimits | null;
  readonly life: LifeLimits | null;
  /** Wakes so far. */
  readonly wakes: number;
  /** Decisions of this wake. */
  readonly rounds: number;
  /** Decisions in a row that the rules did not permit. */
  readonly refusals: number;
  /** Role works so far: the number of the current one. */
  readonly roles: number;
  /** Tool calls so far: the number of the current one. */
  readonly acts: number;
  readonly act: OwnAct;
  readonly why: WakeWhy;
  /** Events that nobody has looked at, and the strongest reason among them. */
  readonly unread: number;
  readonly next: WakeWhy;
  readonly paused: boolean;
  /** End of the wait in epoch milliseconds, or 0. */
  readonly until: number;
  /** Follow-ups that have left. */
  readonly followUps: number;
  /** The draft in work, or in Drafts, is a follow-up. */
  readonly isFollowUp: boolean;
  /** Open tool calls of the objective itself. */
  readonly calls: Readonly<Record<string, WorkState>>;
  /** State of the role at work. */
  readonly role: WorkState;
  /** Working time left in this wake, as of `since`. */
  readonly leftMs: number;
  /** Start of the time count, or 0 while time does not count. */
  readonly since: number;
  readonly failure: ObjectiveFailure | null;
  readonly outcome: 'reached' | 'gaveUp' | 'cancelled' | null;
}

interface At {
  readonly at: number;
}

export type ObjectiveEvent =
  | (At & { readonly type: 'START'; readonly limits: WakeLimits })
  | (At & { readonly type: 'START_FAILED' | 'FAIL' | 'ROLE_LIMITED'; readonly failure: ObjectiveFailure })
  | (At & { readonly type: 'CANCEL' | 'WRITTEN' })
  /** `by`: id of the person, or `label`. */
  | (At & { readonly type: 'FINISH' | 'PAUSE' | 'RESUME'; readonly by: string })
  /** `note`: what happened, for the record; no machine reads it. */
  | (At & { readonly type: 'WAKE'; readonly why: WakeWhy; readonly note: unknown })
  /** The newest config was taken and the threads were read. `isNew`: they have mail that intake has not seen. */
  | (At & {
      readonly type: 'WOKEN';
      readonly limits: WakeLimits;
      readonly life: LifeLimits;
      /** Follow-ups that have left, those of the objective that this one repeats included. */
      readonly followUps: number;
      readonly isNew: boolean;
      readonly isAnswered: boolean;
    })
  /** `isAsked`: intake proposes what the user may want, and asks. `isMore`: intake has read one part of a long thread, and reads the next. */
  | (At & { readonly type: 'UNDERSTOOD'; readonly isAsked: boolean; readonly isMore: boolean })
  | (At & {
      readonly type: 'DECIDED';
      readonly action: DecidedAction;
      readonly until?: number;
      readonly isFollowUp?: boolean;
      readonly failure?: ObjectiveFailure;
    })
  | (At & { readonly type: 'CALLED'; readonly calls: Readonly<Record<string, WorkState>> })
  | (At & { readonly type: 'ACTED'; readonly result: ActResult; readonly until?: number })
  /** The user has sent the draft: a reply is awaited until then. */
  | (At & { readonly type: 'NOTED'; readonly until: number })
  | (At & { readonly type: 'CALL_SETTLED' | 'CALL_RESUMED'; readonly call: string })
  | (At & { readonly type: 'CALL_PARKED'; readonly call: string; readonly why: Exclude<WorkState, 'running'> })
  | (At & { readonly type: 'TIME_SHIFTED'; readonly byMs: number })
  | { readonly type: 'DEADLINE' | 'EXPIRE' | 'DUE'; readonly at?: number }
  | { readonly type: 'xstate.init'; readonly input: unknown };
