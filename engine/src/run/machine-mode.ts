import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { ErrorBody } from '../base/error.ts';
import { EngineError } from '../base/error.ts';
import type { Director } from '../config/config.ts';
import type { Change, Store } from '../store/store.ts';
import type { Run, RunStatus } from './run.ts';

/** The state of a run, as its root machine says. */
export interface RunProgress {
  readonly status: RunStatus;
  readonly waitingFor?: Run['waitingFor'];
  /** While the machine waits for a limit of the provider: the length of the pause, in milliseconds. */
  readonly waitMs?: number;
  /** The error that ended the run. */
  readonly failure?: ErrorBody;
}

/**
 * The work that a machine waits for: one model request, its open tool calls, or the check of a final answer that no model request of
 * its own has given. After a restart the engine does it again.
 */
export type AwaitedWork =
  | { readonly kind: 'model'; readonly turn: number; readonly attempt: number }
  | { readonly kind: 'calls' }
  | { readonly kind: 'check'; readonly turn: number }
  /** An effect of the mode itself; `action` with `params` begins it again. */
  | { readonly kind: 'own'; readonly call: string; readonly action: string; readonly params: object };

/** A run that is about to be stored. */
export interface NewRun {
  readonly run: Run;
  readonly director: Director;
  /** The thread of the mail that it is about. `date` is that of the mail, ISO 8601, or `''`. */
  readonly thread?: {
    readonly accountId: string;
    readonly threadId: string;
    readonly subject: string;
    readonly date: string;
  };
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Converts the stored state of one machine version to the next version. */
export interface MachineUpgrade {
  readonly to: string;
  /** Missing: the context stays as it is. */
  readonly context?: (context: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Missing: no state was renamed or removed. */
  readonly value?: (value: unknown) => unknown;
}

/**
 * A machine that runs are made of, and how the engine reads its states. The machine's `id` and `version` are stored with every
 * row. The root machine of a run starts in the state `queued` and takes the events START, START_FAILED, CANCEL and FAIL.
 */
export interface MachineMode {
  readonly machine: AnyStateMachine;
  /** Upgrades by the version that they start from. A stored version without an upgrade path is refused. */
  readonly upgrades: Readonly<Record<string, MachineUpgrade>>;
  /** The modes of runs that have this machine as their root; empty for a machine that other machines start. */
  readonly runs: readonly string[];
  /** True where a run may begin with a message about a mail. Default: with one of both. */
  readonly takesMessageOnMail?: boolean;
  /** Rows of its own that a new run of the mode has; they are committed with the run. */
  readonly newRows?: (store: Store, made: NewRun) => Promise<readonly Change[]>;
  readonly status: (snapshot: AnyMachineSnapshot) => RunProgress;
  /** Missing for a machine that neither asks models nor calls tools. */
  readonly awaits?: (snapshot: AnyMachineSnapshot) => AwaitedWork | undefined;
  /** Working time left, in milliseconds, for the machines that work for this one. Missing: no limit. */
  readonly timeLeftMs?: (snapshot: AnyMachineSnapshot, nowMs: number) => number;
}

/** Machine modes by the `id` of their machine. */
export type MachineModes = ReadonlyMap<string, MachineMode>;

/** The mode of a machine's `id`. */
export function modeOf(modes: MachineModes, kind: string): MachineMode {
  const mode = modes.get(kind);
  if (mode === undefined) throw new EngineError('INTERNAL', `there is no machine "${kind}"`);
  return mode;
}

/** The mode whose machine is the root of runs of this mode. `CONFIG_INVALID` where there is none. */
export function rootModeOf(modes: MachineModes, runMode: string): MachineMode {
  const found = [...modes.values()].find(({ runs }) => runs.includes(runMode));
  if (found !== undefined) return found;
  const known = [...modes.values()].flatMap(({ runs }) => runs).join(', ');
  throw new EngineError('CONFIG_INVALID', `there is no mode "${runMode}"`, { hint: `modes: ${known}` });
}
