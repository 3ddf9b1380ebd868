import { type ClockReading, elapsedMs, isoTime } from '../base/clock.ts';
import { isRecord } from '../base/json.ts';
import type { Row, RowChange } from '../store/store.ts';

/** A holder without a sign of life for this long has lost the claim. */
const LAPSE_MS = 12_000;
/** A challenger that has seen no sign of life for this long takes the claim. */
const STALE_MS = 15_000;
/** What nobody has held for this long is forgotten, such as the claim of a process to its own name. */
const FORGET_MS = 600_000;

/** What others may know of a process that holds claims. */
export interface ProcessInfo {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
}

/** What one process does for all, and who that is. */
export interface ClaimHolder extends Partial<ProcessInfo> {
  readonly name: string;
  readonly worker: string;
  /** ISO 8601, by the holder's clock. */
  readonly since?: string;
}

/** The holder that a row tells of, or undefined. The body is written by other processes, perhaps of another version. */
export function holderOf({ name, worker, body }: Row<'claim'>): ClaimHolder | undefined {
  if (worker === '') return undefined;
  const known: unknown = body === '' ? undefined : JSON.parse(body);
  if (!isRecord(known)) return { name, worker };
  const { host, pid, version, since } = known;
  return {
    name,
    worker,
    ...(typeof host === 'string' && { host }),
    ...(typeof pid === 'number' && { pid }),
    ...(typeof version === 'string' && { version }),
    ...(typeof since === 'string' && { since }),
  };
}

/** For how many milliseconds a sign of life that was sent at a moment still holds. */
export function leftMs(sent: ClockReading, now: ClockReading): number {
  return LAPSE_MS - elapsedMs(sent, now);
}

/** A row as it was read last. */
export interface SeenClaim {
  readonly row: Row<'claim'>;
  /** When it was first seen with this `rev`, by our steady clock. */
  readonly since: number;
}

/** Rows that were just read, each with since when it is as it is. */
export function noteRows(
  before: ReadonlyMap<string, SeenClaim>,
  rows: readonly Row<'claim'>[],
  now: ClockReading,
): Map<string, SeenClaim> {
  return new Map(
    rows.map((row) => {
      const seen = before.get(row.name);
      return [row.name, { row, since: seen?.row.rev === row.rev ? seen.since : now.steadyMs }];
    }),
  );
}

/** A process and a name: what the process writes depends on what it wants with the name. */
export interface Claimant {
  readonly name: string;
  readonly worker: string;
  readonly about: ProcessInfo;
  readonly wish: 'take' | 'keep' | 'leave';
}

/** Removes rows that have been as they are for very long; one that somebody takes in this moment has another `rev`. */
export function deleteStaleClaims(seen: ReadonlyMap<string, SeenClaim>, now: ClockReading): RowChange[] {
  return [...seen.values()]
    .filter(({ since }) => now.steadyMs - since >= FORGET_MS)
    .map(({ row: { name, rev } }) => ({ op: 'delete', table: 'claim', where: { name, rev } }));
}

/**
 * What is to be written for a name, or undefined. `rev` only grows, and in a new row it begins far above that of an earlier
 * one, so that no row is ever taken for one that was seen before.
 */
export function claimChange(claimant: Claimant, seen: SeenClaim | undefined, now: ClockReading): RowChange | undefined {
  const { name, worker, about, wish } = claimant;
  const body = JSON.stringify({ ...about, since: isoTime(now.wallMs) });
  if (seen === undefined)
    return wish === 'leave'
      ? undefined
      : { op: 'insert', table: 'claim', row: { name, worker, rev: now.wallMs, body } };
  const { rev, worker: holder } = seen.row;
  const update = (set: Partial<Row<'claim'>>): RowChange => ({
    op: 'update',
    table: 'claim',
    key: { name },
    set: { ...set, rev: rev + 1 },
    expect: { rev },
  });
  switch (wish) {
    case 'leave':
      return holder === worker ? update({ worker: '', body: '{}' }) : undefined;
    case 'keep':
      return update({});
    case 'take':
      return holder === '' || holder === worker || now.steadyMs - seen.since >= STALE_MS
        ? update({ worker, body })
        : undefined;
    default:
      return wish satisfies never;
  }
}
