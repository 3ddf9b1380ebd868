import { Command, CommanderError } from 'commander';
import { EngineError, errorBody } from '../base/error.ts';
import { readVersion } from '../app/installation.ts';
import type { AddCommand, CommandHandler, CommandMore } from './command.ts';
import { COMMANDS } from './commands/commands.ts';
import { createContext, type GlobalOptions } from './context.ts';
import { EXIT, guardOutput, type Terminal } from './terminal/terminal.ts';
import { plain } from './terminal/table.ts';

type Run = <O extends object>(
  command: Command,
  args: readonly string[],
  options: CommandMore & { readonly load: () => Promise<CommandHandler<O>> },
) => Promise<void>;

/**
 * Runs one command line and returns its exit code: 0 success, 1 warnings or a failed run, 2 wrong usage or config, 3 a person
 * must act, 130 interrupted. Loads only the modules that the command needs.
 */
export async function runCommand(given: Terminal): Promise<number> {
  const terminal = guardOutput(given);
  let exitCode: number = EXIT.fine;
  let isJson = false;
  let errorCode: number | undefined;
  const run: Run = async <O extends object>(
    command: Command,
    args: readonly string[],
    { level = 'warn', errorExit, load }: CommandMore & { readonly load: () => Promise<CommandHandler<O>> },
  ) => {
    errorCode = errorExit;
    const options = command.optsWithGlobals<GlobalOptions & O>();
    isJson = options.json === true;
    const context = createContext(terminal, options, level);
    const handler = await load();
    exitCode = await handler(context, options, args);
  };
  const program = createProgram(terminal, run);
  try {
    await program.parseAsync(terminal.argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    printError(terminal, error, isJson);
    return errorCode ?? exitCodeOf(error);
  }
}

function createProgram(terminal: Terminal, run: Run): Command {
  const program = new Command('callsheet')
    .description('Runs AI agents on your mail, as your config files say.')
    .option('--config <dir>', 'config folder (default: ./config)')
    .option('--data <dir>', 'data folder (default: data beside the config folder)')
    .option('--env-file <file>', 'file with variables for ${env:NAME} (default: .env beside the config folder)')
    .option('--json', 'print JSON on stdout, and log lines as JSON on stderr')
    .option('--quiet', 'print errors only')
    .option('--verbose', 'log every detail')
    .option('--no-color', 'print no colours')
    .version(readVersion())
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(callsheet --help lists all commands)');
  const add: AddCommand = (parent, usage, description, load, more = {}) => {
    const command = parent.command(usage).description(description);
    // Commander passes each argument, then the options, then the command.
    return command.action((...given: unknown[]) => {
      const args = given
        .slice(0, -2)
        .flat()
        .filter((arg) => typeof arg === 'string');
      return run(command, args, { ...more, load });
    });
  };
  for (const declare of COMMANDS) declare(program, add);
  return program;
}

/** Prints an error on stderr: as text, or as `{ error }` with `--json`. */
function printError(terminal: Terminal, error: unknown, isJson: boolean): void {
  const body = errorBody(error);
  if (isJson) return terminal.err(`${JSON.stringify({ error: body })}\n`);
  const isEngineError = error instanceof EngineError;
  const lines = [
    `callsheet: ${plain(body.message)}${isEngineError ? ` (${body.code})` : ''}`,
    ...(body.hint === undefined ? [] : [`  ${plain(body.hint).replaceAll('\n', '\n  ')}`]),
  ];
  if (!isEngineError && error instanceof Error && error.stack !== undefined) lines.push(error.stack);
  terminal.err(`${lines.join('\n')}\n`);
}

/** `EXIT.usage` for errors that the user can fix in the command line or the config, `EXIT.warning` for all others. */
function exitCodeOf(error: unknown): number {
  if (!(error instanceof EngineError)) return EXIT.warning;
  const isFailure = error.status >= 500 || ['RUN_NOT_ACTIVE', 'APPROVAL_DECIDED'].includes(error.code);
  return isFailure && !error.code.startsWith('CONFIG_') && error.code !== 'STORE_TOO_NEW' ? EXIT.warning : EXIT.usage;
}
