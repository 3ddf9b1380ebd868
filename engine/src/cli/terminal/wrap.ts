import { cellsOf } from './table.ts';
import { graphemesOf } from './graphemes.ts';

/**
 * Breaks each line of a text that is wider than `cells` at spaces, and a word that is wider within. Lines keep their
 * indentation; all of the text stays.
 */
export function wrapText(text: string, cells: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(10, cells)));
}

function wrapLine(line: string, cells: number): string[] {
  if (cellsOf(line) <= cells) return [line];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    // A word that is wider than a line begins on this one.
    const fits = cellsOf(word.trimEnd()) <= cells;
    if (current !== '' && fits && cellsOf(current + word.trimEnd()) > cells) {
      lines.push(current.trimEnd());
      current = '';
    }
    current += word;
    while (cellsOf(current.trimEnd()) > cells) {
      const head = headOf(current, cells);
      lines.push(head);
      current = current.slice(head.length);
    }
  }
  return current === '' ? lines : [...lines, current.trimEnd()];
}

/** The beginning of a text that fits; at least one character. */
function headOf(text: string, cells: number): string {
  let head = '';
  for (const { segment } of graphemesOf(text)) {
    if (head !== '' && cellsOf(head + segment) > cells) break;
    head += segment;
  }
  return head;
}
