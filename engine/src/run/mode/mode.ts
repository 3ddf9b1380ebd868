import type { AnyStateMachine, SnapshotFrom, StateMachine } from 'xstate';
import type { ApprovalRecord } from '../../guard/approval.ts';
import type { RunMessage } from '../ask/question.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AwaitedWork, MachineMode, RunProgress } from '../machine-mode.ts';
import type { RoleResult } from '../role/role.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/** Carries out one named action of a machine within the step; effects that it adds start after the commit. */
export type ActionHandler<TParams = unknown> = (step: Step, machine: Machine, params: TParams) => Promise<void> | void;

/** Takes a message to a run. */
export type MessageHandler = (
  step: Step,
  root: Machine,
  message: RunMessage,
  question: ApprovalRecord | undefined,
) => Promise<void>;

/** A row of the mode registry: a machine, how the engine reads its states, and what its actions do. */
export interface Mode extends MachineMode {
  /**
   * Takes words of a person or a program to a run whose root has this mode, where no call waits for them; `question` is the open question
   * of the root that they answer, already ended. Missing: such words are refused (`RUN_NOT_ASKING`).
   */
  readonly takeMessage?: MessageHandler | undefined;
  /** By the name of the action. An action that has neither a handler here nor code in the machine fails the run. */
  readonly handlers: Readonly<Record<string, ActionHandler | undefined>>;
  /** Receives the end of a role (`startRole`), and sends the root an event of its own. Missing in modes without roles. */
  readonly roleDone?: RoleDone;
}

/** Receives the end of a role of a root that has not ended. It may start the next role. */
export type RoleDone = (step: Step, root: Machine, result: RoleResult) => Promise<void> | void;

/** Modes by the `id` of their machine. */
export type Modes = ReadonlyMap<string, Mode>;

/** The dependencies of the run room, with the modes in full. */
export interface EngineDependencies extends Dependencies {
  readonly modes: Modes;
}

// prettier-ignore
type ActionsOf<TMachine> = TMachine extends StateMachine<
  infer _Context, infer _Event, infer _Children, infer _Actor, infer TAction, infer _Guard, infer _Delay, infer _Value,
  infer _Tag, infer _Input, infer _Output, infer _Emitted, infer _Meta, infer _Schema, infer _TransitionMeta
> ? TAction : never;

/** A mode with the types of its machine: its snapshots, and the params of its actions. */
export interface ModeOf<TMachine extends AnyStateMachine> {
  readonly machine: TMachine;
  readonly upgrades: MachineMode['upgrades'];
  readonly runs: MachineMode['runs'];
  readonly takesMessageOnMail?: MachineMode['takesMessageOnMail'];
  readonly newRows?: MachineMode['newRows'];
  readonly status: (snapshot: SnapshotFrom<TMachine>) => RunProgress;
  readonly awaits?: (snapshot: SnapshotFrom<TMachine>) => AwaitedWork | undefined;
  readonly timeLeftMs?: (snapshot: SnapshotFrom<TMachine>, nowMs: number) => number;
  readonly roleDone?: RoleDone;
  readonly takeMessage?: MessageHandler;
  readonly handlers: {
    readonly [TName in ActionsOf<TMachine>['type']]?: ActionHandler<
      Extract<ActionsOf<TMachine>, { type: TName }>['params']
    >;
  };
}

/** Checks a mode against the types of its machine. */
export function defineMode<TMachine extends AnyStateMachine>(mode: ModeOf<TMachine>): Mode;
export function defineMode(mode: ModeOf<AnyStateMachine>): Mode {
  return mode;
}

/** The modes by the `id` of their machine; a later mode replaces an earlier one of the same id. */
export function modeTable(modes: readonly Mode[]): Modes {
  return new Map(modes.map((mode) => [mode.machine.id, mode]));
}
