import type { AccountUse } from '../account/scopes.ts';
import type { Abortable } from '../base/abort.ts';
import type { Snapshot } from '../config/config.ts';
import type { FileOperation, Scope } from '../config/permissions.ts';
import type { Draft } from '../store/draft.ts';
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
  /** Mail, director and agent as items and entries name them. */
  readonly origin: Origin;
  /** The api that the caller asks, and its model. */
  readonly apiId?: string;
  readonly model?: string;
  /** Agents that the caller can ask. */
  readonly agents?: readonly string[];
  /** Agents whose local memories the caller may read. */
  readonly memoryAccess?: readonly string[];
  /** True in a run with `locality: local`. */
  readonly isLocal?: boolean;
  /** What a person wrote to this run, where `memory.preferences` lets it be remembered as a preference. */
  readonly personMessage?: string;
  /** Which files of notebooks are open to it. Undefined: none. */
  readonly files?: CallerFiles;
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
  /** What the tool does in an account that somebody signs in to. The sign-in asks for these uses. */
  readonly uses?: readonly AccountUse[];
  /** True if a call asks a person unless a rule names the tool, whatever its effects. */
  readonly asks?: boolean;
  /** What the tool does with the files of notebooks. It is offered only where the `scope` of the actor permits that. */
  readonly operation?: FileOperation;
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
  /** What the call would change, for the person who is asked. Undefined or an error: the arguments are shown. */
  readonly preview?: (args: Readonly<Record<string, unknown>>, caller: Caller) => Promise<ToolPreview | undefined>;
  readonly run: (args: Readonly<Record<string, unknown>>, context: WorldContext) => Promise<unknown>;
  /**
   * Throws where the call would fail even if a person allowed it, so that nobody is asked in vain. It reads only our own store.
   * `run` checks the same again.
   */
  readonly check?: (args: Readonly<Record<string, unknown>>, caller: Caller) => Promise<void>;
  /** Texts that warn the person who is asked about this call, one sentence each. */
  readonly warnings?: (args: Readonly<Record<string, unknown>>) => Promise<readonly string[]>;
  /** For `lookup`: the outcome of an earlier attempt with this key, or undefined where there was none. */
  readonly reconcile?: (args: Readonly<Record<string, unknown>>, context: WorldContext) => Promise<unknown>;
}

/**
 * The contract of every tool. The engine validates the arguments against `parameters` before `run`; the result is any JSON
 * value. A thrown `EngineError` becomes a result `{ error: { code, message, hint? } }` that the model can read. After
 * `TOOL_OUTCOME_UNKNOWN` from a write, a person decides whether the call runs again.
 */
export type Tool = LocalTool | WorldTool;
