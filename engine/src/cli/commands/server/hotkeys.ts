import { openBrowser } from '../../terminal/browser.ts';
import type { CommandContext } from '../../context.ts';

const HELP = 'o  open the viewer\nr  read the config again\nh  this help\nq  stop';

/**
 * Keys of `start` in a terminal: o opens the viewer, r reads the config again, q quits, h says so. Elsewhere it does
 * nothing. The returned function gives the terminal back.
 */
export function listenKeys(
  context: CommandContext,
  actions: {
    readonly url: string;
    readonly reload: () => Promise<void>;
    readonly quit: (reason: 'q' | 'SIGINT') => void;
  },
): () => void {
  const { terminal, say, log } = context;
  const { stdin } = terminal;
  if (!stdin.isTTY || !terminal.isStdoutTty || context.isJson) return () => {};
  const onKey = (key: Buffer) => {
    switch (key.toString()) {
      case 'o':
        return openBrowser(actions.url, terminal.platform);
      case 'r':
        return void actions.reload().then(
          () => log.info('config read again'),
          (error: unknown) => log.error('the config could not be read again', { error: String(error) }),
        );
      case 'h':
      case '?':
        return say(HELP);
      case 'q':
        return actions.quit('q');
      // In raw mode Ctrl-C and Ctrl-D arrive as keys.
      case '\u0003':
      case '\u0004':
        return actions.quit('SIGINT');
    }
  };
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on('data', onKey);
  say('press h for help');
  return () => {
    stdin.off('data', onKey);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
