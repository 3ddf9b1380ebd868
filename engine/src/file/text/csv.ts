import { EngineError } from '../../base/error.ts';
import { MAX_TEXT_CHARACTERS } from '../document.ts';

const DELIMITERS = [',', ';', '\t', '|'];

/** The text of a CSV file. */
export interface CsvText {
  /** A line for each row, with the cells between `|`. */
  readonly text: string;
  readonly columns: readonly string[];
  /** True where rows were left out. */
  readonly isCut: boolean;
}

/** The rows of a CSV file as a table. The delimiter is the most frequent one of the first line. `FILE_UNREADABLE`. */
export async function readCsv(text: string): Promise<CsvText> {
  const { parse } = await import('csv-parse/sync');
  const start = text.slice(0, MAX_TEXT_CHARACTERS);
  let rows: string[][];
  try {
    rows = parse(start, {
      bom: true,
      delimiter: delimiterOf(start),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (cause) {
    throw new EngineError('FILE_UNREADABLE', 'the CSV file is damaged', { cause });
  }
  const columns = rows[0] ?? [];
  return { text: rows.map(lineOf).join('\n'), columns, isCut: text.length > start.length };
}

function lineOf(row: readonly string[]): string {
  return `| ${row.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
}

function delimiterOf(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((one) => line.split(one).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}
