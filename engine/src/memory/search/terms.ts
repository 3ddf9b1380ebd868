import { wordsOf } from '../words.ts';
import { germanStem } from './german-stem.ts';
import { STOP_WORDS } from '../stop-words.ts';

/** Scripts that are written without spaces: their texts are searched by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Longest word that is searched; the rest of a longer one is cut off. */
const LONGEST = 64;

/** A word as it is searched. */
export interface Term {
  /** In lower case, without accents. */
  readonly plain: string;
  readonly german: string;
}

/** The terms of a text, in their order. */
export function termsOf(text: string): Term[] {
  return wordsOf(text)
    .flatMap(splitWord)
    .map((plain) => ({ plain, german: germanStem(plain) }));
}

/** The distinct terms of a query, without words such as "the" and "which" unless it has no others. */
export function queryTermsOf(query: string): Term[] {
  const terms = [...new Map(termsOf(query).map((term) => [term.plain, term])).values()];
  const telling = terms.filter(({ plain }) => !STOP_WORDS.has(plain));
  return telling.length > 0 ? telling : terms;
}

function splitWord(word: string): string[] {
  if (!UNSPACED.test(word)) return [word.slice(0, LONGEST)];
  const characters = [...word];
  return characters.length === 1 ? characters : characters.slice(1).map((next, i) => `${characters[i]}${next}`);
}
