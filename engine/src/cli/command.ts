import type { Command } from 'commander';
import type { Level } from '../base/log.ts';
import type { CommandContext } from './context.ts';

/** Runs a command with its context, options and arguments; returns the exit code. */
export type CommandHandler<O> = (context: CommandContext, options: O, args: readonly string[]) => Promise<number>;

/** More about a command. */
export interface CommandMore {
  /** The lowest level logged without `--quiet` and `--verbose`. Default `warn`. */
  readonly level?: Level;
  /** Exit code of every error: 2 where 1 is a finding. Default: 2 for errors that the user can fix, 1 for all others. */
  readonly errorExit?: number;
}

/**
 * Adds a command below `parent`. `load` imports the handler and is called only when the command runs, so that `--help` loads no
 * handler.
 */
export type AddCommand = <O extends object>(
  parent: Command,
  usage: string,
  description: string,
  load: () => Promise<CommandHandler<O>>,
  more?: CommandMore,
) => Command;

/** Declares one command, with its subcommands and options. */
export type DeclareCommand = (program: Command, add: AddCommand) => void;
