import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, openApp } from '../engine/src/app/app.ts';
import { silentLogger } from '../engine/src/base/log.ts';

/** Path of the repository. */
export const home = fileURLToPath(new URL('..', import.meta.url));

const KEY_VARIABLE = 'VX_MAILAGENT_KEY';

/** Opens the folders `config` and `data` below `root` without starting anything, so that a bench can fill the store. */
export function openToFill(root: string, key?: string): Promise<App> {
  const folders = { configDir: join(root, 'config'), dataDir: join(root, 'data') };
  const env = (name: string) => (name === KEY_VARIABLE ? key : undefined);
  return openApp({ ...folders, env, log: silentLogger, watch: false });
}

/** A running `callsheet start` of this checkout. */
export interface Served {
  /** Address of a page that signs in. */
  readonly signIn: string;
  /** Processor time that the process has used so far, in milliseconds; undefined where the system does not tell (Linux does). */
  cpuMs(): number | undefined;
  /** Memory that the process holds now (resident set), in MB; undefined where the system does not tell (Linux does). */
  rssMb(): number | undefined;
  /** Sends a GET with the token and returns the body as text. Rejects for statuses that are not 2xx. */
  get(path: string): Promise<string>;
  /** Stops the server; resolves when its process has ended. */
  stop(): Promise<void>;
}

/** Starts a server on the folders `config` and `data` below `root`; resolves once it has printed its URL. */
export async function serve(root: string, key?: string): Promise<Served> {
  const folders = ['--config', join(root, 'config'), '--data', join(root, 'data')];
  const args = ['--', join(home, 'engine/callsheet.cjs'), 'start', ...folders, '--port', '0', '--no-open', '--json'];
  const env = key === undefined ? process.env : { ...process.env, [KEY_VARIABLE]: key };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
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
    signIn: `${url}/?token=${token}`,
    cpuMs: () => cpuMsOf(child.pid),
    rssMb: () => rssMbOf(child.pid),
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

/** Ticks of 10 ms, the unit of Linux in /proc. */
const TICK_MS = 10;

function cpuMsOf(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program, in brackets, may contain blanks; user and system time are the 12th and 13th field after it.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function rssMbOf(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1]) / 1024;
}

/** The median of some values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
