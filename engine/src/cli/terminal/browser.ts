import { spawn } from 'node:child_process';

/** Opens a page in the user's browser, if there is one; the link is printed anyway. */
export function openBrowser(url: string, platform: string): void {
  const [command, args] = opener(url, platform);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function opener(url: string, platform: string): [string, string[]] {
  if (platform === 'darwin') return ['open', [url]];
  // `start` is a shell command, and & separates commands there; rundll32 takes the address unchanged.
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}
