import type { Point } from './kill-loop.ts';

/** In a worker: counts passes of the point that `KILL_POINT` names, and kills the process at number `KILL_AFTER`. */
export function doomedProbe(env: NodeJS.ProcessEnv): (point: Point) => void {
  let left = Number(env['KILL_AFTER'] ?? 0);
  return (point) => {
    if (point === env['KILL_POINT'] && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
}

/** Between no time and twice `ms`. */
export function someTime(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * ms));
}

export function chance(probability: number): boolean {
  return Math.random() < probability;
}

export function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)]!;
}

/** The environment variable of that name, which the test sets. */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
