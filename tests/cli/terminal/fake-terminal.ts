import { PassThrough } from 'node:stream';
import { openLines } from '../../../engine/src/cli/terminal/line-reader.ts';
import type { Terminal } from '../../../engine/src/cli/terminal/terminal.ts';

export interface FakeTerminal extends Terminal {
  /** What was written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Whether keys are read one by one. */
  readonly isRaw: () => boolean;
  press(key: string): void;
  /** Nothing more is typed. */
  end(): void;
}

/** A terminal, or with `isTty: false` a pipe, whose output a test reads. */
export function fakeTerminal(
  options: { argv?: readonly string[]; cwd?: string; env?: Terminal['env']; isTty?: boolean } = {},
): FakeTerminal {
  const { argv = [], cwd = '.', env = {}, isTty = false } = options;
  const stream = new PassThrough();
  let isRaw = false;
  const stdin = Object.assign(stream, {
    isTTY: isTty,
    setRawMode: (mode: boolean) => ((isRaw = mode), stdin),
    unref: () => stdin,
  });
  let stdout = '';
  let stderr = '';
  return {
    argv,
    cwd,
    env,
    pid: 1,
    platform: 'linux',
    openStdin: () => stdin as unknown as ReturnType<Terminal['openStdin']>,
    isStdoutTty: isTty,
    isStderrTty: isTty,
    openLines: async () => openLines(stream, process.stdout),
    out: (text) => void (stdout += text),
    err: (text) => void (stderr += text),
    onSignal: () => () => {},
    exit: (code) => {
      // Without a code, a command that has ended makes sure that its process ends: here it goes on with other tests.
      if (code === undefined) return;
      throw new Error(`it ended with ${code}`);
    },
    stdout: () => stdout,
    stderr: () => stderr,
    isRaw: () => isRaw,
    press: (key) => void stream.write(key),
    end: () => void stream.end(),
  };
}
