import { isRecord } from '../../base/json.ts';

/** UIDs from `first` to `last`, both included. */
export type Range = readonly [first: number, last: number];

/** The handled mails of a mailbox, valid while its UIDs stay (RFC 9051 2.3.1.1). */
export interface ImapCursor {
  /** Server, user and mailbox; a cursor of another one is not used. */
  readonly mailbox: string;
  readonly uidValidity: string;
  /** Handled UIDs, in ascending order; the ranges do not touch. */
  readonly done: readonly Range[];
  /** Number of the last handled change of flags (RFC 7162), in digits; absent where the server has no such numbers. */
  readonly modseq?: string;
}

/**
 * The stored cursor of a mailbox; an empty one where the stored cursor is about another mailbox, or the UIDs were
 * renumbered.
 */
export function readImapCursor(kept: unknown, key: Pick<ImapCursor, 'mailbox' | 'uidValidity'>): ImapCursor {
  if (!isRecord(kept) || kept['mailbox'] !== key.mailbox || kept['uidValidity'] !== key.uidValidity)
    return { ...key, done: [] };
  const { done, modseq } = kept;
  return {
    ...key,
    done: Array.isArray(done) && done.every(isRange) ? done : [],
    ...(typeof modseq === 'string' && /^\d{1,19}$/.test(modseq) && { modseq }),
  };
}

function isRange(value: unknown): value is Range {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
}

/** Ranges in ascending order; touching ranges are merged. */
export function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Whether a UID lies in one of the ranges. */
export function covers(ranges: readonly Range[], uid: number): boolean {
  return ranges.some(([first, last]) => first <= uid && uid <= last);
}

/** The ranges as an IMAP sequence set: `1:20,31:84`. */
export function formatSequenceSet(ranges: readonly Range[]): string {
  return ranges.map(([first, last]) => `${first}:${last}`).join();
}

/** The numbers of a sequence set; undefined where it does not have exactly `count` different numbers. */
export function parseSequenceSet(set: string, count: number | undefined): readonly number[] | undefined {
  const numbers = new Set<number>();
  for (const part of set === '' ? [] : set.split(',')) {
    const [first = NaN, last = first] = part.split(':').map(Number);
    const [low, high] = [Math.min(first, last), Math.max(first, last)];
    // The server controls the set: the loop never runs longer than for the mails that exist.
    if (count === undefined || !(low >= 1 && high - low < count)) return undefined;
    for (let number = low; number <= high; number++) numbers.add(number);
    if (numbers.size > count) return undefined;
  }
  return numbers.size === count ? [...numbers] : undefined;
}

/** The UIDs between and after the ranges, as an IMAP sequence set: `20:30,85:*`. */
export function gapsOf(done: readonly Range[]): string {
  const gaps: string[] = [];
  let next = 1;
  for (const [first, last] of done) {
    if (first > next) gaps.push(`${next}:${first - 1}`);
    next = last + 1;
  }
  return [...gaps, `${next}:*`].join();
}

/**
 * The ranges once `uids` are handled as well. `known` are all existing UIDs that were not handled, ascending: no mail
 * can appear between two of them, since UIDs only grow.
 */
export function advance(done: readonly Range[], known: readonly number[], uids: ReadonlySet<number>): readonly Range[] {
  return mergeRanges([...done, ...[...uids].map((uid) => [lastBelow(known, uid) + 1, uid] as const)]);
}

/** The last of ascending numbers that is less than `limit`; 0 where there is none. */
function lastBelow(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (numbers[middle]! < limit) from = middle + 1;
    else to = middle;
  }
  return numbers[from - 1] ?? 0;
}
