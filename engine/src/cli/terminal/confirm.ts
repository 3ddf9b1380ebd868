import type { Terminal } from './terminal.ts';

/** The options of a command that say whether somebody can be asked. */
interface Asking {
  readonly terminal: Terminal;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

/** Asks a question in a terminal. False without a terminal, with `--json` and `--quiet`, and for any answer but yes. */
export function isConfirmed({ terminal, isJson, isQuiet }: Asking, question: string): Promise<boolean> {
  const { openStdin, isStdoutTty, err } = terminal;
  if (isJson || isQuiet || !isStdoutTty) return Promise.resolve(false);
  const stdin = openStdin();
  if (!stdin.isTTY) return Promise.resolve(false);
  const { promise, resolve: answer } = Promise.withResolvers<boolean>();
  let typed = '';
  const finish = () => {
    stdin.off('data', onData);
    stdin.off('end', finish);
    stdin.pause();
    answer(/^y(es)?$/i.test(typed.trim()));
  };
  const onData = (chunk: Buffer) => {
    typed += chunk.toString('utf8');
    if (typed.includes('\n')) finish();
  };
  err(`${question} [y/N] `);
  stdin.on('data', onData);
  stdin.on('end', finish);
  stdin.resume();
  return promise;
}
