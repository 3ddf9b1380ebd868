import type { AccountUse } from '../account/scopes.ts';
import type { Abortable } from '../base/abort.ts';
import type { Snapshot } from '../config/config.ts';
import type { FileOperation, Scope } from '../config/permissions.ts';
import type { Draft } from '../store/draft.ts';
import type { Mention } from '../memory/memory.ts';
import type { Reader } from '../store/store.ts';
import type { GeneratedFile } from '../workspace/generated-file.ts';
import type { Origin } from '../workspace/item.ts';

/** The files of notebooks that a caller may touch: what every one of its scopes permits. */
export interface CallerFiles {
  /** The caller as people read it: `agent research-assistant`. */
  readonly who: string;
  /** The scope of the run's revision, and the newest one. */
  readonly scopes: readonly Scope[];
}

/** The caller of a tool: its run, workspace and thread. */
export interface Caller {
  readonly runId: string;
  readonly workspaceId: string;
  readonly threadId: string;
  /** The conversation of a person with the director, whose files the document tools read. */
  readonly conversationId?: string;
  /** Mail, director and agent as items and entries name them. */
  readonly origin: Origin;
  /** The api that the caller asks, and its model. */
  readonly apiId?: string;
  readonly model?: string;
  /** Agents that the caller can ask. */
  readonly agents?: readonly string[];
  /** Agents whose local memories the caller may read. */
  readonly memoryAccess?: readonly string[];
  /** True where an objective makes the call itself: it may follow up on own mail. */
  readonly followsUp?: boolean;
  /** True in a run with `locality: local`. */
  readonly isLocal?: boolean;
  /** What a person wrote to this run, where `memory.preferences` lets it be remembered as a preference. */
  readonly personMessage?: string;
  /** Which files of notebooks are open to it. Undefined: none. */
  readonly files?: CallerFiles;
  /** In a run with `privacy`: a text without the private values of its conversation, for other machines. */
  readonly hide?: (text: string) => string;
}

interface Described {
  /** Name for the model: `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string;
  readonly family: string;
  readonly description: string;
  /** JSON Schema of the arguments, `type: object`. */
  readonly parameters: object;
  /** `private`: the tool reads private data of the user. `outward`: its arguments reach other people. */
  readonly reach?: 'private' | 'outward';
  /**
   * Whether strangers may have written what its results say. `untrusted`: they may; `trusted`: the user, the caller or the engine
   * did; `told`: they may where a result has `trust: 'untrusted'`. Default: `told` for a local tool, `untrusted` for any other.
   */
  readonly trust?: 'untrusted' | 'trusted' | 'told';
  /** Whether a result has text of strangers in envelopes already. Otherwise models get an untrusted result in one. */
  readonly encloses?: (result: unknown) => boolean;
  /** What the tool does in an account that somebody signs in to. The sign-in asks for these uses. */
  readonly uses?: readonly AccountUse[];
  /** True if a call asks a person unless a rule names the tool, whatever its effects. */
  readonly asks?: boolean;
  /** What the tool does with the files of notebooks. It is offered only where the `scope` of the actor permits that. */
  readonly operation?: FileOperation;
  /** Names of the arguments with the mail addresses that get what the call sends. */
  readonly recipients?: readonly string[];
  /**
   * The arguments as rules see them: an answer has its recipients in `recipients`, each one bare address, and a path is the real
   * one, behind all links. Reads our own store and disk only. Undefined where only the call itself can say; an error is one that the
   * call would have, too.
   */
  readonly actualArguments?: (args: Readonly<Record<string, unknown>>, caller: Caller) => Promise<object | undefined>;
  /** The parameters for an actor to whom these notebooks are open. Default: `parameters` for everybody. */
  readonly parametersFor?: (notebooks: readonly string[]) => object;
}

/** The context of a local tool: the step's draft, the time in epoch milliseconds, and new ids. */
export interface LocalContext {
  readonly caller: Caller;
  readonly draft: Draft;
  readonly now: number;
  readonly newId: (prefix: string) => string;
  /** Whether the run has read text that may come from a stranger: a mail, or the result of a tool that reads elsewhere. */
  readonly hasReadUntrusted: () => Promise<boolean>;
  /** In a run with `privacy`: the private values of its conversation that stand in a text. */
  readonly mentionsIn?: (text: string) => readonly Mention[];
}

/** A tool that runs inside the step: it reads and writes our own store through the draft, without a ledger row. */
export interface LocalTool extends Described {
  readonly effects: 'none';
  /** For a tool that asks another machine under some configs: the tool that runs after the commit there. */
  readonly remote?: { readonly isUsed: (config: Snapshot) => boolean; readonly tool: WorldTool };
  readonly run: (args: Readonly<Record<string, unknown>>, context: LocalContext) => Promise<unknown>;
}

/** The context of a call outside our store. `key` is the same for every attempt. Abort rejects with the signal's reason. */
export interface WorldContext extends Abortable {
  readonly caller: Caller;
  readonly key: string;
  /** The caller has read text that strangers may have written, so what the call writes down may say what they want. */
  readonly isTainted?: boolean;
  /** A person has allowed this call, with these arguments. */
  readonly isApproved?: boolean;
  /** A person knows that an earlier attempt may have happened, and wants another one unless the first is found. */
  readonly insists?: boolean;
  /** The `seen` of the preview on which the person decided. */
  readonly seen?: string;
}

/** A call as a person sees it who is asked about it. */
export interface ToolPreview {
  readonly mimeType: string;
  readonly data: string;
  /** Marks the state of the world that the preview shows. `run` gets it as `context.seen`, to refuse where that has changed. */
  readonly seen?: string;
}

/**
 * A tool that runs after the commit, with a ledger row. `repeat` says how a write is kept from happening twice: `key`, the
 * provider accepts an idempotency key; `lookup`, `reconcile` finds an earlier attempt; `once`, neither: the call is marked
 * started in a commit of its own and never repeated. A read is `free`.
 */
export interface WorldTool extends Described {
  readonly effects: 'read' | 'write';
  readonly repeat: 'free' | 'key' | 'lookup' | 'once';
  /**
   * Throws where the scope of the caller does not permit the call. Called before the call gets a ledger row and before a person is
   * asked; `run` checks the same again.
   */
  readonly checkScope?: (args: Readonly<Record<string, unknown>>, caller: Caller) => Promise<void>;
  /**
   * What the call would do, for the person who is asked, made by the code that does it. Undefined, an error or an abort: the
   * arguments are shown.
   */
  readonly preview?: (
    args: Readonly<Record<string, unknown>>,
    caller: Caller,
    options: Abortable,
  ) => Promise<ToolPreview | undefined>;
  /**
   * What the arguments stand for that also reaches the world, as JSON: the account, the recipients of an answer, the content of
   * attachments. An approval lapses where it changes. Reads only our own store; what it throws counts as a value.
   */
  readonly binding?: (args: Readonly<Record<string, unknown>>, caller: Caller, reader: Reader) => Promise<unknown>;
  readonly run: (args: Readonly<Record<string, unknown>>, context: WorldContext) => Promise<unknown>;
  /**
   * Throws where the call would fail even if a person allowed it, so that nobody is asked in vain. It reads only our own store.
   * `run` checks the same again.
   */
  readonly check?: (args: Readonly<Record<string, unknown>>, caller: Caller) => Promise<void>;
  /** Texts that warn the person who is asked about this call, one sentence each. */
  readonly warnings?: (args: Readonly<Record<string, unknown>>) => Promise<readonly string[]>;
  /**
   * The files that a call has made, from its arguments and its result, for a run that keeps them as items. An error costs the item
   * alone.
   */
  readonly files?: (
    args: Readonly<Record<string, unknown>>,
    result: unknown,
    context: WorldContext,
  ) => Promise<readonly GeneratedFile[]>;
  /** For `lookup`: the outcome of an earlier attempt with this key, or undefined where there was none. */
  readonly reconcile?: (args: Readonly<Record<string, unknown>>, context: WorldContext) => Promise<unknown>;
}

/** A tool whose result a person writes: the call waits for their answer, without a limit of time. Only directors get it. */
export interface QuestionTool extends Described {
  readonly effects: 'none';
  readonly answeredBy: 'person';
}

/**
 * The contract of every tool. The engine validates the arguments against `parameters` before `run`; the result is any JSON
 * value. A thrown `EngineError` becomes a result `{ error: { code, message, hint? } }` that the model can read. After
 * `TOOL_OUTCOME_UNKNOWN` from a write, a person decides whether the call runs again.
 */
export type Tool = LocalTool | QuestionTool | WorldTool;
