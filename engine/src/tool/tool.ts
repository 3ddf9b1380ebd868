import type { Abortable } from '../base/abort.ts';
import type { Draft } from '../store/draft.ts';

/** Who calls a tool, and for which run. */
export interface Caller {
  readonly runId: string;
  readonly workspaceId: string;
  readonly threadId: string;
  readonly directorId: string;
  readonly agentId: string;
  readonly mailId: string;
}

interface Described {
  /** What the model sees: `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string;
  readonly family: string;
  readonly description: string;
  /** JSON Schema of the arguments, `type: object`. */
  readonly parameters: object;
  /** none: touches nothing outside our store; read: looks at the world; write: changes it. */
  readonly effects: 'none' | 'read' | 'write';
}

/** Runs inside the step: reads and writes our own store through the draft, without a ledger row. */
export interface LocalTool extends Described {
  readonly effects: 'none';
  readonly run: (args: unknown, context: { caller: Caller; draft: Draft; now: number; newId: (prefix: string) => string }) => Promise<unknown>;
}

/**
 * Runs after the commit, with a ledger row. A write says how it is kept from happening twice: `key`, the far side takes
 * an idempotency key; `lookup`, `reconcile` finds out whether it happened; `once`, neither: it is marked started in a
 * commit of its own and never tried again.
 */
export interface WorldTool extends Described {
  readonly effects: 'read' | 'write';
  readonly repeat: 'free' | 'key' | 'lookup' | 'once';
  readonly run: (args: unknown, context: { caller: Caller; key: string } & Abortable) => Promise<unknown>;
  /** For `lookup`: the outcome of an earlier attempt under this key, or undefined where it never happened. */
  readonly reconcile?: (args: unknown, context: { caller: Caller; key: string } & Abortable) => Promise<unknown | undefined>;
}

/**
 * The contract of every tool. Arguments were validated against `parameters` before `run`; the result is any JSON value.
 * A thrown `EngineError` becomes a result `{ error: { code, message, hint? } }` that the model can read.
 */
export type Tool = LocalTool | WorldTool;
