import { statfsSync } from 'node:fs';

/** With less, SQLite cannot open a store: its log and its index need room. */
const LEAST_BYTES = 1024 * 1024;

/**
 * The words for an error in a folder whose disk is full, undefined where it is not. SQLite itself calls a full disk "disk I/O
 * error" in many places.
 */
export function diskIsFull(dir: string): { readonly problem: string; readonly hint: string } | undefined {
  const free = freeBytes(dir);
  if (free >= LEAST_BYTES) return undefined;
  const problem = `the disk is full, ${Math.floor(free / 1024)} KB are free`;
  return { problem, hint: 'free some space, or name a folder on another disk with --data; nothing was lost' };
}

/** Bytes that this user may still write on the disk of a folder; endless where the system does not say. */
export function freeBytes(dir: string): number {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
