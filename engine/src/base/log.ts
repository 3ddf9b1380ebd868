import { type Clock, isoTime } from './clock.ts';
import type { Redactor } from './redact.ts';

/** Level of a log line. */
export type Level = 'debug' | 'info' | 'warn' | 'error';
/** Values of a log line, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes one line for an event: a short message in plain words, and fields for programs. Secrets are redacted before
 * writing.
 */
export interface Logger {
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
}

/** A logger that writes `2026-11-21T10:00:00.000Z info  mail taken  account=support mails=3`, or the same as JSON. */
export function createLogger(options: LogOptions): Logger {
  const at =
    (level: Level) =>
    (message: string, fields: Fields = {}) => {
      if (RANK[level] < RANK[options.level]) return;
      const time = isoTime(options.clock.now());
      const line = options.json ? JSON.stringify({ time, level, message, ...fields }) : readable(time, level, message);
      options.write(`${options.redactor.text(options.json ? line : line + pairs(fields))}\n`);
    };
  const readable = (time: string, level: Level, message: string) => {
    const name = level.padEnd(5);
    return `${time} ${options.color ? `\x1b[${COLOR[level]}m${name}\x1b[0m` : name} ${message}`;
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Characters that a terminal interprets and that JSON leaves unescaped. */
const UNSEEN = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const WORD = /^[^\s"=\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+$/;

/** Fields as `key=value`. Values may come from mails, so control characters and line breaks are escaped. */
function pairs(fields: Fields): string {
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' && WORD.test(value) ? value : quoted(value)}`);
  return parts.length > 0 ? `  ${parts.join(' ')}` : '';
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.replace(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A logger without output, for tests and short commands. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
