import { isRecord } from '../../base/json.ts';

/** UIDs from the first to the second, both included. */
export type Range = readonly [first: number, last: number];

/** What was dealt with of a mailbox, as long as it keeps its UIDs (RFC 9051 2.3.1.1). */
export interface ImapPlace {
  /** Server, user and mailbox: another one begins anew. */
  readonly mailbox: string;
  readonly uidValidity: string;
  /** In ascending order, with room between them. */
  readonly done: readonly Range[];
  /** Number of the last change of flags that was dealt with (RFC 7162), in digits; absent where the server counts none. */
  readonly modseq?: string;
}

/** What a kept place says of a mailbox; nothing where it is about another one, or the UIDs have become others. */
export function placeOf(kept: unknown, key: Pick<ImapPlace, 'mailbox' | 'uidValidity'>): ImapPlace {
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
export function merge(ranges: readonly Range[]): readonly Range[] {
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
export function setOf(ranges: readonly Range[]): string {
  return ranges.map(([first, last]) => `${first}:${last}`).join();
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
  return merge([
    ...done,
    ...known.flatMap((uid, i) => (uids.has(uid) ? [[(known[i - 1] ?? 0) + 1, uid] as const] : [])),
  ]);
}
