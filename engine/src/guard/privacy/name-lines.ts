import { gapAfter, type WordRun } from './name-rules.ts';
import { isCompany, isInitial, isJoined, isOrdinary, type NameContext, readName } from './name-run.ts';
import { PARTICLES, PERSON_BELONGINGS, PERSON_VERBS } from './name-words.ts';
import { AMBIGUOUS_NAMES, COMPANY_WORDS, LOCATION_WORDS, ROLE_WORDS } from './other-words.ts';
import { isLineStart, isSentenceStart } from './words.ts';

const VERBS: ReadonlySet<string> = new Set(PERSON_VERBS);
const PERSONAL: ReadonlySet<string> = new Set(PERSON_BELONGINGS);
/** Before a run these make it a place or a company. */
const NEAR: ReadonlySet<string> = new Set([
  'in',
  'near',
  'nach',
  'bei',
  'at',
  'visit',
  'towards',
  'aus',
  'en',
  'chez',
  'located',
  'office',
]);
/** German nouns have a capital too; before a run these say what it is called. */
const NOUN_ENDINGS = /(?:ung|ungen|heit|keit|schaft|tion|tionen|tat|ment|ling|nis|tum|chen|lein)$/;

/** How the language of a text writes nouns. */
export interface RunStyle {
  /** Nouns have a capital: German. */
  readonly hasCapitalNouns: boolean;
}

/** Names by their form and place alone: runs of capitalised words, names before an address, speakers, single names. */
export function findRuns(context: NameContext, style: RunStyle): WordRun[] {
  const runs: WordRun[] = [];
  const { words } = context;
  for (let at = 0; at < words.length;) {
    const end = readName(context, at);
    if (end === undefined || isTouched(context, at, end)) {
      at = end ?? at + 1;
      continue;
    }
    const run = nameInRun(context, { start: at, end }, style);
    if (run !== undefined) runs.push(run);
    at = end;
  }
  return [...runs, ...findSpeakers(context)];
}

/** Whether the run is part of something longer: a street, a place, a company, a heading. */
export function isTouched({ words, keep }: NameContext, start: number, end: number): boolean {
  if (/['’]$/.test(words[start - 1]?.plain === 's' ? (words[start - 1]?.gap ?? '') : '')) return true;
  if (!keep.has('location')) return false;
  const isPlace = (at: number) => words[at]?.isCapital === true && LOCATION_WORDS.has(words[at]?.plain ?? '');
  // "Boulevard de Normandie".
  let first = start;
  while (first > 0 && isJoined(words, first) && PARTICLES.has(words[first - 1]?.plain ?? '')) first--;
  return (isPlace(end) && isJoined(words, end)) || (isPlace(first - 1) && isJoined(words, first));
}

function nameInRun(context: NameContext, run: WordRun, style: RunStyle): WordRun | undefined {
  const { words, lexicon } = context;
  let { start, end } = run;
  const group = (index: number) => lexicon.classOf(words[index]?.plain ?? '');
  const isPlain = (index: number) => isPlainWord(context, index) && !isInitialAt(context, index);
  // "Ask Jonathan Miller", "Producer Jonathan Miller".
  while (start < end && isPlain(start)) start++;
  while (end > start && isPlain(end - 1)) end--;
  const length = end - start;
  if (length === 0) return undefined;
  if (/^ ?["'”]? ?[<([]\u0001/.test(gapAfter(context, end))) return { start, end };
  if (length === 1) return isSingleName(context, start, run, style) ? { start, end } : undefined;
  for (let at = start; at < end; at++) if (isPlain(at)) return undefined;
  return isFullName(context, { start, end }, style, group) ? { start, end } : undefined;
}

/** A word of English, or one that ends like one. */
export function isPlainWord({ words, lexicon }: NameContext, index: number): boolean {
  const plain = words[index]?.plain ?? '';
  const group = lexicon.classOf(plain);
  // "Will Smith".
  if (AMBIGUOUS_NAMES.has(plain) && lexicon.classOf(words[index + 1]?.plain ?? '') === 'last') return false;
  return group === undefined || group === 'ordinary' ? isOrdinary(lexicon, plain) : group === 'demonym';
}

function isInitialAt({ words }: NameContext, index: number): boolean {
  const word = words[index];
  return word !== undefined && isInitial(word);
}

type Group = (index: number) => ReturnType<NameContext['lexicon']['classOf']>;

/** Two to four words with a capital: with a known first or last name, or where nothing says that they are something else. */
function isFullName(context: NameContext, { start, end }: WordRun, style: RunStyle, group: Group): boolean {
  const { words } = context;
  const run = words.slice(start, end);
  const hasFirstName = group(start) === 'first' || (group(start) === 'last' && group(end - 1) === 'first');
  if (hasFirstName) return true;
  if (run.some(({ isUpper, plain }) => isUpper && plain.length > 2)) return false;
  const before = words[start - 1];
  const isNear = before !== undefined && isJoined(words, start) && NEAR.has(before.plain);
  if (isNear || /\d[ \t]*$/.test(gapAfter(context, start)) || /^[ \t]*\d/.test(gapAfter(context, end))) return false;
  if (style.hasCapitalNouns && run.some(({ plain }) => NOUN_ENDINGS.test(plain))) return false;
  return run.length <= 3 || group(end - 1) === 'last';
}

/** One word with a capital inside a sentence: a known first name, or one that does what people do. */
function isSingleName(context: NameContext, at: number, run: WordRun, style: RunStyle): boolean {
  const { words, lexicon } = context;
  const word = words[at];
  if (word === undefined || word.plain.length < 3 || word.isUpper) return false;
  const group = lexicon.classOf(word.plain);
  const isStart = isSentenceStart(words, run.start) && at === run.start;
  if (AMBIGUOUS_NAMES.has(word.plain) && (isStart || style.hasCapitalNouns)) return false;
  if (group === 'first') return true;
  const next = words[at + 1];
  const isActing = next !== undefined && !next.isCapital && isJoined(words, at + 1) && VERBS.has(next.plain);
  if (group === 'last') return !isStart && !style.hasCapitalNouns && !isFirm(context, at);
  const owned = words[at + 2];
  const isOwner = next?.plain === 's' && /^['’]$/.test(next.gap) && owned !== undefined && isPersonal(owned.plain);
  if (isOwner && !AMBIGUOUS_NAMES.has(word.plain)) return true;
  return isActing && !isStart && !style.hasCapitalNouns && !AMBIGUOUS_NAMES.has(word.plain);
}

/** What people have: "Karthik's birthday". */
function isPersonal(plain: string): boolean {
  return ROLE_WORDS.has(plain) || PERSONAL.has(plain);
}

const AND: ReadonlySet<string> = new Set(['and', 'und', 'et', 'y']);
/** After a list of last names these show that the list is one thing: "Lopez, Santos and Coleman is a firm". */
const SINGULAR: ReadonlySet<string> = new Set(['is', 'was', 'has', 'ist', 'war', 'hat', 'est', 'a', 'es', 'tiene']);

/** A last name in the list of names that a firm is called by. */
export function isFirm(context: NameContext, at: number): boolean {
  const { words, keep } = context;
  if (!keep.has('company')) return false;
  let end = at + 1;
  let isList = words[at - 1] !== undefined && AND.has(words[at - 1]?.plain ?? '');
  for (;;) {
    const isAnd = AND.has(words[end]?.plain ?? '');
    const next = isAnd ? end + 1 : end;
    const isNext = isAnd || /^(?:, ?| ?& ?)$/.test(gapAfter(context, end));
    if (!isNext || words[next]?.isCapital !== true || end - at > 8) break;
    isList = true;
    end = next + 1;
  }
  const after = words[end];
  if (!isList || after === undefined || !isJoined(words, end)) return false;
  return SINGULAR.has(after.plain) || (after.isCapital && COMPANY_WORDS.has(after.plain));
}

/** Most lines of which one has to be spoken by a known name. */
const MIN_SPEAKERS = 2;

/** "Ella: What a day.": who speaks in a chat, where at least one of two speakers has a known first name. */
function findSpeakers(context: NameContext): WordRun[] {
  const { words, lexicon } = context;
  const runs: WordRun[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!isLineStart(words, at)) continue;
    const end = readName(context, at);
    if (end === undefined || !/^: {1,2}["„“]?$/.test(gapAfter(context, end)) || words[end]?.isCapital !== true)
      continue;
    if (words.slice(at, end).some(({ plain }) => COMPANY_WORDS.has(plain)) || isCompany(context, at, end)) continue;
    runs.push({ start: at, end });
  }
  const isKnown = ({ start }: WordRun) => lexicon.classOf(words[start]?.plain ?? '') === 'first';
  const isChat = runs.length >= MIN_SPEAKERS && runs.some(isKnown);
  return runs.filter((run) => isChat || isKnown(run));
}
