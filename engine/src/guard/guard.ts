import type { EngineError } from '../base/error.ts';
import type { ErrorCode } from '../base/error-code.ts';
import type { Snapshot } from '../config/config.ts';
import type { Arguments } from '../tool/arguments.ts';
import type { OfferedTool } from '../tool/offered-tool.ts';
import type { Caller } from '../tool/tool.ts';
import type { Layer } from './layer.ts';
import type { Taint } from './taint.ts';

/** A tool call as the guards see it: its tool, and its checked arguments with real values. */
export interface GuardedCall {
  readonly tool: OfferedTool;
  readonly arguments: Arguments;
}

/** The rule of a document that decided about a call. */
export interface DecidingRule {
  readonly kind: 'director' | 'agent' | 'settings';
  /** Id of the document; `''` for the settings. */
  readonly id: string;
  /** True where the rule stands in the newest version of the document, and the run works with another one. */
  readonly isNewest: boolean;
  /** The list or key of the document, as it is written there: `permissions.allow`, `untrusted.act`. */
  readonly list: string;
  /** The entry of the list that matched; undefined where no entry matched, and the list decided by that. */
  readonly entry?: string;
}

/** What one guard says about a call. `rules`: the rules of documents that this follows from. */
export type Verdict =
  | { readonly decision: 'pass'; readonly rules?: readonly DecidingRule[] }
  | { readonly decision: 'ask'; readonly reason: string; readonly rules?: readonly DecidingRule[] }
  | {
      readonly decision: 'refuse';
      readonly code: ErrorCode;
      readonly reason: string;
      readonly hint?: string | undefined;
      readonly rules?: readonly DecidingRule[];
    };

/** An earlier run that this run repeats, and the tools that it called already. */
export interface RepeatedRun {
  readonly runId: string;
  readonly doneBefore: readonly string[];
}

/** What a person wrote: the message of a run, or one message of their session. */
export interface UserMessage {
  readonly text: string;
  /** Calls that were launched after it and before the next message, and did not fail, by tool; only of tools behind a gate. */
  readonly calls: Readonly<Record<string, number>>;
}

/** What guards need to know of the caller of a tool. Everything that has to be read is a function, read when a guard needs it. */
export interface GuardContext {
  readonly caller: Caller;
  /** The documents whose permissions apply: those of the run, and their newest versions. */
  readonly layers: readonly Layer[];
  /** The config of the run. */
  readonly config: Snapshot;
  /** The newest config. */
  readonly newest: Snapshot;
  /** Why nobody may call a tool any more, such as that its document was disabled; undefined otherwise. */
  readonly whyGone: (toolName: string) => string | undefined;
  /** Set where the run repeats a failed one. */
  readonly repeats?: RepeatedRun;
  /** Names of tools with a call in this run of which nobody knows whether it happened. Absent where there is no run. */
  readonly unknown?: () => Promise<readonly string[]>;
  /** Set where the thread of the caller has read text that may come from a stranger: what it was. */
  readonly taint: () => Promise<Taint | undefined>;
  /** What a person wrote in the conversation of the call, the newest message first; nothing where no person wrote. */
  readonly userWords: () => AsyncIterable<UserMessage>;
  /** Addresses, in small letters, of all who wrote or got a mail of the thread of the run's mail; empty without a mail. */
  readonly participants: () => Promise<ReadonlySet<string>>;
}

/** A check of tool calls. It reads only our own store, and never the network. */
export interface Guard {
  readonly name: string;
  readonly check: (call: GuardedCall, context: GuardContext) => Verdict | Promise<Verdict>;
}

/** Why a person is asked, with the rules of documents that this follows from. */
export interface AskReason {
  readonly guard: string;
  readonly reason: string;
  readonly rules: readonly DecidingRule[];
}

interface Outcome {
  /** The person or thing that the call acts on, in one line, such as recipients or a path; undefined where it names none. */
  readonly target: string | undefined;
  /** Why: one sentence for models and people; `''` where no rule was needed to let the call pass. */
  readonly reason: string;
  /** The rules of documents that decided. */
  readonly rules: readonly DecidingRule[];
}

/** What all guards together say about a call: the strictest verdict, with every reason to ask. */
export type GuardOutcome =
  | (Outcome & { readonly decision: 'allow' })
  | (Outcome & { readonly decision: 'ask'; readonly asks: readonly AskReason[] })
  | (Outcome & { readonly decision: 'refuse'; readonly guard: string; readonly error: EngineError });
