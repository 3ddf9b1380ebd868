import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundled } from './bundled.ts';

/** Narrow places at which a worker ends itself: those of `Dependencies.probe`, and right after a side effect, inside its tool. */
export const POINTS = ['before-commit', 'after-commit', 'after-effect', 'in-effect'] as const;
export type Point = (typeof POINTS)[number];

export interface KillLoop {
  /** File of the worker, beside this one, or its address. It prints `ready` once it works. */
  readonly worker: string;
  readonly kills: number;
  readonly env: Readonly<Record<string, string>>;
  /** The points at which it may end itself; every second life does, or each one where `isOnlyInside`. */
  readonly points: readonly Point[];
  readonly isOnlyInside?: boolean;
  /** Longest life after `ready`, in milliseconds, of one that is killed from outside. */
  readonly lifeMs: number;
  /** How long a life that should end itself may idle before it is ended from outside, in milliseconds. Default 3000. */
  readonly idleMs?: number;
  /** Probes that a life may pass at most before it ends itself. */
  readonly maxPasses: number;
  /** Called as life number `n` (from 0) begins. */
  readonly onLife?: (n: number) => void;
  /** The window in which the first life that ends itself certainly dies. */
  readonly provoked?: Provoked;
}

/** A window that one life dies in for certain, and what makes the worker get there. */
export interface Provoked {
  readonly point: Point;
  readonly env?: Readonly<Record<string, string>>;
}

/** How often the process was killed, where, and how often before it had taken up its work. */
export interface Kills {
  outside: number;
  inside: Record<Point, number>;
  beforeReady: number;
}

export function noKills(): Kills {
  return {
    outside: 0,
    inside: { 'before-commit': 0, 'after-commit': 0, 'after-effect': 0, 'in-effect': 0 },
    beforeReady: 0,
  };
}

/** No start, and no drain, takes longer than this. */
const STUCK_MS = 120_000;
/** Characters kept of what a worker writes. */
const MAX_OUTPUT = 20_000;

/** Starts the worker again and again on the same folders; it is killed each time, half from outside, half by itself. */
export async function killLoop(options: KillLoop): Promise<Kills> {
  const kills = noKills();
  const worker = await workerOf(options.worker);
  for (let n = 0; n < options.kills; n++) {
    options.onLife?.(n);
    const isInside = options.isOnlyInside === true || n % 2 === 1;
    const isProvoked = options.provoked !== undefined && n === (options.isOnlyInside === true ? 0 : 1);
    const point = isProvoked
      ? options.provoked?.point
      : isInside
        ? options.points[(n >> 1) % options.points.length]
        : undefined;
    const end = await live({ ...options, worker }, point, isProvoked);
    if (!end.wasReady) kills.beforeReady++;
    if (end.bySelf && point !== undefined) kills.inside[point]++;
    else kills.outside++;
  }
  return kills;
}

/** What `startWorker` takes for a worker beside this file: its bundle. */
export async function workerOf(worker: string): Promise<string> {
  return pathToFileURL(await bundled(`flow/${worker}`)).href;
}

/** One life that ends with SIGKILL. A provoked one dies at its first pass of the point, however long that takes. */
async function live(
  options: KillLoop,
  point: Point | undefined,
  isProvoked: boolean,
): Promise<{ bySelf: boolean; wasReady: boolean }> {
  const after = isProvoked ? 1 : Math.ceil(Math.random() * options.maxPasses);
  const child = startWorker(options.worker, {
    ...options.env,
    ...(point !== undefined && { KILL_POINT: point, KILL_AFTER: String(after) }),
    ...(isProvoked && options.provoked?.env),
  });
  let bySelf = true;
  const kill = () => {
    bySelf = false;
    child.process.kill('SIGKILL');
  };
  // One life in eight is ended while the process may still be starting or recovering.
  const early = point === undefined && Math.random() < 0.25;
  const timers = [setTimeout(kill, early ? 200 + Math.random() * 800 : STUCK_MS)];
  const wait = point === undefined ? Math.random() * options.lifeMs : isProvoked ? STUCK_MS : (options.idleMs ?? 3000);
  void child.ready.then(() => timers.push(setTimeout(kill, wait)));
  const { code, signal } = await child.exit;
  for (const timer of timers) clearTimeout(timer);
  if (signal !== 'SIGKILL')
    throw new Error(`the worker was not killed, it ended (code ${code}, signal ${signal}):\n${child.output()}`);
  return { bySelf, wasReady: child.wasReady() };
}

/** Starts the worker once more and lets it finish everything; throws with its output where it cannot. */
export async function drain(worker: string, env: Readonly<Record<string, string>>): Promise<void> {
  const child = startWorker(await workerOf(worker), { ...env, DRAIN: '1' });
  const timer = setTimeout(() => child.process.kill('SIGKILL'), STUCK_MS);
  const { code, signal } = await child.exit;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`the worker did not drain (code ${code}, signal ${signal}):\n${child.output()}`);
}

/** A worker on its way: `ready` resolves with what it says after that word. */
export interface Child {
  readonly process: ChildProcess;
  readonly ready: Promise<string>;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  wasReady(): boolean;
  /** The end of what it has written. */
  output(): string;
}

/** Starts a file beside this one, or one at an address, as a process of its own; what it writes also goes to `log`. */
export function startWorker(worker: string, env: Readonly<Record<string, string>>, log?: string): Child {
  const file = fileURLToPath(new URL(worker, import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  let wasReady = false;
  const note = (piece: Buffer) => {
    if (log !== undefined) appendFileSync(log, piece);
    output = (output + piece.toString()).slice(-MAX_OUTPUT);
    const said = wasReady ? undefined : /^ready(?: (.*))?$/m.exec(output);
    if (said === undefined || said === null) return;
    wasReady = true;
    resolve(said[1] ?? '');
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) =>
    child.on('close', (code, signal) => done({ code, signal })),
  );
  return { process: child, ready, exit, wasReady: () => wasReady, output: () => output };
}

/** Kills as one line for people. */
export function describeKills({ outside, inside, beforeReady }: Kills): string {
  const points = Object.entries(inside).filter(([, count]) => count > 0);
  const own = points.reduce((sum, [, count]) => sum + count, 0);
  const where = points.map(([point, count]) => `${count} ${point}`).join(', ');
  return `${outside + own} kills: ${outside} outside (${beforeReady} before it was ready), ${own} inside (${where})`;
}

/** How often to kill: `KILLS`, else the long loop where all loops are long. */
export function killCount(short: number, long: number, isFull: boolean): number {
  const wanted = Number(process.env['KILLS'] ?? '');
  return Number.isInteger(wanted) && wanted > 0 ? wanted : isFull ? long : short;
}
