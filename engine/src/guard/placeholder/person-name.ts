/** A word of a text. */
export interface Word {
  readonly start: number;
  readonly end: number;
  /** In small letters, without accents. */
  readonly folded: string;
  readonly isCapitalised: boolean;
}

const WORD = /[\p{L}\p{M}]+/gu;
const TITLES = new Set(
  'mr mrs ms miss mx dr prof sir madam herr frau hr fr dipl ing m mme mlle monsieur madame sr sra srta senor senora don dona'.split(
    ' ',
  ),
);

/**
 * Names that are words as well, and mostly stand in texts as words: alone and in small letters they are no name unless a
 * recogniser says so.
 */
const ALSO_WORDS = new Set(
  (
    'will mark may rose grace hope faith joy art bill bob chase chip christian clay cliff dean dawn drew earl frank gene grant guy ' +
    'hunter ivy jack jean king lance long mason max miles nick pat pearl penny pierce ray rich rob robin ruby rusty sandy short skip ' +
    'stone sue summer april june august violet wade ward young black brown white green gray grey hill lake wood woods field price page ' +
    'post best love day good sky star west east north south ernst klein gross lang kurz stark wolf koch bank blanc petit grand leger ' +
    'cruz luz sol mar paz rosa angel blanca marina victoria gloria mercy christ dick don van von la le de'
  ).split(' '),
);

/** The words of a text. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    folded: fold(word),
    isCapitalised: /^\p{Lu}/u.test(word),
  }));
}

/** The words of a name in their order, folded and without titles; the words after a comma come first: `Rao, Karthik`. */
export function nameKey(name: string): readonly string[] {
  const comma = name.indexOf(',');
  const ordered = comma < 0 ? name : `${name.slice(comma + 1)} ${name.slice(0, comma)}`;
  const words = wordsOf(ordered).map(({ folded }) => folded);
  const last = words.at(-1);
  // The s of "Karthik's" is a word of its own here.
  if (words.length > 1 && last === 's' && /['’`´]s$/iu.test(ordered.trim())) words.pop();
  const named = words.filter((word) => !TITLES.has(word));
  return named.length === 0 ? words : named;
}

/** Whether a name of one word may also be a word of the language. */
export function isAlsoWord(folded: string): boolean {
  return folded.length < 3 || ALSO_WORDS.has(folded);
}

function fold(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
