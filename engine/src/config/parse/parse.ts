import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type { Problem } from '../config.ts';
import { type DocumentPath, type Finding, type LocateInText, type Position, toProblem } from '../problem.ts';
import type { Source } from './read.ts';

/** Aliases that one document may expand. More would be an attack ("billion laughs"). */
const MAX_ALIASES = 100;
/** Nested brackets that are allowed, since the parser is recursive. A filter written by hand nests about three deep. */
const MAX_DEPTH = 200;
/** Syntax findings that are reported per file. Later ones usually follow from the first. */
const MAX_FINDINGS = 10;

/** A parsed text. `value` is valid only if `findings` is empty. */
export interface Parsed {
  readonly value: unknown;
  /** Syntax findings with their positions. */
  readonly findings: readonly (Finding & { readonly at: Position })[];
  /** Finds positions in the text. It keeps the syntax tree in memory. */
  readonly locate: LocateInText;
}

/** Parses YAML 1.2, or strict JSON for `.json` files. Reports duplicate keys, several documents in a file and alias bombs. */
export function parseText(text: string, file: string): Parsed {
  const locate = locator(text);
  if (isTooDeep(text)) return { value: undefined, findings: [tooDeep()], locate };
  const lines = new LineCounter();
  const isJson = file.endsWith('.json');
  try {
    const document = parseYaml(text, lines);
    // YAML rejects more than JSON does (tabs, for example); a JSON file may contain it.
    const errors = isJson ? [] : [...document.errors, ...document.warnings];
    const findings = [
      ...errors.slice(0, MAX_FINDINGS).map((error) => syntaxFinding(error, lines)),
      ...repeatedKeys(document.contents, MAX_FINDINGS).map((offset) => repeatedKey(lines.linePos(offset))),
    ].slice(0, MAX_FINDINGS);
    const located = { locate: locatorIn(document, lines) };
    if (isJson) return { ...parseJson(text, findings, document.errors[0]?.pos[0]), ...located };
    return { value: findings.length > 0 ? undefined : toValue(document), findings, ...located };
  } catch (error) {
    return { value: undefined, findings: [findingOf(error, text)], locate };
  }
}

function parseYaml(text: string, lines: LineCounter): Document.Parsed {
  return parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // The library compares every key of a mapping with every other one; see `repeatedKeys`.
    uniqueKeys: false,
    strict: true,
    version: '1.2',
  });
}

function parseJson(text: string, findings: Parsed['findings'], yamlOffset = text.length): Omit<Parsed, 'locate'> {
  try {
    return { value: JSON.parse(text) as unknown, findings };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const offset = /at position (\d+)/.exec(said)?.[1];
    const at = positionOf(text, offset === undefined ? yamlOffset : Number(offset));
    // V8 quotes the text around the position, which may contain a key, so the quote is removed.
    const message = `not valid JSON: ${said.replace(/,? (\.\.\.)?".*|in JSON at position.*/s, '').trim()}`;
    const hint = 'JSON allows no comments and no trailing commas; YAML allows both';
    return { value: undefined, findings: [{ code: 'CONFIG_SYNTAX', path: [], at, message, hint }] };
  }
}

/** Offsets of at most `limit` keys that appear earlier in the same mapping. */
function repeatedKeys(root: unknown, limit: number): number[] {
  const offsets: number[] = [];
  const nodes: unknown[] = [root];
  while (nodes.length > 0 && offsets.length < limit) {
    const node = nodes.pop();
    if (isSeq(node)) for (let i = node.items.length - 1; i >= 0; i--) nodes.push(node.items[i]);
    if (!isMap(node)) continue;
    const seen = new Set<unknown>();
    for (const { key } of node.items) {
      if (!isScalar(key)) continue;
      if (seen.has(key.value)) offsets.push(startOf(key) ?? 0);
      seen.add(key.value);
    }
    for (let i = node.items.length - 1; i >= 0; i--) nodes.push(node.items[i]?.value);
  }
  return offsets.slice(0, limit);
}

function repeatedKey({ line, col: column }: { line: number; col: number }): Parsed['findings'][number] {
  const message = 'this key appears twice in the same mapping';
  return { code: 'CONFIG_DUPLICATE_KEY', path: [], at: { line, column }, message, hint: 'remove one of the two' };
}

/** Converts a document to plain data. Throws if a value contains itself through an alias. */
function toValue(document: Document.Parsed): unknown {
  const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
  JSON.stringify(value);
  return value;
}

function syntaxFinding(error: YAMLError, lines: LineCounter): Parsed['findings'][number] {
  const { line, col } = lines.linePos(error.pos[0]);
  const at = { line, column: col };
  if (error.code === 'MULTIPLE_DOCS')
    return {
      code: 'CONFIG_SYNTAX',
      path: [],
      at,
      message: 'a second document starts here; a file contains only one',
      hint: 'move it to a file of its own',
    };
  if (error.code === 'TAB_AS_INDENT')
    return {
      code: 'CONFIG_SYNTAX',
      path: [],
      at,
      message: 'this line is indented with a tab',
      hint: 'indent with spaces',
    };
  return { code: 'CONFIG_SYNTAX', path: [], at, message: `not valid YAML: ${error.message}` };
}

function findingOf(error: unknown, text: string): Parsed['findings'][number] {
  if (error instanceof RangeError) return tooDeep();
  const name = error instanceof Error ? /^Unresolved alias[^:]*: (.*)$/.exec(error.message)?.[1] : undefined;
  if (name !== undefined) {
    const at = positionOf(text, Math.max(0, text.indexOf(`*${name}`)));
    const hint = `define &${name} before it, or quote the value if it is text that starts with *`;
    return {
      code: 'CONFIG_SYNTAX',
      path: [],
      at,
      message: `the alias "*${name}" has no anchor "&${name}" before it`,
      hint,
    };
  }
  const at = positionOf(text, Math.max(0, text.search(/\*[A-Za-z]/)));
  const message = 'the aliases of this document expand to too much text, or to themselves';
  return {
    code: 'CONFIG_ALIASES',
    path: [],
    at,
    message,
    hint: `write the values out; at most ${MAX_ALIASES} aliases are expanded`,
  };
}

/** Counts open brackets, those in texts included: no real document has so many. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  // A pattern finds the few brackets faster than a loop that has not been compiled yet looks at each letter.
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') depth++;
    else if (depth > 0) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function tooDeep(): Parsed['findings'][number] {
  const message = `the document is nested more than ${MAX_DEPTH} levels deep`;
  return { code: 'CONFIG_SYNTAX', path: [], at: { line: 1, column: 1 }, message, hint: 'use fewer levels' };
}

/** Adds positions to findings of a document. */
export function toProblems({ text, file }: Source, findings: readonly Finding[]): Problem[] {
  const locate = locator(text);
  return findings.map((finding) => toProblem(finding, file, locate));
}

/** Finds positions in `text`. Parses it at the first call, so that no syntax trees stay in memory. */
function locator(text: string): LocateInText {
  let locate: LocateInText | undefined;
  return (path, part) => {
    if (locate === undefined) {
      const lines = new LineCounter();
      locate = locatorIn(parseYaml(text, lines), lines);
    }
    return locate(path, part);
  };
}

function locatorIn(document: Document.Parsed, lines: LineCounter): LocateInText {
  return (path, part = 'value') => {
    const { line, col } = lines.linePos(offsetOf(document, path, part));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
}

function offsetOf(document: Document.Parsed, path: DocumentPath, part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let key: unknown;
  let lastKnown = startOf(node) ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    key = undefined;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
      key = pair?.key;
      node = pair?.value;
    } else if (isSeq(node)) node = node.items[Number(step)];
    else return lastKnown;
    if (node === undefined && key === undefined) return lastKnown;
    lastKnown = startOf(node) ?? startOf(key) ?? lastKnown;
  }
  return part === 'key' ? (startOf(key) ?? lastKnown) : lastKnown;
}

function startOf(node: unknown): number | undefined {
  if (isPair(node)) return startOf(node.key);
  return isScalar(node) || isCollection(node) || isAlias(node) ? (node as Node).range?.[0] : undefined;
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
