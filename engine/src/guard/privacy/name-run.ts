import type { Lexicon } from './lexicon.ts';
import { KEYWORDS, PARTICLES, TITLES } from './name-words.ts';
import { AMBIGUOUS_NAMES, COMPANY_WORDS, DATE_WORDS, NEVER_NAMES, LOCATION_WORDS, ROLE_WORDS } from './other-words.ts';
import type { KeptKind } from './private-span.ts';
import { isSentenceStart, type TextWord } from './words.ts';

/** What the rules for names read. */
export interface NameContext {
  readonly words: readonly TextWord[];
  /** What follows the last word. */
  readonly tail: string;
  readonly lexicon: Lexicon;
  /** Kinds of words that are no names. */
  readonly keep: ReadonlySet<KeptKind>;
}

/** How certain the words around a run are that it is a name. */
export interface NameOptions {
  /** Takes words in lower case, as people type them. */
  readonly mayBeLower?: boolean;
  /**
   * Takes words that are usually something else (`May`, `Park`): after a title they are a name. Even then a run that goes on as
   * the name of a company is none.
   */
  readonly isCertain?: boolean;
}

/** Titles that are no part of a name, and no first name either. */
const TITLE_WORDS: ReadonlySet<string> = new Set(
  TITLES.filter((title) => !['m', 'me', 'don', 'lord', 'judge', 'lady'].includes(title)),
);
/** The words of the phrases before a name. */
const ASKING: ReadonlySet<string> = new Set(KEYWORDS.flatMap((phrase) => phrase.split(' ')));

/** Most words of a name, particles not counted. */
const MAX_WORDS = 4;
const INITIAL_GAP = /^\.?[ \t\u00a0]?$/;
const WORD_GAP = /^(?:[ \t\u00a0\u202f]{1,2}|[-‐])$/;
/** O'Brien, D'Angelo. */
const ELIDED = new Set(['o', 'd', 'l', 'n']);

/** Index after the name that begins at a word; undefined where none does. */
export function readName(context: NameContext, at: number, options: NameOptions = {}): number | undefined {
  const { words } = context;
  if (!canBegin(context, at, options)) return undefined;
  let end = at + 1;
  let count = 1;
  while (count < MAX_WORDS) {
    const next = afterParticles(words, end);
    if (next === undefined || !continues(context, next, options)) break;
    end = next + 1;
    count++;
  }
  return isCompany(context, at, end) ? undefined : end;
}

function canBegin(context: NameContext, at: number, options: NameOptions): boolean {
  const word = context.words[at];
  if (word === undefined) return false;
  if (isInitial(word)) {
    const next = context.words[at + 1];
    return word.isCapital && word.plain !== 'i' && next?.isCapital === true && isJoined(context.words, at + 1);
  }
  // "Will Anna come?" does not begin with the name Will.
  if (isAlsoWord(word) && options.isCertain !== true && isSentenceStart(context.words, at))
    return isBeforeLastName(context, at);
  return isNameable(context, word, options);
}

/** "Will Smith is here." */
function isBeforeLastName({ words, lexicon }: NameContext, at: number): boolean {
  return (
    isJoined(words, at + 1) &&
    words[at + 1]?.isCapital === true &&
    lexicon.classOf(words[at + 1]?.plain ?? '') === 'last'
  );
}

/** A name that is one of the most frequent words as well. */
function isAlsoWord({ plain }: TextWord): boolean {
  return NEVER_NAMES.has(plain) && AMBIGUOUS_NAMES.has(plain);
}

function continues(context: NameContext, at: number, options: NameOptions): boolean {
  const word = context.words[at];
  if (word === undefined) return false;
  if (isInitial(word)) return word.isCapital;
  if (isNameable(context, word, options)) return true;
  // "Jack London": behind a first name or an initial a place is a last name.
  const before = context.words[at - 1];
  const isAfterName = before !== undefined && (isInitial(before) || context.lexicon.classOf(before.plain) === 'first');
  return (
    isAfterName && word.isCapital && context.lexicon.classOf(word.plain) === 'place' && !LOCATION_WORDS.has(word.plain)
  );
}

/** Index of the next word of a name after any particles; undefined where the words are not joined. */
function afterParticles(words: readonly TextWord[], at: number): number | undefined {
  let next = at;
  while (next < at + 3 && isJoined(words, next) && isParticle(words[next])) next++;
  return isJoined(words, next) ? next : undefined;
}

function isParticle(word: TextWord | undefined): boolean {
  return word !== undefined && PARTICLES.has(word.plain);
}

/** Whether two words stand together as those of a name do. */
export function isJoined(words: readonly TextWord[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]];
  if (before === undefined || word === undefined) return false;
  if (WORD_GAP.test(word.gap)) return true;
  if (isInitial(before) && INITIAL_GAP.test(word.gap)) return true;
  return /^['’]$/.test(word.gap) && before.isCapital && word.isCapital && ELIDED.has(before.plain);
}

export function isInitial(word: TextWord): boolean {
  return word.end - word.start === 1;
}

/** Whether a word can be part of a name. */
export function isNameable({ keep, lexicon }: NameContext, word: TextWord, options: NameOptions = {}): boolean {
  const { plain, isCapital, isCode } = word;
  if (isCode || (!isCapital && options.mayBeLower !== true)) return false;
  if (isInitial(word) || (NEVER_NAMES.has(plain) && !(isCapital && isAlsoWord(word)))) return false;
  if (keep.has('role') && ROLE_WORDS.has(plain)) return false;
  if (keep.has('company') && COMPANY_WORDS.has(plain)) return false;
  if (options.isCertain !== true && TITLE_WORDS.has(plain)) return false;
  if (!isCapital) return !DATE_WORDS.has(plain) && !ASKING.has(plain) && !isOrdinary(lexicon, plain);
  if (options.isCertain === true) return true;
  const group = lexicon.classOf(plain);
  if (keep.has('date') && DATE_WORDS.has(plain)) return false;
  if (keep.has('location') && (LOCATION_WORDS.has(plain) || group === 'place')) return false;
  return !(keep.has('company') && group === 'company') && group !== 'demonym';
}

/** Ends of words of English, German, French and Spanish that names seldom have. */
const ENDINGS =
  /(?:tion|sion|ment|ness|ship|ance|ence|ity|ing|ings|ism|able|ible|ful|less|ly|ious|ung|ungen|heit|keit|schaft|lich|ieren|eur|aire|cion|dad|mente)$/;

/** Whether a word is one that is no name in lower case. */
export function isOrdinary(lexicon: Lexicon, plain: string): boolean {
  const group = lexicon.classOf(plain);
  if (group !== undefined) return group !== 'first' && group !== 'last';
  return plain.length < 3 || ENDINGS.test(plain) || COMPANY_WORDS.has(plain) || LOCATION_WORDS.has(plain);
}

/** After a run of words these make it the name of a company. */
const COMPANY_GAP = /^(?:[ \t\u00a0]|, ?| ?[&+] ?|\. ?)$/;

/** Whether the words of a run, with the one after it, name a company: `Smith Ltd.`, `Thomas and Sons`. */
export function isCompany({ words, keep }: NameContext, start: number, end: number): boolean {
  if (!keep.has('company')) return false;
  if (words.slice(start, end).some(({ plain, isCapital }) => isCapital && COMPANY_WORDS.has(plain))) return true;
  const next = words[end];
  if (next === undefined) return false;
  if (next.isCapital && COMPANY_WORDS.has(next.plain) && COMPANY_GAP.test(next.gap)) return true;
  const isAnd = ['and', 'und', 'et', 'y'].includes(next.plain) || /^ ?& ?$/.test(next.gap);
  const after = /&/.test(next.gap) ? next : words[end + 1];
  return isAnd && after?.isCapital === true && COMPANY_WORDS.has(after.plain) && !/\n/.test(after.gap);
}
