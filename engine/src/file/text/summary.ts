import type { TextSummary } from '../document.ts';

/** Characters of a text that are looked at. */
const MAX_CHARACTERS = 1_000_000;
/** Longest sentence that is kept: a longer one is a table or a list without full stops. */
const MAX_SENTENCE = 600;
const FIGURE = /\d/;
/** More than any sentence has without a word of the focus. */
const FOCUS_WEIGHT = 1000;

interface Sentence {
  readonly text: string;
  /** Index of the heading above it; -1 before the first. */
  readonly section: number;
  readonly words: readonly string[];
  /** Position in its section, from 0. */
  readonly position: number;
}

/**
 * An extract of a text of at most `maxCharacters`: the sentences that carry most of its frequent words, its figures and the
 * words of `focus`, under their headings. No model is asked, so every sentence is one of the text.
 */
export function summarizeText(text: string, maxCharacters: number, focus = ''): TextSummary {
  const start = text.slice(0, MAX_CHARACTERS);
  const { headings, sentences } = splitText(start);
  const score = scorer(sentences, wordsOf(focus));
  const scores = sentences.map(score);
  const ranked = [...scores.keys()].toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const chosen = new Set<number>();
  const sections = new Set<number>();
  let length = 0;
  for (const at of ranked) {
    const { text: sentence, section } = sentences[at] ?? { text: '', section: -1 };
    const heading = sections.has(section) ? 0 : (headings[section]?.length ?? -2) + 2;
    const added = sentence.length + 1 + heading;
    if (length + added > maxCharacters) continue;
    length += added;
    chosen.add(at);
    sections.add(section);
  }
  return {
    summary: written(headings, sentences, chosen).slice(0, maxCharacters).toWellFormed(),
    characters: start.length,
    sentences: { shown: chosen.size, of: sentences.length },
  };
}

function splitText(text: string): { readonly headings: readonly string[]; readonly sentences: readonly Sentence[] } {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  const headings: string[] = [];
  const sentences: Sentence[] = [];
  let position = 0;
  for (const block of text.split(/\n\s*\n|\n(?=#{1,6} |[|*•-] |\d+[.)] )/)) {
    const line = block.trim();
    if (isHeading(line)) {
      headings.push(line);
      position = 0;
      continue;
    }
    for (const { segment } of segmenter.segment(line.replace(/\s+/g, ' '))) {
      const sentence = segment.trim();
      if (sentence.length < 3) continue;
      sentences.push({
        text: sentence.slice(0, MAX_SENTENCE),
        section: headings.length - 1,
        words: wordsOf(sentence),
        position: position++,
      });
    }
  }
  return { headings, sentences };
}

/** A line with `#`, a numbered line without a full stop, or a short line in capitals. */
function isHeading(line: string): boolean {
  if (line.length > 120 || line.includes('\n')) return false;
  if (/^#{1,6} \S/.test(line)) return true;
  if (/^\d+(?:\.\d+)*\.? +\p{Lu}[^.!?:;]*$/u.test(line)) return true;
  return /\p{Lu}{3}/u.test(line) && line === line.toUpperCase() && !/[.!?;|]$/.test(line);
}

/** Higher for sentences with the frequent words of the text, with figures, with words of the focus, and at the start. */
function scorer(sentences: readonly Sentence[], focus: readonly string[]): (sentence: Sentence) => number {
  const counts = new Map<string, number>();
  for (const { words } of sentences) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  // A word that most sentences have says nothing about one of them.
  const weight = (word: string) => {
    const count = counts.get(word) ?? 0;
    return count * 2 > sentences.length && sentences.length > 8 ? 0 : Math.log2(1 + count);
  };
  return (sentence) => {
    const unique = [...new Set(sentence.words)];
    const base = unique.reduce((sum, word) => sum + weight(word), 0) / Math.sqrt(4 + unique.length);
    const figures = FIGURE.test(sentence.text) ? 1.3 : 1;
    const place = sentence.position === 0 ? 1.3 : 1;
    const wanted = focus.filter((word) => unique.some((one) => one.startsWith(word))).length;
    return base * figures * place + wanted * FOCUS_WEIGHT;
  };
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => word.length > 3 || /\P{ASCII}/u.test(word),
  );
}

function written(headings: readonly string[], sentences: readonly Sentence[], chosen: ReadonlySet<number>): string {
  const lines: string[] = [];
  let section = -1;
  for (const [at, sentence] of sentences.entries()) {
    if (!chosen.has(at)) continue;
    if (sentence.section !== section) {
      section = sentence.section;
      lines.push(`${lines.length > 0 ? '\n' : ''}${headings[section] ?? ''}`);
    }
    lines.push(sentence.text);
  }
  return lines.join('\n').trim();
}
