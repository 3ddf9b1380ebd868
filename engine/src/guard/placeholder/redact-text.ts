import type { EntityMap } from './entity-map.ts';
import type { ContentText } from './content-text.ts';
import { findLookalikes, type PlaceholderKind, placeholderOf, type Stretch } from './placeholder.ts';
import type { PrivateKind, PrivateSpan } from '../privacy/private-span.ts';

/** A content with the private values that a recogniser has found in its text. */
export interface FoundContent {
  readonly content: ContentText;
  readonly spans: readonly PrivateSpan[];
}

interface Part extends Stretch {
  readonly kind: PlaceholderKind;
  readonly isExact: boolean;
}

/**
 * Adds what was found in several contents to the map, in reading order, then redacts them: so a name that one of them shows is
 * redacted in all.
 */
export function redactContents(map: EntityMap, found: readonly FoundContent[]): string[] {
  for (const { content, spans } of found) learn(map, content.text, spans);
  return found.map(({ content, spans }) => redactContent(map, content, spans));
}

/** Adds what was found in a text to the map. What only looks like a placeholder is nobody. */
function learn(map: EntityMap, text: string, spans: readonly PrivateSpan[]): void {
  const taken = findLookalikes(text);
  for (const span of spans)
    if (!taken.some((other) => overlaps(span, other))) map.assign(span.kind, span.text, exactness(text, span));
}

/** The known values of a text, as they stand in it. */
export function knownIn(map: EntityMap, text: string): { readonly kind: PrivateKind; readonly text: string }[] {
  return partsOf(map, text, []).flatMap(({ kind, start, end }) =>
    kind === 'text' ? [] : [{ kind, text: text.slice(start, end) }],
  );
}

/**
 * A plain text without the given spans and the known values: only their kind stands there. A value that one span shows is hidden
 * wherever else it stands.
 */
export function hideIn(map: EntityMap, text: string, spans: readonly PrivateSpan[] = []): string {
  learn(map, text, spans);
  let hidden = '';
  let at = 0;
  for (const { kind, start, end } of partsOf(map, text, spans)) {
    hidden += `${text.slice(at, start)}<${kind.toUpperCase()}>`;
    at = end;
  }
  return hidden + text.slice(at);
}

/** Redacts a plain text: what was found in it, and known values. */
export function redactFound(map: EntityMap, text: string, spans: readonly PrivateSpan[]): string {
  learn(map, text, spans);
  return redactContent(map, { text, rewrite: (replace) => replace(0, text.length) }, spans);
}

function redactContent(map: EntityMap, { text, rewrite }: ContentText, spans: readonly PrivateSpan[]): string {
  const parts = partsOf(map, text, spans);
  let next = 0;
  return rewrite((start, end) => {
    let redacted = '';
    let at = start;
    while (next < parts.length && (parts[next]?.end ?? 0) <= start) next++;
    for (let n = next; n < parts.length; n++) {
      const part = parts[n];
      if (part === undefined || part.start >= end) break;
      const from = Math.max(part.start, start);
      const to = Math.min(part.end, end);
      const value = text.slice(from, to);
      if (!/[\p{L}\p{N}]/u.test(value)) continue;
      const { kind, number } = map.assign(part.kind, value, { isExact: part.isExact });
      redacted += text.slice(at, from) + placeholderOf(kind, number);
      at = to;
    }
    return redacted + text.slice(at, end);
  });
}

/** What is redacted in a text, in order: of overlapping stretches the longer one stays, and what the other has besides. */
function partsOf(map: EntityMap, text: string, spans: readonly PrivateSpan[]): Part[] {
  const lookalikes = findLookalikes(text).map((one): Part => ({ ...one, kind: 'text', isExact: false }));
  const known = map.find(text).map(({ start, end, entity: { kind } }): Part => ({ ...partOf(text, start, end, kind) }));
  const found = spans.map(({ start, end, kind }) => partOf(text, start, end, kind));
  const others = [...found, ...known].toSorted((a, b) => rank(a) - rank(b) || b.end - b.start - (a.end - a.start));
  const parts: Part[] = [];
  const isTaken = new Uint8Array(text.length);
  for (const part of [...lookalikes, ...others])
    for (const free of freeOf(text, part, isTaken)) {
      isTaken.fill(1, free.start, free.end);
      parts.push({ ...part, ...free });
    }
  return parts.toSorted((a, b) => a.start - b.start);
}

/** A name inside an address or a number belongs to that. */
const rank = ({ kind }: Part) => (kind === 'person' ? 1 : 0);

function partOf(text: string, start: number, end: number, kind: PlaceholderKind): Part {
  return { start, end, kind, ...{ isExact: false, ...(kind === 'person' && exactness(text, { start, end })) } };
}

/** What of a stretch no other part has. */
function freeOf(text: string, { start, end }: Stretch, isTaken: Uint8Array): Stretch[] {
  const free: Stretch[] = [];
  for (let at = start; at < end; at++) {
    if (isTaken[at] === 1) continue;
    const from = at;
    while (at < end && isTaken[at] !== 1) at++;
    free.push(...withoutEdges(text, from, at));
  }
  return free;
}

/** A stretch without blanks at its ends; none where it has no letter and no digit. */
function withoutEdges(text: string, from: number, to: number): Stretch[] {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  return /[\p{L}\p{N}]/u.test(text.slice(start, end)) ? [{ start, end }] : [];
}

function overlaps(a: Stretch, b: Stretch): boolean {
  return a.start < b.end && b.start < a.end;
}

/** A name inside a file name or a path is meant as it is spelled: `karthik.pdf` is not `Karthik.pdf`. */
function exactness(text: string, { start, end }: Stretch): { isExact: boolean } {
  const before = /[\p{L}\p{N}]?[_/\\.-]$/u.test(text.slice(Math.max(0, start - 2), start));
  const after = /^[_/\\.-][\p{L}\p{N}]/u.test(text.slice(end, end + 2));
  const isPath = (before && /[_/\\]/.test(text.charAt(start - 1))) || after;
  return { isExact: isPath };
}
