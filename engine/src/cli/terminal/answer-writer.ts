import type { AnswerPiece } from '../../trace/live-answers.ts';
import { cellsOf, plain } from './table.ts';

/** Prints the answers of a run, while they arrive or as a whole. */
export interface AnswerWriter {
  /** Prints a piece of an answer that arrives. */
  piece(piece: AnswerPiece): void;
  /** Ends the line, if an answer has begun one, so that something else can be printed. */
  endLine(): void;
  /** Prints what is not printed yet of the whole answer. */
  finish(text: string): void;
}

interface Options {
  readonly out: (text: string) => void;
  /** Prints a remark. */
  readonly say: (text: string) => void;
  /** Width of the terminal, at which lines break between words; undefined where answers are not shown before they are whole. */
  readonly columns: number | undefined;
}

const BROKEN_OFF = '… the answer was broken off';
const CHANGED = '… the answer was changed by the checks:';

/** Creates a writer for the answers of one run. Control characters of the answer are escaped. */
export function createAnswerWriter({ out, say, columns }: Options): AnswerWriter {
  const lines = createWrapper(out, columns ?? Infinity);
  let turn = 0;
  /** What was printed of the answer of this turn. */
  let shown = '';
  const endLine = () => lines.end();
  const write = (text: string) => {
    shown += text;
    lines.write(plain(text));
  };
  return {
    piece(piece) {
      if (columns === undefined) return;
      if (piece.turn !== turn) {
        if (shown !== '') endLine();
        [turn, shown] = [piece.turn, ''];
      }
      if (piece.at < shown.length) {
        endLine();
        shown = '';
        say(piece.text === '' ? BROKEN_OFF : CHANGED);
      }
      // Where an earlier piece is missing, the whole answer is printed at its end.
      if (piece.at === shown.length && piece.text !== '') write(piece.text);
    },
    endLine,
    finish(text) {
      const known = shown.trimEnd();
      if (!text.startsWith(known)) {
        endLine();
        say(CHANGED);
        shown = '';
      }
      // Blanks at the end of what was shown are printed already.
      const rest = text.slice(shown === '' ? 0 : known.length);
      const blanks = shown.slice(known.length);
      write(rest.startsWith(blanks) ? rest.slice(blanks.length) : rest);
      endLine();
    },
  };
}

/** Breaks lines between words at `columns`. A word is printed when it is over, or by `end`. */
function createWrapper(out: (text: string) => void, columns: number) {
  let column = 0;
  /** Blanks after the last word, and the word that has begun. */
  let gap = '';
  let word = '';
  const flush = () => {
    if (word === '') return;
    const cells = cellsOf(word);
    const isTooWide = column > 0 && column + gap.length + cells > columns;
    out(isTooWide ? `\n${word}` : gap + word);
    column = isTooWide ? cells : column + gap.length + cells;
    gap = word = '';
  };
  return {
    write(text: string) {
      for (const [token] of text.matchAll(/\n|[^\S\n]+|\S+/g)) {
        if (/^\S/.test(token)) {
          word += token;
          continue;
        }
        flush();
        if (token !== '\n') gap += token;
        else {
          out('\n');
          gap = '';
          column = 0;
        }
      }
    },
    end() {
      flush();
      if (column > 0) out('\n');
      gap = '';
      column = 0;
    },
  };
}
