import { type ClockReading, elapsedMs, isoTime } from '../base/clock.ts';
import { isRecord } from '../base/json.ts';
import type { Row, RowChange } from '../store/store.ts';

/** A holder that has not renewed its claim for this long has lost it. */
const LAPSE_MS = 12_000;
/** Another process that has seen no renewal for this long takes the claim. */
const STALE_MS = 15_000;
/** A row without a holder for this long is deleted, such as the claim of a process on its own name. */
const FORGET_MS = 600_000;

/** Public data of a process that holds claims. */
export interface ProcessInfo {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
}

/** A claim and the process that holds it. */
export interface ClaimHolder extends Partial<ProcessInfo> {
  readonly name: string;
  readonly worker: string;
  /** ISO 8601, by the holder's clock. */
  readonly since?: string;
}

/** The holder of a row, or undefined. Other processes, perhaps of another version, write the body. */
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

/** Milliseconds for which a renewal sent at that moment is still valid. */
export function leftMs(sent: ClockReading, now: ClockReading): number {
  return LAPSE_MS - elapsedMs(sent, now);
}

/** The last reading of a row. */
export interface SeenClaim {
  readonly row: Row<'claim'>;
  /** When it was first read with this `rev`, by our steady clock. */
  readonly since: number;
}

/** Adds to each row when it was first read as it is. */
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

/** A process, a name, and whether the process takes, keeps or leaves the name. */
export interface Claimant {
  readonly name: string;
  readonly worker: string;
  readonly about: ProcessInfo;
  readonly wish: 'take' | 'keep' | 'leave';
}

/** Deletes rows that have not changed for very long; a row that a process takes at this moment has another `rev`. */
export function deleteStaleClaims(seen: ReadonlyMap<string, SeenClaim>, now: ClockReading): RowChange[] {
  return [...seen.values()]
    .filter(({ since }) => now.steadyMs - since >= FORGET_MS)
    .map(({ row: { name, rev } }) => ({ op: 'delete', table: 'claim', where: { name, rev } }));
}

/**
 * The change to write for a name, or undefined. `rev` only grows, and in a new row it starts far above that of an
 * earlier row, so that an old row is never mistaken for a new one.
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
