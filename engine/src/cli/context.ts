import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { createLogger, type Level, type Logger } from '../base/log.ts';
import { createRedactor, type Redactor } from '../base/redact.ts';
import { type Terminal, wantsColor } from './terminal/terminal.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  readonly config?: string;
  readonly data?: string;
  readonly envFile?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** False with `--no-color`. */
  readonly color?: boolean;
}

/** The file with variables for `${env:NAME}`. */
export interface EnvFile {
  readonly path: string;
  /** Whether `--env-file` names it. */
  readonly isNamed: boolean;
  /**
   * Reads the file again; `env` then returns the new values, but for names that are `fixed`. Returns the names whose value in the
   * file changed and that the environment does not set. `USAGE` if it is unreadable.
   */
  reload(fixed: (name: string) => boolean): readonly string[];
}

/** The resolved options of a command, its log and its output. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly configDir: string;
  readonly dataDir: string;
  /** The environment, then the env file. */
  readonly env: (name: string) => string | undefined;
  readonly envFile: EnvFile;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly hasColor: { readonly out: boolean; readonly err: boolean };
  readonly redactor: Redactor;
  readonly log: Logger;
  /** Prints a message on stderr; nothing with `--quiet`. */
  readonly say: (text: string) => void;
  /** Prints one JSON document on stdout. */
  readonly print: (value: unknown) => void;
}

/**
 * Resolves the options of a command. `level` is the lowest level logged without `--quiet` and `--verbose`. `USAGE`
 * if the env file is missing or unreadable.
 */
export function createContext(terminal: Terminal, options: GlobalOptions, level: Level): CommandContext {
  const configDir = resolve(terminal.cwd, options.config ?? 'config');
  const dataDir = options.data === undefined ? join(dirname(configDir), 'data') : resolve(terminal.cwd, options.data);
  const envFile = openEnvFile(terminal, options.envFile, dirname(configDir));
  const colored = (isTty: boolean) => options.color !== false && wantsColor(terminal.env, isTty);
  const isQuiet = options.quiet === true;
  const isJson = options.json === true;
  const redactor = createRedactor();
  return {
    terminal,
    configDir,
    dataDir,
    env: (name) => terminal.env[name] ?? envFile.get(name),
    envFile,
    isJson,
    isQuiet,
    hasColor: { out: colored(terminal.isStdoutTty), err: colored(terminal.isStderrTty) },
    redactor,
    log: createLogger({
      write: terminal.err,
      clock: systemClock,
      redactor,
      level: isQuiet ? 'error' : options.verbose === true ? 'debug' : level,
      json: isJson,
      color: colored(terminal.isStderrTty),
      isTerminal: terminal.isStderrTty,
    }),
    say: (text) => (isQuiet ? undefined : terminal.err(`${text}\n`)),
    print: (value) => terminal.out(`${JSON.stringify(value, null, 2)}\n`),
  };
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Opens a named file, which must exist, or `.env` beside the config folder, which may be missing. */
function openEnvFile(
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
  named: string | undefined,
  baseDir: string,
): EnvFile & { readonly get: (name: string) => string | undefined } {
  const path = named === undefined ? join(baseDir, '.env') : resolve(cwd, named);
  let read = readEnvFile(path, named !== undefined);
  let used = read;
  return {
    path,
    isNamed: named !== undefined,
    get: (name) => used[name],
    reload(fixed) {
      const before = read;
      read = readEnvFile(path, named !== undefined);
      const names = [...new Set([...Object.keys(before), ...Object.keys(read)])];
      used = Object.fromEntries(names.map((name) => [name, fixed(name) ? used[name] : read[name]]));
      return names.filter((name) => before[name] !== read[name] && env[name] === undefined).sort();
    },
  };
}

function readEnvFile(path: string, isNamed: boolean): Variables {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (!isNamed && (code === 'ENOENT' || code === 'EISDIR')) return {};
    const why = code === 'ENOENT' ? 'no env file at' : 'the env file cannot be read:';
    throw new EngineError('USAGE', `${why} ${path}`, { hint: 'check the path of --env-file', cause });
  }
}
