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

/** The resolved options of a command, its log and its output. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly configDir: string;
  readonly dataDir: string;
  /** The environment, then the env file. */
  readonly env: (name: string) => string | undefined;
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
  const file = readEnvFile(terminal.cwd, options.envFile, dirname(configDir));
  const colored = (isTty: boolean) => options.color !== false && wantsColor(terminal.env, isTty);
  const isQuiet = options.quiet === true;
  const isJson = options.json === true;
  const redactor = createRedactor();
  return {
    terminal,
    configDir,
    dataDir,
    env: (name) => terminal.env[name] ?? file[name],
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
    }),
    say: (text) => (isQuiet ? undefined : terminal.err(`${text}\n`)),
    print: (value) => terminal.out(`${JSON.stringify(value, null, 2)}\n`),
  };
}

/** Reads a named file, which must exist, or `.env` beside the config folder, which may be missing. */
function readEnvFile(
  cwd: string,
  named: string | undefined,
  baseDir: string,
): Readonly<Record<string, string | undefined>> {
  const path = named === undefined ? join(baseDir, '.env') : resolve(cwd, named);
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (named === undefined && (code === 'ENOENT' || code === 'EISDIR')) return {};
    const why = code === 'ENOENT' ? 'no env file at' : 'the env file cannot be read:';
    throw new EngineError('USAGE', `${why} ${path}`, { hint: 'check the path of --env-file', cause });
  }
}
