import type { ReadStream } from 'node:tty';
import { visible } from '../../base/visible.ts';
import type { LineReader } from './line-reader.ts';

/** The process as commands see it; only `main.ts` uses the process itself. */
export interface Terminal {
  /** Without the runtime and the script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly pid: number;
  readonly platform: string;
  /** Source of keys and of piped values, opened only by the commands that read it. */
  readonly openStdin: () => Pick<ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause' | 'unref'>;
  readonly isStdoutTty: boolean;
  readonly isStderrTty: boolean;
  /** Width in cells; undefined where stdout is no terminal. */
  readonly columns?: number | undefined;
  /** Opens the input as lines, for a conversation. */
  readonly openLines: () => Promise<LineReader>;
  /** Data goes to stdout, messages to stderr. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Resolves when stdout accepts more, so that a slow reader does not fill the memory. */
  readonly drained?: () => Promise<void>;
  /** Delays V8's optimising compilers (`delay-compilers.ts`); absent where they must stay as they are. */
  readonly delayCompilers?: (() => { release(): void }) | undefined;
  /** Limits the growth of V8's heap soon (`heap-growth.ts`); absent where the process is not that of the command. */
  readonly limitHeapGrowthSoon?: (() => void) | undefined;
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

/** Width of a table where the width of the terminal is not known. */
const DEFAULT_COLUMNS = 80;

/** Width for tables and answers: of the terminal, else `COLUMNS`, else 80. A terminal that says 0 does not know its width. */
export function widthOf({ columns, env }: Pick<Terminal, 'columns' | 'env'>): number {
  const given = Number(env['COLUMNS']);
  if (columns !== undefined && columns > 0) return columns;
  return Number.isInteger(given) && given > 0 ? given : DEFAULT_COLUMNS;
}

/** Our own colours: the only sequences that may reach the terminal. */
const COLOR = /(\x1b\[[0-9;]{1,20}m)/;

/**
 * A terminal whose output contains no control character but line breaks, tabs and colours, and no change of direction.
 * Commands escape the texts of others themselves, colours included; this covers what they miss.
 */
export function guardOutput(terminal: Terminal): Terminal {
  const guard = (text: string) =>
    text
      .split(COLOR)
      .map((part, i) => (i % 2 === 1 ? part : visible(part, '\n\t')))
      .join('');
  return { ...terminal, out: (text) => terminal.out(guard(text)), err: (text) => terminal.err(guard(text)) };
}
