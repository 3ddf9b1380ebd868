import { setImmediate } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';

/** Free pages that stay in the file for new rows, as a part of all pages. */
const SPARE = 0.1;
/** Pages released in one step: a few milliseconds. */
const STEP = 256;
/** Value of `PRAGMA auto_vacuum` with which free pages can be released in steps. */
const INCREMENTAL = 2;
/** A file of an earlier version is rewritten once, when so much of it is free and no more than this is to be copied. */
const REWRITE = { freePart: 0.25, minFreeBytes: 16 * 1024 * 1024, maxLiveBytes: 256 * 1024 * 1024 } as const;

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}

/** Releases free pages of the file in steps, until few are left or `isStopped`; the event loop runs in between. */
export async function releaseFreePages(db: DatabaseSync, isStopped: () => boolean): Promise<void> {
  while (!isStopped() && pragma(db, 'auto_vacuum') === INCREMENTAL) {
    const free = pragma(db, 'freelist_count');
    if (free <= STEP || free <= pragma(db, 'page_count') * SPARE) return;
    db.exec(`PRAGMA incremental_vacuum(${STEP})`);
    await setImmediate();
  }
}

/**
 * Rewrites a file that an earlier version created, where much of it is free: from then on it shrinks in steps. Takes
 * about a second for 100 MB, once.
 */
export function rewriteIfMuchIsFree(db: DatabaseSync): void {
  if (pragma(db, 'auto_vacuum') === INCREMENTAL) return;
  const [pages, free, size] = [pragma(db, 'page_count'), pragma(db, 'freelist_count'), pragma(db, 'page_size')];
  const isWorthIt = free * size >= REWRITE.minFreeBytes && free >= pages * REWRITE.freePart;
  if (isWorthIt && (pages - free) * size <= REWRITE.maxLiveBytes)
    db.exec(`PRAGMA auto_vacuum = ${INCREMENTAL}; VACUUM`);
}
