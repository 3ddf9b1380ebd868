import { StringDecoder } from 'node:string_decoder';

/** Longest line that is read, in characters; a longer one is left out. */
const MAX_LINE = 4 * 1024 * 1024;

/** Cuts an output into lines; `onLine` gets each that is not empty. `end` gives the last line, which needs no line break. */
export function createLineSplitter(onLine: (line: string) => void): { add(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    length += piece.length;
    if (length <= MAX_LINE) pieces.push(piece);
    else pieces = [];
  };
  const flush = () => {
    const line = pieces.join('').trim();
    pieces = [];
    length = 0;
    if (line !== '') onLine(line);
  };
  const feed = (text: string) => {
    const lines = text.split('\n');
    for (const [i, line] of lines.entries()) {
      if (i > 0) flush();
      add(line);
    }
  };
  return {
    add: (chunk) => feed(decoder.write(chunk)),
    end() {
      feed(decoder.end());
      flush();
    },
  };
}
