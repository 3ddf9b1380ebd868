import type { ReadStream } from 'node:tty';

/** The process as commands see it; only `main.ts` uses the process itself. */
export interface Terminal {
  /** Without the runtime and the script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly pid: number;
  readonly platform: string;
  /** Source of keys and of piped values. */
  readonly stdin: Pick<ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause' | 'unref'>;
  readonly isStdoutTty: boolean;
  readonly isStderrTty: boolean;
  /** Data goes to stdout, messages to stderr. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Resolves when stdout accepts more, so that a slow reader does not fill the memory. */
  readonly drained?: () => Promise<void>;
  /** Calls `listener` for each SIGINT and SIGTERM until the returned function is called. */
  readonly onSignal: (listener: (signal: 'SIGINT' | 'SIGTERM') => void) => () => void;
  /** Ends the process at once; without a code, with that of the command. */
  readonly exit: (code?: number) => void;
}

/** Exit codes (design.md, Command line). */
export const EXIT = { fine: 0, warning: 1, usage: 2, person: 3, interrupted: 130 } as const;

/** Whether a stream gets colours: https://no-color.org, FORCE_COLOR, `TERM=dumb`. */
export function wantsColor(env: Terminal['env'], isTty: boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return isTty && env['TERM'] !== 'dumb';
}
