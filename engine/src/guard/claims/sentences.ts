/** A sentence of a text, with the white space and the marks around it. */
export interface Sentence {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** How a line begins that is no continuation of the one before: an item, a heading, a quotation, a row of a table. */
const NEW_BLOCK = /^\s*(?:[-*+•]\s|\d+[.)]\s|#{1,6}\s|>|\||```)/;
/** What ends like a sentence and is none: titles, abbreviations, a day before its month. */
const NO_END =
  /(?<![\p{L}])(?:mr|mrs|ms|dr|prof|hr|fr|st|nr|no|ca|bzw|z\.\s?b|d\.\s?h|u\.\s?a|e\.\s?g|i\.\s?e|vs|ext|sr|sra|dra|m|mme|av|p|tel|\d{1,2})\.$/iu;

/** A line of marks alone, such as the bullet of an item that is gone. */
const ONLY_MARKS = /^[-*+•>|#\d.)\s\p{Extended_Pictographic}\uFE0F]+$/u;

/** The sentences of a text: parts of paragraphs, of list items and of headings. */
export function sentencesOf(text: string): readonly Sentence[] {
  return blocksOf(text).flatMap(({ from, text: block }) => split(block, from));
}

/** Paragraphs, list items and headings, each with its place in the text. */
export function blocksOf(text: string): readonly Omit<Sentence, 'to'>[] {
  const blocks: { from: number; text: string }[] = [];
  let at = 0;
  let isOpen = false;
  for (const line of text.split(/(?<=\n)/)) {
    const last = blocks.at(-1);
    if (line.trim() === '') isOpen = false;
    else if (isOpen && last !== undefined && !NEW_BLOCK.test(line)) last.text += line;
    else {
      blocks.push({ from: at, text: line });
      isOpen = !/^\s*#{1,6}\s/.test(line);
    }
    at += line.length;
  }
  return blocks;
}

function split(block: string, from: number): Sentence[] {
  const flat = block.replace(/[\r\n]/g, ' ');
  const sentences: Sentence[] = [];
  let start = 0;
  const parts = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(flat)];
  for (const [n, { index, segment }] of parts.entries()) {
    const end = index + segment.length;
    if (n < parts.length - 1 && NO_END.test(flat.slice(start, end).trimEnd())) continue;
    sentences.push({ from: from + start, to: from + end, text: block.slice(start, end) });
    start = end;
  }
  return sentences;
}

/** A text without some of its sentences, and without marks of items and headings that are empty then. */
export function withoutSentences(text: string, removed: readonly Pick<Sentence, 'from' | 'to'>[]): string {
  let left = '';
  let at = 0;
  for (const { from, to } of removed.toSorted((a, b) => a.from - b.from)) {
    left += text.slice(at, Math.max(at, from));
    const cut = text.slice(from, to);
    if (cut.slice(cut.trimEnd().length).includes('\n')) left += '\n';
    at = Math.max(at, to);
  }
  left += text.slice(at);
  return left
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line === '' || /^\s*[-*_|]{3,}/.test(line) || !ONLY_MARKS.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
