import { PRIVATE_KINDS, type PrivateKind } from '../privacy/private-span.ts';

/** Kind of a placeholder: that of the value behind it, or `text` for text of a mail or a person that looked like a placeholder. */
export type PlaceholderKind = PrivateKind | 'text';

/** A stretch of a text. Offsets in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The placeholder of a value: `<PERSON_1>`. */
export function placeholderOf(kind: PlaceholderKind, number: number): string {
  return `<${kind.toUpperCase()}_${number}>`;
}

const KIND = [...PRIVATE_KINDS, 'text'].join('|');
/** Between kind and number: what models, mail programs and Markdown put there. */
const GAP = String.raw`[\s_\-\\\u00ad\u2010-\u2015\u200b-\u200d\u2060\ufeff]*`;
const OPEN = String.raw`(?:[<‹«〈⟨《≪❬❮〈＜﹤【「『〔]|&lt;|&#0*60;|&#x0*3c;|%3c|\\u003c)`;
const CLOSE = String.raw`(?:[>›»〉⟩》≫❭❯〉＞﹥】」』〕]|&gt;|&#0*62;|&#x0*3e;|%3e|\\u003e)`;
const UNDERSCORE = String.raw`\\?_`;

/**
 * What looks like a placeholder: of one of our kinds, in angle brackets of any script or their escapes, however it is spelled; in
 * other brackets or behind one bracket with an underscore; and any capitals with a number, such as `<NAME_1>`.
 */
const LOOKALIKE = new RegExp(
  [
    String.raw`${OPEN}\s*(?:${KIND})${GAP}\d+\s*${CLOSE}`,
    String.raw`[[({]\s*(?:${KIND})${UNDERSCORE}\d+\s*[\])}]`,
    String.raw`${OPEN}\s*(?:${KIND})${UNDERSCORE}\d+(?!\d)`,
    String.raw`(?<![\p{L}\p{N}_])(?:${KIND})${UNDERSCORE}\d+\s*${CLOSE}`,
  ].join('|'),
  'giu',
);
const CAPITALS = new RegExp(
  String.raw`<[A-Z]+(?:_[A-Z]+)*_\d+>|(?<![\p{L}\p{N}_])(?:${KIND.toUpperCase()})${UNDERSCORE}\d+(?![\p{L}\p{N}_])`,
  'gu',
);

/** The stretches of a text that look like placeholders, exact ones included, in order and without overlaps. */
export function findLookalikes(text: string): Stretch[] {
  if (!/[\d０-９]/.test(text)) return [];
  const folded = inHalfWidth(text);
  const found = [...folded.matchAll(LOOKALIKE), ...folded.matchAll(CAPITALS)]
    .map(({ 0: { length }, index }) => ({ start: index, end: index + length }))
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  const kept: Stretch[] = [];
  for (const one of found) if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  return kept;
}

/** The beginning of an escaped bracket. */
const ESCAPE_PART = String.raw`(?:&[a-z0-9#]{0,12}|%3?|\\(?:u0{0,2}3?)?)`;
const KIND_PARTS = [...PRIVATE_KINDS, 'text'].map(beginningsOf).join('|');
/** The beginning of a lookalike at the end of a text: more text may complete it, or change what it is. */
const UNFINISHED = new RegExp(
  [
    String.raw`${OPEN}\s*(?:(?:${KIND})${GAP}\d*\s*${ESCAPE_PART}?|(?:${KIND_PARTS})?)`,
    String.raw`<[a-z_]*\d*`,
    String.raw`[[({]\s*(?:(?:${KIND})\\?_?\d*\s*|(?:${KIND_PARTS})?)`,
    String.raw`(?<![\p{L}\p{N}_])(?:(?:${KIND})(?:\\?_?|${UNDERSCORE}\d+\s*${ESCAPE_PART}?)|${KIND_PARTS})`,
    ESCAPE_PART,
  ]
    .map((source) => `(?:${source})$`)
    .join('|'),
  'iu',
);

/** `person` → a pattern for `p`, `pe`, …, `person`. */
function beginningsOf(word: string): string {
  return [...word].reduceRight((rest, letter) => `${letter}${rest === '' ? '' : `(?:${rest})?`}`, '');
}

/** The length of the beginning of a growing text that holds no part of an unfinished lookalike. */
export function finishedLength(text: string): number {
  const at = UNFINISHED.exec(inHalfWidth(text))?.index ?? text.length;
  const cut = findLookalikes(text).find(({ start, end }) => start < at && at < end);
  return cut?.start ?? at;
}

/** Full-width letters, digits and signs as ASCII, each in its place. */
function inHalfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));
}
