import type { AccountUse } from '../account/scopes.ts';
import type { Abortable } from '../base/abort.ts';
import type { Draft } from '../store/draft.ts';
import type { Origin } from '../workspace/item.ts';

/** Who calls a tool, and for which run. */
export interface Caller {
  readonly runId: string;
  readonly workspaceId: string;
  readonly threadId: string;
  /** Mail, director and agent as items and entries name them. */
  readonly origin: Origin;
}

interface Described {
  /** What the model sees: `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string;
  readonly family: string;
  readonly description: string;
  /** JSON Schema of the arguments, `type: object`. */
  readonly parameters: object;
  /** `private`: what it reads is the user's own. `outward`: what it is given reaches others. */
  readonly reach?: 'private' | 'outward';
  /** What the tool does in an account that somebody signs in to. The sign-in asks for these uses. */
  readonly uses?: readonly AccountUse[];
}

/** What a local tool works with: the step's draft, the time in epoch milliseconds, and new ids. */
export interface LocalContext {
  readonly caller: Caller;
  readonly draft: Draft;
  readonly now: number;
  readonly newId: (prefix: string) => string;
}

/** Runs inside the step: reads and writes our own store through the draft, without a ledger row. */
export interface LocalTool extends Described {
  readonly effects: 'none';
  readonly run: (args: Readonly<Record<string, unknown>>, context: LocalContext) => Promise<unknown>;
}

/** `key` is deterministic: the same for every attempt of one tool call. Abort rejects with the signal's reason. */
export interface WorldContext extends Abortable {
  readonly caller: Caller;
  readonly key: string;
  /** A person has allowed this very call, with these arguments. */
  readonly isApproved?: boolean;
  /** A person knows that an earlier attempt may have happened, and wants it made again unless it is found. */
  readonly insists?: boolean;
}

/**
 * Runs after the commit, with a ledger row. A write says how it is kept from happening twice: `key`, the far side takes
 * an idempotency key; `lookup`, `reconcile` finds out whether it happened; `once`, neither: it is marked started in a
 * commit of its own and never tried again. A read is `free`.
 */
export interface WorldTool extends Described {
  readonly effects: 'read' | 'write';
  readonly repeat: 'free' | 'key' | 'lookup' | 'once';
  readonly run: (args: Readonly<Record<string, unknown>>, context: WorldContext) => Promise<unknown>;
  /**
   * Throws what makes the call useless whoever allows it, so that no person is asked in vain; reads our own store only. `run`
   * checks the same again.
   */
  readonly check?: (args: Readonly<Record<string, unknown>>, caller: Caller) => Promise<void>;
  /** For `lookup`: the outcome of an earlier attempt under this key, or undefined where it never happened. */
  readonly reconcile?: (args: Readonly<Record<string, unknown>>, context: WorldContext) => Promise<unknown>;
}

/**
 * The contract of every tool. Arguments were validated against `parameters` before `run`; the result is any JSON value.
 * A thrown `EngineError` becomes a result `{ error: { code, message, hint? } }` that the model can read; after
 * `TOOL_OUTCOME_UNKNOWN` from a write a person is asked first whether to make it again.
 */
export type Tool = LocalTool | WorldTool;
