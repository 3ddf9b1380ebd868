import { type Clock, isoTime } from './clock.ts';
import type { Redactor } from './redact.ts';
import { visible } from './visible.ts';

/** Level of a log line. */
export type Level = 'debug' | 'info' | 'warn' | 'error';
/** Values of a log line, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes one line for an event: a short message in plain words, and fields for programs. Secrets are redacted before
 * writing.
 */
export interface Logger {
  /** True if `debug` lines are written, for callers to whom they are costly. */
  readonly isVerbose?: boolean;
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const RANK: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 };
const COLOR: Record<Level, string> = { debug: '90', info: '36', warn: '33', error: '31' };

/** Options of `createLogger`. */
export interface LogOptions {
  /** Writes a line, normally to stderr. */
  write: (line: string) => void;
  clock: Clock;
  redactor: Redactor;
  /** Lines below this level are dropped. */
  level: Level;
  /** True for one JSON object a line. */
  json: boolean;
  color: boolean;
  /** True for a terminal, where a line begins with the time of day (UTC) only. Default false. */
  isTerminal?: boolean;
}

/** A logger that writes `2026-11-21T10:00:00.000Z info  mail taken  account=support mails=3`, or the same as JSON. */
export function createLogger(options: LogOptions): Logger {
  const at =
    (level: Level) =>
    (message: string, fields: Fields = {}) => {
      if (RANK[level] < RANK[options.level]) return;
      const time = isoTime(options.clock.now());
      const line = options.json
        ? visible(JSON.stringify({ time, level, message, ...fields }))
        : readable(time, level, message);
      options.write(`${options.redactor.text(options.json ? line : line + pairs(fields))}\n`);
    };
  const readable = (time: string, level: Level, message: string) => {
    const name = level.padEnd(5);
    return `${options.isTerminal === true ? time.slice(11, 19) : time} ${options.color ? `\x1b[${COLOR[level]}m${name}\x1b[0m` : name} ${visible(message)}`;
  };
  return {
    isVerbose: options.level === 'debug',
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}

const WORD = /^[^\s"=]+$/;

/** Fields as `key=value`. Values may come from mails, so line breaks and characters that are not seen are escaped. */
function pairs(fields: Fields): string {
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${isWord(value) ? value : visible(JSON.stringify(value) ?? String(value))}`);
  return parts.length > 0 ? `  ${parts.join(' ')}` : '';
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && WORD.test(value) && visible(value) === value;
}

/** A logger without output, for tests and short commands. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
