/** A block of Markdown. Texts are inline Markdown, but for `code`. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  /** `start`: the number of the first item; undefined for a list with bullets. */
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Deepest nesting of lists and quotes; what lies deeper is a paragraph. */
const MAX_DEPTH = 8;

/** A block and the line after it. */
interface Read {
  readonly block: Block;
  readonly next: number;
}

type Reader = (lines: readonly string[], at: number, depth: number) => Read | undefined;

/**
 * The blocks of a Markdown text: paragraphs, headings, lists, quotes, code between fences, tables and rules. HTML is text.
 * Reads each line once per level of nesting, whatever is in it: the text comes from a model.
 */
export function blocksOf(text: string): readonly Block[] {
  return readBlocks(text.split(/\r\n?|\n/), 0);
}

function readBlocks(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const read = readSpecial(lines, at, depth) ?? readParagraph(lines, at, depth);
    blocks.push(read.block);
    at = read.next;
  }
  return blocks;
}

const isBlank = (line: string | undefined) => line === undefined || line.trim() === '';

/** Reads any block but a paragraph. */
function readSpecial(lines: readonly string[], at: number, depth: number): Read | undefined {
  for (const reader of READERS) {
    const read = reader(lines, at, depth);
    if (read !== undefined) return read;
  }
  return undefined;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

const readCode: Reader = (lines, at) => {
  const line = lines[at] ?? '';
  const [opening = '', fence = ''] = FENCE.exec(line) ?? [];
  if (fence === '' || (fence.startsWith('`') && line.slice(opening.length).includes('`'))) return undefined;
  const isEnd = (text: string) => {
    const end = text.trim();
    return end.length >= fence.length && end === fence.charAt(0).repeat(end.length);
  };
  let next = at + 1;
  while (next < lines.length && !isEnd(lines[next] ?? '')) next++;
  return { block: { kind: 'code', text: lines.slice(at + 1, next).join('\n') }, next: next + 1 };
};

const readHeading: Reader = (lines, at) => {
  const [opening, marks = ''] = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(lines[at] ?? '') ?? [];
  if (opening === undefined) return undefined;
  const text = (lines[at] ?? '').slice(opening.length).trim();
  return { block: { kind: 'heading', level: marks.length, text }, next: at + 1 };
};

const readRule: Reader = (lines, at) =>
  isRule(lines[at] ?? '') ? { block: { kind: 'rule' }, next: at + 1 } : undefined;

function isRule(line: string): boolean {
  const marks = line.replace(/[ \t]/g, '');
  return marks.length >= 3 && '-*_'.includes(marks.charAt(0)) && marks === marks.charAt(0).repeat(marks.length);
}

const QUOTE = /^ {0,3}> ?/;

const readQuote: Reader = (lines, at, depth) => {
  let next = at;
  while (next < lines.length && QUOTE.test(lines[next] ?? '')) next++;
  if (next === at || depth === MAX_DEPTH) return undefined;
  const inside = lines.slice(at, next).map((line) => line.replace(QUOTE, ''));
  return { block: { kind: 'quote', blocks: readBlocks(inside, depth + 1) }, next };
};

const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]{1,4})(?=\S)|[ \t]*$|[ \t])/;

/** The marker of a list item; `width` is the number of characters before its text. */
function itemOf(line: string): { readonly mark: string; readonly width: number } | undefined {
  const [opening, , mark] = ITEM.exec(line) ?? [];
  return opening === undefined || mark === undefined || isRule(line) ? undefined : { mark, width: opening.length };
}

const readList: Reader = (lines, at, depth) => {
  const first = itemOf(lines[at] ?? '');
  if (first === undefined || depth === MAX_DEPTH) return undefined;
  const items: (readonly Block[])[] = [];
  let next = at;
  const isNext = (line: string) => itemOf(line)?.mark.at(-1) === first.mark.at(-1);
  while (isNext(lines[next] ?? '')) {
    const width = itemOf(lines[next] ?? '')?.width ?? 0;
    const own = [(lines[next] ?? '').slice(width)];
    for (next++; next < lines.length && belongsToItem(lines, next); next++)
      own.push(outdented(lines[next] ?? '', width));
    items.push(readBlocks(own, depth + 1));
    // A blank line between items of one list.
    if (isBlank(lines[next]) && isNext(lines[next + 1] ?? '')) next++;
  }
  const start = /^\d/.test(first.mark) ? Number.parseInt(first.mark, 10) : undefined;
  return { block: { kind: 'list', start, items }, next };
};

/** Whether a line continues the item above: it is indented, or a blank line before such a line, or goes on with a paragraph. */
function belongsToItem(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (isBlank(line)) return !isBlank(lines[at + 1]) && indentOf(lines[at + 1] ?? '') >= 2;
  if (indentOf(line) >= 2) return true;
  return !isBlank(lines[at - 1]) && itemOf(line) === undefined && !interrupts(lines, at);
}

const indentOf = (line: string) => {
  const white = /^[ \t]*/.exec(line)?.[0] ?? '';
  return white.replaceAll('\t', '    ').length;
};

/** A line without the indentation of its item. */
function outdented(line: string, width: number): string {
  const plain = line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length));
  return plain.slice(Math.min(indentOf(plain), width));
}

const readTable: Reader = (lines, at) => {
  if (!(lines[at] ?? '').includes('|')) return undefined;
  const head = cellsOf(lines[at] ?? '');
  const marks = cellsOf(lines[at + 1] ?? '');
  if (marks.length !== head.length || !marks.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  const rows: (readonly string[])[] = [];
  let next = at + 2;
  for (; next < lines.length && (lines[next] ?? '').includes('|'); next++)
    rows.push(cellsOf(lines[next] ?? '').slice(0, head.length));
  return { block: { kind: 'table', head, rows }, next };
};

/** The cells of a line; `\|` is no border. */
function cellsOf(line: string): readonly string[] {
  const text = line.trim();
  const inner = text.slice(text.startsWith('|') ? 1 : 0, text.endsWith('|') && !text.endsWith('\\|') ? -1 : undefined);
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}

const READERS: readonly Reader[] = [readCode, readHeading, readRule, readQuote, readList, readTable];

/** Whether a block that ends a paragraph begins here. */
function interrupts(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return (
    FENCE.test(line) ||
    QUOTE.test(line) ||
    isRule(line) ||
    readHeading(lines, at, 0) !== undefined ||
    itemOf(line) !== undefined
  );
}

function readParagraph(lines: readonly string[], at: number, depth: number): Read {
  let next = at + 1;
  // At the deepest level marks are text, so that nothing ends the paragraph but a blank line.
  while (
    next < lines.length &&
    !isBlank(lines[next]) &&
    (depth === MAX_DEPTH || !interrupts(lines, next)) &&
    readTable(lines, next, depth) === undefined
  )
    next++;
  const text = lines
    .slice(at, next)
    .map((line) => line.trim())
    .join('\n');
  return { block: { kind: 'paragraph', text }, next };
}
