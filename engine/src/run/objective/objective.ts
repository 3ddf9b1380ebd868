import { isoTime } from '../../base/clock.ts';
import type { ErrorBody } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { PlannedAction } from './action.ts';

/** Status of an objective (seed 001); the last two are final. */
export type ObjectiveStatus = 'pending' | 'in_progress' | 'waiting' | 'done' | 'error';

/** Statuses of an objective that is not over. */
export const OPEN_OBJECTIVES = ['pending', 'in_progress', 'waiting'] as const satisfies readonly ObjectiveStatus[];

/**
 * What a waiting objective waits for: `draft` lies in Drafts until the user sends it, `reply` is a mail on a linked thread,
 * `answer` a word of the user, `date` a time that the planner chose.
 */
export type ObjectiveWait = 'approval' | 'answer' | 'reply' | 'date' | 'draft' | 'limit';

/** How an objective ended; null while it is open, and after an error that nobody chose. */
export type ObjectiveOutcome = 'reached' | 'gaveUp' | 'cancelled';

/** Why an objective woke: see `WakeNote`. `again`: a person lets it go on where an outage of its models has stopped it. */
export type WakeReason = 'reply' | 'words' | 'sent' | 'draftDeleted' | 'label' | 'date' | 'answer' | 'again';

/** A thread of mails that an objective watches. */
export interface LinkedThread {
  readonly accountId: string;
  /** The provider's thread, else the Message-ID of its first mail. */
  readonly threadId: string;
  /** ISO 8601. */
  readonly linkedAt: string;
}

/** A draft of the objective that lies in the Drafts of an account. Times are ISO 8601. */
export interface OpenDraft {
  readonly accountId: string;
  readonly threadId: string;
  readonly messageId: string;
  /** Identifies the draft in the mailbox. */
  readonly ref: string;
  /** Addresses of To, Cc and Bcc. */
  readonly to: readonly string[];
  readonly at: string;
  readonly isFollowUp: boolean;
  /** It answers no mail. A mail program may send it on another thread than the one that the mailbox gave it. */
  readonly beginsThread?: boolean;
  /** What the writer wrote, without signature and quoted mail. */
  readonly text?: string;
}

/** A mail of the objective that the mailbox holds as sent. */
export interface SentMail extends Pick<OpenDraft, 'accountId' | 'threadId' | 'to'> {
  readonly ref: string;
}

/** Somebody to whom the objective has sent a mail, and who has not answered since. */
export interface SilentRecipient {
  /** The address alone, in lower case. */
  readonly address: string;
  /** The thread that the mail left on; `''` where its mailbox did not name it. */
  readonly threadId: string;
}

/** What woke an objective. Texts are in here, never in the machine. */
export interface WakeNote {
  readonly why: WakeReason;
  /** ISO 8601. */
  readonly at: string;
  /** `reply`: the stored mail. */
  readonly mailId?: string;
  /** The thread that it happened on, and for a copy in Sent the `ref` of the mail in its mailbox. */
  readonly accountId?: string;
  readonly threadId?: string;
  readonly ref?: string;
  /** `words` and `answer`: what the user said; `sent`: what the user changed in the draft, where something. */
  readonly text?: string;
  /** `words`, `answer` and `again`: id of the person; absent where the mailbox says so. */
  readonly by?: string;
  /** `reply`: address of the sender. */
  readonly from?: string;
}

/**
 * The event by which a machine is woken. The machine hands the note to its action `noteWake` (run/objective/wake.ts) and keeps none
 * of it.
 */
export interface WakeEvent {
  readonly type: 'WAKE';
  readonly at: number;
  readonly why: WakeReason;
  readonly note: WakeNote;
}

/** Orders of a person, or of the label of a thread: see `POST /api/objectives/:id/pause|resume|finish`. */
export interface ObjectiveOrder {
  readonly type: 'PAUSE' | 'RESUME' | 'FINISH';
  readonly at: number;
  /** Id of the person; `label` where the label of a thread was removed or put on again. */
  readonly by: string;
}

/** Mails that intake reads in one piece of work. */
export interface ReadingMails {
  /** As in `readMails`; with those that are left out. */
  readonly ids: readonly string[];
  /** Mails that intake reads after these. */
  readonly left: number;
  /** As in `Objective`, where mails are left out. */
  readonly notRead?: string;
  /** Most characters of the summary. Absent where the mails are so short that there is no limit. */
  readonly maxSummary?: number;
}

/** One line of the history of an objective. */
export interface HistoryLine {
  /** ISO 8601. */
  readonly at: string;
  /** A sentence for a person. */
  readonly text: string;
  readonly kind: 'begin' | 'intake' | 'action' | 'wake' | 'order' | 'end';
}

/**
 * An objective (seed 001, in camelCase), stored in one row under the id of its run. Times are ISO 8601, and null before the first
 * time.
 */
export interface Objective {
  readonly id: string;
  readonly directorId: string;
  /** What the user wants, in the user's own words; `''` until it is known. Later wishes never overwrite it. */
  readonly userQuery: string;
  readonly status: ObjectiveStatus;
  readonly waitingFor: ObjectiveWait | null;
  readonly paused: boolean;
  readonly outcome: ObjectiveOutcome | null;
  readonly threads: readonly LinkedThread[];
  /** Of the linked threads, from intake; null until intake has run. */
  readonly summary: string | null;
  readonly constraints: Readonly<Record<string, Json>>;
  /** Oldest first. */
  readonly history: readonly HistoryLine[];
  /** How many lines after the first one a long history no longer has; absent for none. */
  readonly droppedLines?: number;
  /** The last action, questions and the end that the planner chose included; waiting and waking change nothing. */
  readonly lastActionTime: string | null;
  readonly followUp: {
    readonly nextAt: string | null;
    readonly sent: number;
    readonly max: number;
  };
  /** How often it woke. */
  readonly wakes: number;
  /** What woke it and was not looked at yet, oldest first. */
  readonly unread: readonly WakeNote[];
  /** The draft that the user is to send; null where none lies in Drafts. */
  readonly draft: OpenDraft | null;
  /** The last mail that left, by the user or by the engine: a follow-up answers it, to those who got it. */
  readonly lastSent?: SentMail;
  /** Who got mail of the objective and has not answered since. Missing: nobody. */
  readonly silent?: readonly SilentRecipient[];
  /** Drafts of mails that the engine has sent itself since: they are deleted from Drafts. */
  readonly withdrawn?: readonly OpenDraft[];
  /** Date of the newest mail that was stored on its thread when it began, ISO 8601; missing where there was none with a date. */
  readonly newestMailAt?: string;
  /** What the objective asks the user; null where it asks nothing. */
  readonly question: string | null;
  /** The objective that the label started on the same thread before this one. */
  readonly follows?: string;
  /** What intake proposes the user may want, until the user has said it. */
  readonly proposal?: string;
  /** Why the rules did not permit the last decision of the planner. */
  readonly refusal?: string;
  /** Ids of the mails that the summary has; Message-IDs of those that were never fetched. Missing: none. */
  readonly readMails?: readonly string[];
  /** What intake reads now. */
  readonly reading?: ReadingMails;
  /** Length of the last summary of intake, which was too long: intake is asked once more. */
  readonly tooLong?: number;
  /** Which mails intake did not read, since there were too many: a sentence of the summary. */
  readonly notRead?: string;
  /** What the planner has decided last, with what it needs. */
  readonly action?: PlannedAction;
  readonly error?: ErrorBody;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An objective in answers of the API. */
export interface ServedObjective extends Omit<
  Objective,
  | 'unread'
  | 'withdrawn'
  | 'lastSent'
  | 'silent'
  | 'newestMailAt'
  | 'readMails'
  | 'reading'
  | 'notRead'
  | 'tooLong'
  | 'action'
  | 'refusal'
> {
  readonly linkedThreadIds: readonly string[];
  /** Addresses of those who got mail of the objective and have not answered since. */
  readonly silentRecipients: readonly string[];
}

/** What a new objective is made from. */
export interface NewObjective extends Pick<Objective, 'id' | 'directorId' | 'userQuery' | 'follows'> {
  readonly threads: readonly Pick<LinkedThread, 'accountId' | 'threadId'>[];
  readonly maxFollowUps: number;
  /** Follow-ups of the objective that this one repeats, its last mail and who has not answered. Default: none. */
  readonly sentFollowUps?: number;
  readonly lastSent?: SentMail;
  readonly silent?: readonly SilentRecipient[];
  /** Drafts of the objective that this one repeats, as in `Objective`: they may still lie in Drafts. Default: none. */
  readonly draft?: OpenDraft | null;
  readonly withdrawn?: readonly OpenDraft[];
  /** As in `Objective`. */
  readonly newestMailAt?: string | undefined;
  /** First line of the story. */
  readonly because: string;
}

/** A new objective, before intake. `now` in epoch milliseconds. */
export function newObjective(from: NewObjective, now: number): Objective {
  const { maxFollowUps, sentFollowUps = 0, newestMailAt, because, threads, draft = null, ...own } = from;
  const at = isoTime(now);
  return {
    ...own,
    ...(newestMailAt !== undefined && { newestMailAt }),
    status: 'pending',
    waitingFor: null,
    paused: false,
    outcome: null,
    threads: threads.map(({ accountId, threadId }) => ({ accountId, threadId, linkedAt: at })),
    summary: null,
    constraints: {},
    history: [{ at, text: because, kind: 'begin' }],
    lastActionTime: null,
    followUp: { nextAt: null, sent: sentFollowUps, max: maxFollowUps },
    wakes: 0,
    unread: [],
    draft,
    question: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** Most lines of a story; of a longer one the oldest lines after the first are left out. */
const MAX_LINES = 500;

/** The objective with one more line in its story. `now` in epoch milliseconds. */
export function withLine(objective: Objective, now: number, line: Omit<HistoryLine, 'at'>): Objective {
  const lines = [...objective.history, { at: isoTime(now), ...line }];
  const [first, ...rest] = lines;
  const surplus = lines.length - MAX_LINES;
  if (surplus <= 0 || first === undefined) return { ...objective, history: lines };
  const droppedLines = (objective.droppedLines ?? 0) + surplus;
  return { ...objective, history: [first, ...rest.slice(surplus)], droppedLines };
}

/** Whether the objective is not over. */
export function isOpenObjective({ status }: Pick<Objective, 'status'>): boolean {
  return OPEN_OBJECTIVES.some((open) => open === status);
}

/** The objective as the API serves it. */
export function serveObjective(objective: Objective): ServedObjective {
  const {
    unread: _unread,
    withdrawn: _withdrawn,
    lastSent: _last,
    silent = [],
    newestMailAt: _newest,
    readMails: _read,
    reading: _reading,
    notRead: _notRead,
    tooLong: _tooLong,
    action: _action,
    refusal: _refusal,
    ...shown
  } = objective;
  const silentRecipients = [...new Set(silent.map(({ address }) => address))];
  return { ...shown, linkedThreadIds: shown.threads.map(({ threadId }) => threadId), silentRecipients };
}
