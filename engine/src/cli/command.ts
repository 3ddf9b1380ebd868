import type { Command } from 'commander';
import type { Level } from '../base/log.ts';
import type { CommandContext } from './context.ts';

/** A command: gets its context, its options and its arguments; returns its exit code. */
export type CommandHandler<O> = (context: CommandContext, options: O, args: readonly string[]) => Promise<number>;

/** Adds a command below another one, with its usage, what people read about it, and its work. */
export type AddCommand = <O extends object>(
  parent: Command,
  usage: string,
  description: string,
  work: CommandHandler<O>,
  level?: Level,
) => Command;

/** A command whose code is loaded when it is called. */
export function load<O>(find: () => Promise<CommandHandler<O>>): CommandHandler<O> {
  return async (context, options, args) => (await find())(context, options, args);
}
