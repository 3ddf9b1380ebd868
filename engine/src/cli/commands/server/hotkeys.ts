import { openBrowser } from '../../terminal/browser.ts';
import type { CommandContext } from '../../context.ts';

const HELP = 'o  open the viewer\nr  reload the config and list its problems\nh  show this help\nq  stop';

/**
 * Handles the keys of `start` in a terminal: o opens the viewer, r reloads the config and lists its problems, h shows help, q stops. Does nothing
 * outside a terminal. The returned function restores the terminal.
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
  if (!terminal.isStdoutTty || context.isJson) return () => {};
  const stdin = terminal.openStdin();
  if (!stdin.isTTY) return () => {};
  const onKey = (key: Buffer) => {
    switch (key.toString()) {
      case 'o':
        return openBrowser(actions.url, terminal.platform);
      case 'r':
        return void actions
          .reload()
          .catch((error: unknown) => log.error('the config could not be reloaded', { error: String(error) }));
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
