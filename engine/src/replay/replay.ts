import type { ErrorBody } from '../base/error.ts';
import type { Api, Problem, Snapshot } from '../config/config.ts';
import type { RoutingDecision } from '../filter/filter.ts';
import type { MailContent, MailSummary } from '../mail/mail.ts';
import type { ModelAnswer, ModelRequest } from '../model/model.ts';
import type { Run } from '../run/run.ts';
import type { Tool } from '../tool/tool.ts';
import type { Cassette, Miss, RecordMode } from './cassette.ts';

/** A mail as a play needs it: its bytes, and what the bytes do not say. */
export interface PlayedMail {
  /** Id of the stored mail, so that recorded calls that name it still find it. Default: a new one. */
  readonly id?: string;
  readonly raw: Uint8Array;
  /** Default: the first account of the config. */
  readonly accountId?: string;
  /** ISO 8601. Default: the time of the play. */
  readonly receivedAt?: string;
  readonly labels?: readonly string[];
  /** The thread as the provider names it. Default: by the headers of the mail. */
  readonly threadId?: string;
}

/** What starts a play. */
export type Stimulus =
  /** A mail. Without `directorId` it starts at the filters; with one, only that director works on it. */
  | { readonly kind: 'mail'; readonly mail: PlayedMail; readonly directorId?: string }
  /** A person's message to a director. */
  | { readonly kind: 'message'; readonly directorId: string; readonly message: string }
  /** A person's message to an agent. */
  | { readonly kind: 'agent'; readonly agentId: string; readonly message: string };

/** What a play finds in its store besides the mail that starts it. */
export interface PlayedWorld {
  /** Earlier mails of the thread. */
  readonly mails: readonly { readonly summary: MailSummary; readonly content: MailContent }[];
  /** Memories at the time of the recording, as rows of the store. */
  readonly memories: readonly Readonly<Record<string, string | number>>[];
  /** Tools that MCP servers had listed, as rows of the store. */
  readonly toolLists: readonly Readonly<Record<string, string | number>>[];
}

/** What persons said in a recorded run. */
export interface PlayedPerson {
  /** Decisions on approvals, in the order of the approvals; `none`: nobody decided. `arguments` only where the person changed them. */
  readonly decisions: readonly {
    readonly tool: string;
    readonly decision: 'allow' | 'deny' | 'none';
    readonly arguments?: unknown;
    readonly reason?: string;
  }[];
  /** Answers to the questions of runs, in order. */
  readonly answers: readonly string[];
  /** Set where the person ended the run: `cancelled`, or `finished` where it is an objective. */
  readonly end?: 'cancelled' | 'finished';
}

/** A recording that can be played: of a stored run, of all runs of a stored mail, of a case or of a test. */
export interface Recording {
  /** Name for people: the id of the run or mail, or the name of the case. */
  readonly name: string;
  readonly stimulus: Stimulus;
  readonly cassette: Cassette;
  readonly world: PlayedWorld;
  readonly person: PlayedPerson;
  /** What happened then; absent for a recording that was never played. */
  readonly expected?: Outcome;
}

/** Options of one play. */
export interface PlayOptions {
  /** How the cassette is used. Default `none`: no model is ever asked. */
  readonly mode?: RecordMode;
  /** Whether models are asked although the cassette has their answers; tools answer from it all the same. Default false. */
  readonly isLive?: boolean;
  /** Counts what models that are really asked cost, and may refuse more: the run then fails. Default: no limit. */
  readonly spend?: PlaySpend;
  /**
   * Whether the cassette answers in its order, whatever is asked. The play then returns a cassette with what was asked: a recording
   * whose words were changed fits again. Default false.
   */
  readonly isByOrder?: boolean;
  /**
   * Answers a tool call in place of the recording; undefined passes. `value` is the result; an `EngineError` that it throws is the
   * error of the call.
   */
  readonly answerTool?: (
    tool: string,
    args: Readonly<Record<string, unknown>>,
  ) => { readonly value: unknown } | undefined;
  /** Whether reads by declared HTTP tools that the recording lacks run for real. Default false. */
  readonly hasLiveReads?: boolean;
  /**
   * What happens to a call that asks a person and did not ask in the recording: `allow` (default) goes on as if the person had
   * allowed it, `deny` as if they had not, `stop` ends the play there.
   */
  readonly approvals?: 'allow' | 'deny' | 'stop';
  /** Id of the api of the config that replaces all apis. Default: none does. */
  readonly api?: string;
  /** Abort ends the play, with the requests under way, and rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Called once abort has ended the play, with the cassette so far. */
  readonly onAborted?: ((cassette: Cassette) => void) | undefined;
}

/** What models that are really asked cost in the plays that share it (`play/live-spend.ts`). */
export interface PlaySpend {
  /** US dollars, failed requests included, with the estimates of requests under way. */
  readonly cost: number;
  /** Whether no model may be asked any more: the money is spent, or nobody knows how much is. */
  readonly isOver: boolean;
  /** Whether a request was refused, so that the play says nothing about the config. */
  readonly hasRefused: boolean;
  /** Sends a request and counts it, whatever becomes of it. `CONFLICT` where no model may be asked any more. */
  ask(api: Api, request: ModelRequest, send: (request: ModelRequest) => Promise<ModelAnswer>): Promise<ModelAnswer>;
}

/** The result of a play, and the cassette with everything that was answered, recorded or new. */
export interface Play {
  readonly outcome: Outcome;
  readonly cassette: Cassette;
}

/** Where a mail goes. */
export interface Route {
  /** Directors that start, in order, each with the filter that names it (`''` without one). */
  readonly directors: readonly { readonly directorId: string; readonly filterId: string }[];
}

/** One tool call of a run, in the order of the transcript. */
export interface PlayedCall {
  /** Id of the agent that calls; `''` for the director. */
  readonly agentId: string;
  readonly tool: string;
  /** The arguments with which it ran: those of the person, where a person changed them. */
  readonly arguments: unknown;
  /** `undefined` where the toolset no longer has the tool. */
  readonly effects?: 'none' | 'read' | 'write';
  /** `open` where the run ended before the call did. */
  readonly state: 'done' | 'failed' | 'denied' | 'open';
  /** Whether it asked a person. */
  readonly asked: boolean;
  /** Code of the error, where it failed or was denied. */
  readonly error?: string;
}

/** A result in a workspace. */
export interface PlayedItem {
  readonly label: string;
  readonly mimeType: string;
  readonly data: string;
  readonly agentId: string;
}

/** What one run did. */
export interface PlayedRun {
  /** `''` where an agent worked for a person. */
  readonly directorId: string;
  /** Set where an agent worked for a person. */
  readonly agentId?: string;
  readonly status: Run['status'];
  readonly waitingFor?: Run['waitingFor'];
  readonly error?: ErrorBody;
  /** The final text of the director, or of the agent. */
  readonly answer: string;
  readonly calls: readonly PlayedCall[];
  readonly items: readonly PlayedItem[];
  /** With those of its agents. */
  readonly turns: number;
  /** Without those of its agents. */
  readonly ownTurns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null where the price is unknown. */
  readonly cost: number | null;
  /** Time that models and tools took, in milliseconds. */
  readonly durationMs: number;
}

/** What a play, or the recorded run, did. */
export interface Outcome {
  /** Undefined where nothing was routed: a message. */
  readonly route?: Route;
  readonly runs: readonly PlayedRun[];
  /** Requests that the cassette could not answer. A run that misses one ends there. Empty for a recorded run. */
  readonly misses: readonly Miss[];
}

/** A mail that filters decide about, as it is stored. */
export interface RoutedMail {
  readonly summary: MailSummary;
  readonly content: MailContent;
}

/**
 * Plays recordings under one config folder. Every play has a store of its own that goes with it, time that passes by itself, and
 * no way to a mailbox, a model or another machine: writes get their recorded or a synthetic answer, and models are asked only in
 * a `mode` other than `none`. `app/scratch/open-scratch.ts` opens one.
 */
export interface Scratch {
  /** The config as it is played. */
  readonly config: Snapshot;
  readonly problems: readonly Problem[];
  /** The tools of the config by name. They cannot be called. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Reads a mail that is not stored. `MAIL_*`. */
  read(mail: PlayedMail): Promise<RoutedMail>;
  /** Decides where a mail goes, under this config or another one. No model is needed. */
  route(mail: RoutedMail, config?: Snapshot): Promise<RoutingDecision>;
  /** Plays a recording. `CONFIG_*` and `NOT_FOUND` where the config lacks what the stimulus names; `MAIL_*`. Abort rejects. */
  play(recording: Recording, options?: PlayOptions): Promise<Play>;
  close(): Promise<void>;
}
