import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Figures of one row that a bench prints, by name. */
export type Figures = Readonly<Record<string, number | string>>;

/** Collects garbage; works without the flag --expose-gc. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc !== 'function') throw new Error('this Node has no gc function');
  for (let n = 0; n < 3; n++) gc();
}

/** Delay of the event loop, sampled each millisecond. */
export interface Lag {
  reset(): void;
  /** Milliseconds in addition to the one millisecond of a sample. */
  read(): { maxMs: number; p99Ms: number };
}

/** Starts to sample the delay of the event loop. */
export function measureLag(): Lag {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  const ms = (ns: number) => round(Math.max(0, ns / 1e6 - 1));
  return {
    reset: () => histogram.reset(),
    read: () => ({ maxMs: ms(histogram.max), p99Ms: ms(histogram.percentile(99)) }),
  };
}

/** Median time of one fdatasync of 16 KB on this disk, in milliseconds: a lower bound for a commit. */
export function syncMs(root: string): number {
  const file = openSync(join(root, 'sync'), 'w');
  const page = Buffer.alloc(16_384);
  const times = Array.from({ length: 50 }, () => {
    writeSync(file, page);
    const began = performance.now();
    fdatasyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  return round(times.toSorted((a, b) => a - b)[25] ?? NaN, 2);
}

/** Rounds to a number of digits. */
export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

/** Reads a whole number from the argument `--name=123`, or returns the default. */
export function numberArgument(name: string, fallback: number): number {
  const given = process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const value = given === undefined ? fallback : Number(given);
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a whole number, not "${given}"`);
  return value;
}

/** Prints one row: as JSON with `--json`, otherwise as text. */
export function print(name: string, figures: Figures): void {
  const text = process.argv.includes('--json')
    ? JSON.stringify({ name, ...figures })
    : `${name}  ${Object.entries(figures)
        .map(([key, value]) => `${key} ${value}`)
        .join('  ')}`;
  process.stdout.write(`${text}\n`);
}
