import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EngineError, errorBody } from '../base/error.ts';
import type { Level } from '../base/log.ts';
import { addAccounts } from './commands/mail/account-commands.ts';
import { type AddCommand, load, type CommandHandler } from './command.ts';
import { createContext, type GlobalOptions } from './context.ts';
import { readVersion } from '../app/installation.ts';
import { addDesk } from './commands/mail/desk-commands.ts';
import { EXIT, type Terminal } from './terminal/terminal.ts';

type Run = <O extends object>(
  command: Command,
  args: readonly string[],
  how: { readonly level: Level; readonly work: CommandHandler<O> },
) => Promise<void>;

/**
 * Runs one command line and returns its exit code: 0 fine, 1 warnings or a failed run, 2 wrong usage or config, 3 a person
 * must act, 130 interrupted. Rooms that a command does not need are not loaded.
 */
export async function runCommand(terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.fine;
  let isJson = false;
  const run: Run = async <O extends object>(
    command: Command,
    args: readonly string[],
    { level, work }: { level: Level; work: CommandHandler<O> },
  ) => {
    const options = command.optsWithGlobals<GlobalOptions & O>();
    isJson = options.json === true;
    exitCode = await work(createContext(terminal, options, level), options, args);
  };
  const program = createProgram(terminal, run);
  try {
    await program.parseAsync(terminal.argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    complain(terminal, error, isJson);
    return exitCodeOf(error);
  }
}

function createProgram(terminal: Terminal, run: Run): Command {
  const program = new Command('callsheet')
    .description('Answers mail the way your files say.')
    .option('--config <dir>', 'the config folder (default: ./config)')
    .option('--data <dir>', 'the data folder (default: data beside the config folder)')
    .option('--env-file <file>', 'variables for ${env:NAME}; without it, .env beside the config folder')
    .option('--json', 'JSON on stdout, log lines as JSON on stderr')
    .option('--quiet', 'errors only')
    .option('--verbose', 'every detail')
    .option('--no-color', 'no colours')
    .version(readVersion())
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(callsheet --help shows all commands)');
  const add: AddCommand = (parent, usage, description, work, level = 'warn') => {
    const command = parent.command(usage).description(description);
    // Commander hands over each argument, then the options, then the command.
    return command.action((...given: unknown[]) => {
      const args = given
        .slice(0, -2)
        .flat()
        .filter((arg) => typeof arg === 'string');
      return run(command, args, { level, work });
    });
  };
  addMain(program, add);
  addRuns(program, add);
  addAccounts(program, add);
  addDesk(program, add);
  addCare(program, add);
  addSecrets(program, add);
  return program;
}

function addMain(program: Command, add: AddCommand): void {
  add(
    program,
    'start',
    'engine, fetcher and viewer; prints the URL',
    load(async () => (await import('./commands/server/start.ts')).start),
    'info',
  )
    .option(
      '--port <number>',
      'port to listen on; 0 takes a free one (default: server.port of settings.yaml)',
      portNumber,
    )
    .option('--no-open', 'do not open the browser');
  add(
    program,
    'worker',
    'works runs of a shared database (DATABASE_URL); no fetcher, no viewer',
    load(async () => (await import('./commands/server/worker.ts')).worker),
    'info',
  ).option(
    '--metrics-port <number>',
    'serves /metrics and /api/health on this port of this machine, to holders of CALLSHEET_TOKEN; 0 takes a free one',
    portNumber,
  );
  add(
    program,
    'validate [paths...]',
    'all problems of the config at once',
    load(async () => (await import('./commands/config/validate.ts')).validate),
  ).addOption(new Option('--format <format>', 'how problems are printed').choices(['pretty', 'json', 'github']));
  add(
    program,
    'run <director>',
    'one run of a director, and what came of it',
    load(async () => (await import('./commands/run/run.ts')).run),
  )
    .option('--message <text>', 'what it is asked')
    .option('--email <file>', 'a mail (.eml) that it is given');
  const filters = program.command('filters').description('what becomes of a mail');
  add(
    filters,
    'try <file>',
    'which filters match this mail, and which part decided',
    load(async () => (await import('./commands/mail/filters.ts')).tryFile),
  ).option('--account <id>', 'the account that it would come to (default: the first one)');
}

function addRuns(program: Command, add: AddCommand): void {
  const runs = program.command('runs').description('what is running and what was');
  add(
    runs,
    'list',
    'newest first',
    load(async () => (await import('./commands/run/runs.ts')).listRuns),
  )
    .option('--status <status>', 'queued, running, waiting, completed, failed or cancelled')
    .option('--director <id>', 'of this director only')
    .option('--limit <number>', 'how many, 1 to 200', '20');
  add(
    runs,
    'show <id>',
    'what happened in one run, as a tree, and its items',
    load(async () => (await import('./commands/run/runs.ts')).showRun),
  );
  add(
    runs,
    'cancel <id>',
    'stops a run and all under it; its items stay',
    load(async () => (await import('./commands/run/runs.ts')).cancelRun),
  );
  add(
    program,
    'spend',
    'what models have cost, by day, director and api',
    load(async () => (await import('./commands/run/spend.ts')).showSpend),
  ).option('--days <number>', 'how far back, in UTC days', '30');
}

function addCare(program: Command, add: AddCommand): void {
  add(
    program,
    'export',
    'runs as JSON lines: transcripts, events, entries, items, approvals',
    load(async () => (await import('./commands/run/export.ts')).exportRuns),
  )
    .option('--run <id>', 'this run only')
    .option('--since <span>', 'runs that are not older: 30d, 12h, or a date');
  add(
    program,
    'migrate',
    'moves everything stored from the data folder to a PostgreSQL database, or back',
    load(async () => (await import('./commands/store/migrate.ts')).migrate),
    'info',
  )
    .option('--from <place>', 'a folder or postgres://… (default: the data folder, or DATABASE_URL on the way back)')
    .option('--to <place>', 'a folder or postgres://… (default: DATABASE_URL)')
    .option('--dry-run', 'says what would be moved, and writes nothing')
    .option('--reopen', 'lets a place be opened again that a move has left, or began to leave');
  add(
    program,
    'doctor',
    'checks everything that can be wrong, and says what to do',
    load(async () => (await import('./doctor/doctor.ts')).doctor),
    'error',
  ).option('--ask', 'asks each model for one tiny tool call; that may cost a fraction of a cent');
}

function addSecrets(program: Command, add: AddCommand): void {
  const secrets = program.command('secrets').description('values behind ${secret:NAME}');
  add(
    secrets,
    'list',
    'their names, never the values',
    load(async () => (await import('./commands/config/secrets.ts')).listSecrets),
  );
  add(
    secrets,
    'set <name>',
    'keeps what comes on stdin',
    load(async () => (await import('./commands/config/secrets.ts')).setSecret),
  ).option('--plaintext', 'also where the data folder is not encrypted');
  add(
    secrets,
    'delete <name>',
    'forgets one',
    load(async () => (await import('./commands/config/secrets.ts')).deleteSecret),
  );
  const key = program.command('key').description('the key that everything stored is encrypted with');
  add(
    key,
    'make',
    'prints a new one for VX_MAILAGENT_KEY',
    load(async () => (await import('./commands/store/key.ts')).printNewKey),
  );
  add(
    key,
    'rotate',
    'seals everything under another key',
    load(async () => (await import('./commands/store/key.ts')).rotate),
    'info',
  ).option(
    '--new-key-file <file>',
    'where the new key stands (default: VX_MAILAGENT_NEW_KEY, else one is made and printed)',
  );
}

function portNumber(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new InvalidArgumentError('a port is a number from 0 to 65535.');
}

/** An error as people read it, or as `{ error }` with `--json`; both on stderr. */
function complain(terminal: Terminal, error: unknown, isJson: boolean): void {
  const body = errorBody(error);
  if (isJson) return terminal.err(`${JSON.stringify({ error: body })}\n`);
  const isOurs = error instanceof EngineError;
  const lines = [
    `callsheet: ${body.message}${isOurs ? ` (${body.code})` : ''}`,
    ...(body.hint === undefined ? [] : [`  ${body.hint}`]),
  ];
  if (!isOurs && error instanceof Error && error.stack !== undefined) lines.push(error.stack);
  terminal.err(`${lines.join('\n')}\n`);
}

/** What the user can put right by another command or another config is usage; the rest went wrong on our side. */
function exitCodeOf(error: unknown): number {
  if (!(error instanceof EngineError)) return EXIT.warning;
  const isFailure = error.status >= 500 || ['RUN_NOT_ACTIVE', 'APPROVAL_DECIDED'].includes(error.code);
  return isFailure && !error.code.startsWith('CONFIG_') && error.code !== 'STORE_TOO_NEW' ? EXIT.warning : EXIT.usage;
}
