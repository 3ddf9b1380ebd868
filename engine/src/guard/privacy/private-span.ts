/** Kinds of private data that `privacy.redact` names. */
export const PRIVATE_KINDS = ['person', 'phone', 'email', 'iban', 'card'] as const;
export type PrivateKind = (typeof PRIVATE_KINDS)[number];

/** Kinds of words that stay, even where they look like a name: `privacy.keep`. */
export const KEPT_KINDS = ['company', 'date', 'location', 'role'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

/** One private value in a text. */
export interface PrivateSpan {
  /** Offsets in UTF-16 units; `text` is `source.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
  readonly kind: PrivateKind;
  readonly text: string;
}

/**
 * Makes one list of spans, in order and without overlaps, out of lists from the most to the least certain. Where two spans overlap
 * the one of the earlier list stays; of the other, what lies outside stays if it holds a letter or a digit, so that nothing that
 * was found is left visible.
 */
export function joinSpans(source: string, lists: readonly (readonly PrivateSpan[])[]): PrivateSpan[] {
  let joined: PrivateSpan[] = [];
  for (const list of lists) joined = addSpans(source, joined, list);
  return joined;
}

function addSpans(source: string, first: readonly PrivateSpan[], second: readonly PrivateSpan[]): PrivateSpan[] {
  const sorted = second.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const joined: PrivateSpan[] = [];
  let at = 0;
  /** Adds what of a span lies between the end of the last one and `limit`. */
  const add = (span: PrivateSpan, limit: number) => {
    const from = Math.max(span.start, joined.at(-1)?.end ?? 0);
    const part = from === span.start && limit >= span.end ? span : trim(source, from, Math.min(span.end, limit));
    if (part !== undefined) joined.push({ ...part, kind: span.kind });
  };
  for (const span of sorted) {
    for (let taken = first[at]; taken !== undefined && taken.start < span.end; taken = first[at]) {
      if (taken.start > span.start) add(span, taken.start);
      joined.push(taken);
      at++;
    }
    add(span, span.end);
  }
  return [...joined, ...first.slice(at)];
}

const EDGE = /[\p{L}\p{N}+(]/u;

/** The part without what is no value at its edges; undefined where nothing is left. */
function trim(source: string, from: number, to: number): Omit<PrivateSpan, 'kind'> | undefined {
  let [start, end] = [from, to];
  while (start < end && !EDGE.test(source.charAt(start))) start++;
  while (end > start && /[\s,;:]/.test(source.charAt(end - 1))) end--;
  return start < end ? { start, end, text: source.slice(start, end) } : undefined;
}
