import type { Command } from 'commander';
import type { Level } from '../base/log.ts';
import type { CommandContext } from './context.ts';

/** Runs a command with its context, options and arguments; returns the exit code. */
export type CommandHandler<O> = (context: CommandContext, options: O, args: readonly string[]) => Promise<number>;

/**
 * Adds a command below `parent`. `load` imports the handler and is called only when the command runs, so that `--help` loads no
 * handler. `level` is the lowest level logged without `--quiet` and `--verbose` (default `warn`).
 */
export type AddCommand = <O extends object>(
  parent: Command,
  usage: string,
  description: string,
  load: () => Promise<CommandHandler<O>>,
  level?: Level,
) => Command;

/** Declares one command, with its subcommands and options. */
export type DeclareCommand = (program: Command, add: AddCommand) => void;
