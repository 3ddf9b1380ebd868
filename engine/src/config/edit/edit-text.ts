import { isDeepStrictEqual } from 'node:util';
import {
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isRecord } from '../../base/json.ts';

/** A text that replaces `[from, to)`. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const STYLE = { lineWidth: 0 } as const;

/**
 * Changes YAML `text` so that it parses to `value`, with as few changes as possible: unchanged lines stay byte for byte, with
 * their comments and order. If splicing fails, the document is written from its syntax tree, which keeps comments and order
 * but not every space.
 */
export function editYaml(text: string, value: Readonly<Record<string, unknown>>): string {
  const document = parseDocument(text);
  const before: unknown = document.toJS();
  const wanted = plain(value);
  if (isDeepStrictEqual(before, wanted)) return text;
  if (isMap(document.contents) && isRecord(before) && document.errors.length === 0) {
    const spliced = apply(text, changeMap(text, document.contents, before, wanted));
    if (spliced !== undefined && parsesTo(spliced, wanted)) return spliced;
    for (const key of Object.keys(before)) if (!(key in wanted)) document.delete(key);
    for (const [key, value] of Object.entries(wanted))
      if (!isDeepStrictEqual(before[key], value)) document.set(key, document.createNode(value));
    const rewritten = document.toString(STYLE);
    if (parsesTo(rewritten, wanted)) return rewritten;
  }
  return stringify(wanted, STYLE);
}

/** Converts a value to plain JSON data, so that it can be compared with the parsed text. */
function plain(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isRecord(copy) ? copy : {};
}

/** Changes a JSON text to `wanted`. Keeps key order, indentation and the final line break. */
export function editJson(text: string, wanted: Readonly<Record<string, unknown>>): string {
  let before: unknown;
  try {
    before = JSON.parse(text);
  } catch {
    before = undefined;
  }
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.includes('\n') || text === '' ? '  ' : '');
  return JSON.stringify(inOrder(before, wanted), null, indent) + (text === '' || text.endsWith('\n') ? '\n' : '');
}

/** `wanted` with its keys in the order of `before`; new keys come last. */
function inOrder(before: unknown, wanted: unknown): unknown {
  if (Array.isArray(wanted))
    return wanted.map((value: unknown, i) => inOrder(Array.isArray(before) ? before[i] : undefined, value));
  if (!isRecord(wanted)) return wanted;
  const old = isRecord(before) ? before : {};
  const keys = [
    ...Object.keys(old).filter((key) => key in wanted),
    ...Object.keys(wanted).filter((key) => !(key in old)),
  ];
  return Object.fromEntries(keys.map((key) => [key, inOrder(old[key], wanted[key])]));
}

function parsesTo(text: string, wanted: unknown): boolean {
  const document = parseDocument(text);
  return document.errors.length === 0 && isDeepStrictEqual(document.toJS(), wanted);
}

/** Applies all splices to `text`; undefined if one of them is undefined. */
function apply(text: string, splices: readonly (Splice | undefined)[]): string | undefined {
  let result = text;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  for (const splice of [...splices].sort((a, b) => (b?.from ?? 0) - (a?.from ?? 0))) {
    if (splice === undefined) return undefined;
    result = result.slice(0, splice.from) + splice.text.replaceAll('\n', lineBreak) + result.slice(splice.to);
  }
  return result;
}

type Splices = (Splice | undefined)[];

function changeNode(text: string, node: unknown, before: unknown, after: unknown): Splices {
  if (isDeepStrictEqual(before, after)) return [];
  if (isMap(node) && isRecord(before) && isRecord(after)) return changeMap(text, node, before, after);
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after)) return changeSeq(text, node, before, after);
  const [from, to] = (isScalar(node) || isCollection(node) ? (node as Node).range : undefined) ?? [];
  const inline = inlineText(after);
  // The text of a block scalar cannot be replaced in place.
  if (from === undefined || to === undefined || inline === undefined || /^[|>]/.test(text.slice(from)))
    return [undefined];
  return [{ from, to, text: inline }];
}

function changeMap(
  text: string,
  map: YAMLMap,
  before: Record<string, unknown>,
  after: Readonly<Record<string, unknown>>,
): Splices {
  if (map.anchor !== undefined || map.items.some(({ key }) => !isScalar(key))) return [undefined];
  const removed = Object.keys(before).filter((key) => !(key in after));
  const added = Object.keys(after).filter((key) => !(key in before));
  if (map.flow === true && removed.length + added.length > 0) return [flowText(map, inOrder(before, after))];
  const splices: Splices = [];
  for (const pair of map.items as Pair<{ value: unknown; range: [number, number, number] }, Node | null>[]) {
    const key = String(pair.key.value);
    if (removed.includes(key)) splices.push(wholeLines(text, pair.key.range[0], endOf(pair)));
    else if (!isDeepStrictEqual(before[key], after[key]))
      splices.push(...changePair(text, map, pair, before[key], after[key]));
  }
  if (added.length > 0) splices.push(insertPairs(text, map, Object.fromEntries(added.map((key) => [key, after[key]]))));
  return splices;
}

function changePair(
  text: string,
  map: YAMLMap,
  pair: Pair<{ range: [number, number, number] | undefined; value: unknown }, Node | null>,
  before: unknown,
  after: unknown,
): Splices {
  const inside = changeNode(text, pair.value, before, after);
  if (!inside.includes(undefined)) return inside;
  const from = pair.key.range?.[0];
  if (from === undefined || map.flow === true) return [undefined];
  const to = endOf(pair);
  const key = String(pair.key.value);
  const block = blockText({ [key]: inOrder(before, after) }, indentAt(text, from))
    .trimStart()
    .replace(/\n$/, '');
  const tail = text[to - 1] === '\n' ? '\n' : '';
  const comment = /^[ \t]+#.*/.exec(text.slice(to))?.[0];
  if (comment === undefined || tail !== '') return [{ from, to, text: block + tail }];
  // After the last line of a block text, a comment would become text, so it moves to the first line.
  return [{ from, to: to + comment.length, text: block.replace(/$/m, comment.replaceAll('$', '$$$$')) }];
}

function changeSeq(text: string, seq: YAMLSeq, before: readonly unknown[], after: readonly unknown[]): Splices {
  if (seq.anchor !== undefined) return [undefined];
  if (before.length === after.length)
    return seq.items.flatMap((node, i) => changeNode(text, node, before[i], after[i]));
  if (seq.flow === true) return [appendToFlow(seq, before, after) ?? flowText(seq, after)];
  if (after.length === 0 || before.length === 0) return [undefined];
  const head = before.findIndex((value, i) => !isDeepStrictEqual(value, after[i]));
  const start = head < 0 ? before.length : Math.min(head, after.length);
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    isDeepStrictEqual(before.at(-1 - end), after.at(-1 - end))
  )
    end++;
  const paired = Math.min(before.length, after.length) - start - end;
  const splices = seq.items
    .slice(start, start + paired)
    .flatMap((node, i) => changeNode(text, node, before[start + i], after[start + i]));
  for (const node of seq.items.slice(start + paired, before.length - end)) splices.push(removeItem(text, node));
  const more = after.slice(start + paired, after.length - end);
  if (more.length > 0) splices.push(insertItems(text, seq, start + paired, more));
  return splices;
}

/** Index of the dash of a list item; undefined for an unknown notation. */
function dashOf(text: string, node: unknown): number | undefined {
  const start = isScalar(node) || isCollection(node) ? node.range?.[0] : undefined;
  const dash = start === undefined ? -1 : text.lastIndexOf('-', start - 1);
  return dash >= 0 && /^-\s+$/.test(text.slice(dash, start)) ? dash : undefined;
}

function removeItem(text: string, node: unknown): Splice | undefined {
  const dash = dashOf(text, node);
  const end = isScalar(node) || isCollection(node) ? deepEnd(node) : undefined;
  return dash === undefined || end === undefined ? undefined : wholeLines(text, dash, end);
}

function insertItems(text: string, seq: YAMLSeq, index: number, values: readonly unknown[]): Splice | undefined {
  const neighbour = seq.items[Math.max(0, index - 1)];
  const dash = dashOf(text, neighbour);
  const end = isScalar(neighbour) || isCollection(neighbour) ? deepEnd(neighbour) : undefined;
  if (dash === undefined || end === undefined) return undefined;
  const block = blockText(values, indentAt(text, dash));
  if (index > 0) return insertBehind(text, end, block);
  const at = text.lastIndexOf('\n', dash - 1) + 1;
  return text.slice(at, dash).trim() === '' ? { from: at, to: at, text: block } : undefined;
}

function insertBehind(text: string, end: number, block: string): Splice {
  const at = lineEnd(text, end);
  const lead = at > 0 && text[at - 1] !== '\n' ? '\n' : '';
  return { from: at, to: at, text: lead + block };
}

/** Adds values behind the last one of `[a, 'b']`, which keeps its quotes; undefined where something else changes. */
function appendToFlow(seq: YAMLSeq, before: readonly unknown[], after: readonly unknown[]): Splice | undefined {
  const last = seq.items.at(-1);
  const more = after.slice(before.length).map(inlineText);
  if (more.length === 0 || more.includes(undefined) || !isDeepStrictEqual(after.slice(0, before.length), before))
    return undefined;
  const at = isScalar(last) || isCollection(last) ? deepEnd(last) : undefined;
  return at === undefined ? undefined : { from: at, to: at, text: `, ${more.join(', ')}` };
}

/** Rewrites a whole flow collection (`{ a: 1 }`, `[a]`), which is short. */
function flowText(node: Node, value: unknown): Splice | undefined {
  const text = inlineText(value);
  const range = node.range;
  return text === undefined || range === undefined || range === null
    ? undefined
    : { from: range[0], to: range[1], text };
}

/** A value on one line; undefined if it needs more lines. */
function inlineText(value: unknown): string | undefined {
  if (typeof value === 'string' && value.includes('\n')) return undefined;
  if (value !== null && typeof value === 'object') {
    const text = stringify(value, {
      ...STYLE,
      collectionStyle: 'flow',
      flowCollectionPadding: !Array.isArray(value),
    }).trimEnd();
    return text.includes('\n') ? undefined : text;
  }
  const text = stringify(value, { ...STYLE, singleQuote: false }).trimEnd();
  // Inside [ ] and { }, a plain text ends at a comma or bracket.
  return typeof value === 'string' && /[,[\]{}#:]/.test(text) && !/^['"]/.test(text) ? JSON.stringify(value) : text;
}

function blockText(value: object, indent: string): string {
  return stringify(value, STYLE).replace(/^(?=.)/gm, indent);
}

function insertPairs(text: string, map: YAMLMap, values: object): Splice | undefined {
  const first = map.items[0];
  const last = map.items.at(-1);
  if (first === undefined || last === undefined || !isScalar(first.key)) return undefined;
  const indent = indentAt(text, first.key.range?.[0] ?? 0);
  return insertBehind(text, endOf(last), blockText(values, indent));
}

/** End of the value of a pair, without the comments after it. */
function endOf({ key, value }: Pair): number {
  const node = value ?? key;
  return isScalar(node) || isCollection(node) ? (deepEnd(node) ?? 0) : 0;
}

/** End of a node without the comments below it. The range of a block collection includes them; its last member's does not. */
function deepEnd(node: Node): number | undefined {
  const last: unknown = isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (last === undefined || last === null) return node.range?.[1];
  if (isScalar(last) || isCollection(last)) return deepEnd(last);
  return typeof last === 'object' && 'key' in last ? endOf(last as Pair) : node.range?.[1];
}

/** Start of the next line, or the end of the text. `at` may be the start of a line after a block text. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function wholeLines(text: string, from: number, to: number): Splice | undefined {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  // `- key: value`: the dash belongs to the list.
  return text.slice(start, from).trim() === '' ? { from: start, to: lineEnd(text, to), text: '' } : undefined;
}

function indentAt(text: string, offset: number): string {
  return ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));
}
