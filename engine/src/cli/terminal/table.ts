import { visible } from '../../base/visible.ts';
import { graphemesOf } from './graphemes.ts';

/** A column of a table. */
export interface Column {
  readonly head: string;
  /** Cells of the column that are too long are cut: first those of the column with the highest number. Default: never. */
  readonly cut?: number;
  /** Smallest width of a column that is cut, in terminal cells. Default 8. */
  readonly min?: number;
}

/** Smallest width of a column that is cut. */
const MIN_WIDTH = 8;
const GAP = '  ';

/**
 * Formats rows as aligned columns, separated by two spaces; the last column is not padded. Ends with a line break. `columns`
 * that may be cut are cut until a line fits `width` terminal cells.
 */
export function formatTable(
  columns: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
  width = Infinity,
): string {
  const known = columns.map((column) => (typeof column === 'string' ? { head: column } : column));
  const all = [known.map(({ head }) => head), ...rows];
  const widths = fitted(
    known,
    known.map((_, i) => Math.max(...all.map((row) => cellsOf(row[i] ?? '')))),
    width,
  );
  const last = known.length - 1;
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => padTo(cutTo(cell, widths[i] ?? 0), i === last ? 0 : (widths[i] ?? 0)))
      .join(GAP)
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}

/** Takes cells from the columns that may be cut until the sum fits. */
function fitted(columns: readonly Column[], widths: readonly number[], width: number): number[] {
  const next = [...widths];
  const order = columns.flatMap(({ cut }, i) => (cut === undefined ? [] : [{ i, cut }]));
  let over = next.reduce((sum, cells) => sum + cells, (columns.length - 1) * GAP.length) - width;
  for (const { i } of order.toSorted((a, b) => b.cut - a.cut)) {
    if (over <= 0) break;
    const least = Math.max(columns[i]?.head.length ?? 0, columns[i]?.min ?? MIN_WIDTH);
    const taken = Math.max(0, Math.min(over, (next[i] ?? 0) - least));
    next[i] = (next[i] ?? 0) - taken;
    over -= taken;
  }
  return next;
}

function padTo(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - cellsOf(text)));
}

/** Letters that fill two cells (East Asian Width W and F), and emoji. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u;

/** Width of a text in terminal cells. */
export function cellsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of graphemesOf(text)) cells += WIDE.test(segment) ? 2 : 1;
  return cells;
}

/** Cuts a text that is wider than `cells`; it then ends in `…`. */
export function cutTo(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of graphemesOf(text)) {
    used += cellsOf(segment);
    if (used > cells) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Escapes the characters of untrusted text that control a terminal or are not drawn, since a mail could use them to overwrite
 * the screen, to write to the clipboard, or to show another file name. Keeps line breaks and tabs.
 */
export function plain(text: string): string {
  return visible(text.replaceAll('\r\n', '\n'), '\n\t');
}

/** As `plain`, on one line. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim());
}
