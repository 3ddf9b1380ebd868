import { isRecord } from '../../base/json.ts';

/** UIDs from the first to the second, both included. */
export type Range = readonly [first: number, last: number];

/** What was dealt with of a mailbox, as long as it keeps its UIDs (RFC 9051 2.3.1.1). */
export interface ImapCursor {
  /** Server, user and mailbox: another one begins anew. */
  readonly mailbox: string;
  readonly uidValidity: string;
  /** In ascending order, with room between them. */
  readonly done: readonly Range[];
  /** Number of the last change of flags that was dealt with (RFC 7162), in digits; absent where the server counts none. */
  readonly modseq?: string;
}

/** What a kept place says of a mailbox; nothing where it is about another one, or the UIDs have become others. */
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

/** Ranges in ascending order, with those that touch made one. */
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

/** The numbers of a sequence set; undefined where it does not name so many, each once. */
export function parseSequenceSet(set: string, count: number | undefined): readonly number[] | undefined {
  const numbers = new Set<number>();
  for (const part of set === '' ? [] : set.split(',')) {
    const [first = NaN, last = first] = part.split(':').map(Number);
    const [low, high] = [Math.min(first, last), Math.max(first, last)];
    // A server says how long this takes: never longer than for the mails that there are.
    if (count === undefined || !(low >= 1 && high - low < count)) return undefined;
    for (let number = low; number <= high; number++) numbers.add(number);
    if (numbers.size > count) return undefined;
  }
  return numbers.size === count ? [...numbers] : undefined;
}

/** What lies between and after the ranges, as an IMAP sequence set: `20:30,85:*`. */
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
 * What is dealt with once `uids` are. `known` are all UIDs that were there and not dealt with, ascending: between two of them
 * there is nothing, and never will be, since UIDs only grow.
 */
export function advance(done: readonly Range[], known: readonly number[], uids: ReadonlySet<number>): readonly Range[] {
  return mergeRanges([...done, ...[...uids].map((uid) => [lastBelow(known, uid) + 1, uid] as const)]);
}

/** The last of ascending numbers that is less; 0 where there is none. */
function lastBelow(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (numbers[middle]! < limit) from = middle + 1;
    else to = middle;
  }
  return numbers[from - 1] ?? 0;
}
