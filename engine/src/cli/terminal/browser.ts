import { spawn } from 'node:child_process';

/** Opens a page in the user's browser. Where there is none nothing happens: the link was printed. */
export function openBrowser(url: string, platform: string): void {
  const [command, args] = opener(url, platform);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function opener(url: string, platform: string): [string, string[]] {
  if (platform === 'darwin') return ['open', [url]];
  // `start` is a word of the shell, where & parts commands; rundll32 takes the address as it is.
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}
