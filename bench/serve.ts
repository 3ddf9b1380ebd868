import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const home = fileURLToPath(new URL('..', import.meta.url));

/** A `callsheet start` of this checkout. */
export interface Served {
  /** A GET of a path, with the token; the body as text. Throws on any status but 200. */
  get(path: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a server on the `config` and `data` of a folder; resolves once it has said where it listens. */
export async function serve(root: string): Promise<Served> {
  const folders = ['--config', join(root, 'config'), '--data', join(root, 'data')];
  const args = ['--', join(home, 'engine/src/main.ts'), 'start', ...folders, '--port', '0', '--no-open', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`start ended with ${code}`)));
  });
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  return {
    async get(path) {
      const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return text;
    },
    async stop() {
      const over = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await over;
    },
  };
}

/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
