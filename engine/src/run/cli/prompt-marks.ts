import { sha256 } from '../../base/json.ts';

/** Where the marks of a prompt stand: what its reader has read already, what is new to it, and where the transcript ends. */
export interface PromptMarks {
  /** Hash of all before the part that the session has not read; undefined where the prompt does not say what that is. */
  readonly seen: string | undefined;
  /** Hash of the whole, as the next turn finds it in `seen`. */
  readonly whole: string;
  /** What a session that has read the rest reads. */
  readonly news: string;
  /** Number of the last message. */
  readonly upTo: number;
}

/** Marks as lines of a prompt. `mark`: a text that nobody outside can guess, at least 12 hexadecimal digits. */
export function markLines(mark: string, upTo: number): { seen: string; news: string; end: string } {
  const short = mark.slice(0, 12);
  return { seen: `<!-- seen ${short} -->`, news: `<!-- new ${short} -->`, end: `<!-- end ${short} ${upTo} -->` };
}

const END = /^<!-- end ([0-9a-f]{12}) (\d{1,15}) -->$/gm;

/**
 * Reads the marks of a prompt; undefined where it has none. The last end mark is the true one: nothing that others wrote stands behind it. What
 * a session has read is compared as the model reads it, with placeholders: any change of the chat before the new messages shows.
 */
export function readMarks(text: string): PromptMarks | undefined {
  const last = [...text.matchAll(END)].at(-1);
  if (last === undefined) return undefined;
  const [end, mark = '', number = ''] = last;
  const lines = markLines(mark, Number(number));
  const plain = (part: string) =>
    sha256(
      [lines.seen, lines.news]
        .reduce((rest, line) => rest.replace(`${line}\n\n`, ''), part)
        .replaceAll(mark, '')
        .trimEnd(),
    );
  const seenAt = text.indexOf(lines.seen);
  const newsAt = text.indexOf(lines.news);
  const hasBoth = seenAt >= 0 && newsAt > seenAt && newsAt < last.index;
  const news = text
    .slice(newsAt + lines.news.length)
    .replace(end, '')
    .trim();
  return {
    seen: hasBoth ? plain(text.slice(0, seenAt)) : undefined,
    whole: plain(text.slice(0, last.index)),
    news: `Since your last message the chat has gone on; these messages are new. Respond as before, with a single message.\n\n${news}`,
    upTo: Number(number),
  };
}
