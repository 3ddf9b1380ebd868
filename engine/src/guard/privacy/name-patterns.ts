import { gapAfter, type WordRun } from './name-rules.ts';
import { isCompany, isJoined, isNameable, isOrdinary, type NameContext, readName } from './name-run.ts';
import { CONTACT_WORDS, KEYWORDS, OWNERS, WHO_IS } from './name-words.ts';
import { AMBIGUOUS_NAMES, NEVER_NAMES, ROLE_WORDS } from './other-words.ts';
import { isSentenceStart, phraseEnd, phrasesOf } from './words.ts';

const PHRASES = { keywords: phrasesOf(KEYWORDS), whoIs: phrasesOf(WHO_IS) };
const OWNER_WORDS: ReadonlySet<string> = new Set(OWNERS);
/** These own a role without doubt; `the` and its like stand before any noun. */
const ARTICLES: ReadonlySet<string> = new Set(['the', 'der', 'die', 'le', 'la', 'el']);
const CONTACTS: ReadonlySet<string> = new Set(CONTACT_WORDS);
/** Before a word in small letters these say that it is a thing: "the airline's number". */
const DETERMINERS: ReadonlySet<string> = new Set([
  ...OWNERS,
  ...['a', 'an', 'this', 'that', 'each', 'every', 'any', 'some', 'no', 'another', 'its', 'one', 'new', 'old', 'which'],
]);
const AND: ReadonlySet<string> = new Set(['and', 'und', 'et', 'y', 'e']);
/** After "and" in a list of names: "a karthik y a priya". */
const TO: ReadonlySet<string> = new Set(['to', 'with', 'an', 'mit', 'a', 'avec', 'con']);
/** Verbs that `compromise` does not know: "call karthik and reschedule". */
const VERBS: ReadonlySet<string> = new Set([
  ...['postpone', 'reschedule', 'summarize', 'translate', 'delete', 'describe', 'apologise', 'apologize', 'notify'],
  ...['verschiebe', 'storniere', 'bestatige', 'plane', 'buche', 'lade', 'sende', 'schicke', 'warte', 'prufe', 'losche'],
  ...[
    'archiviere',
    'offne',
    'drucke',
    'danach',
    'spater',
    'reserva',
    'cancela',
    'envia',
    'reserve',
    'annule',
    'envoie',
  ],
]);
/** Most names that a list adds: the time for a text stays linear. */
const MAX_LISTED = 8;
/** After a list of names. */
const AFTER_LIST: ReadonlySet<string> = new Set([
  ...AND,
  ...['about', 'on', 'at', 'that', 'tomorrow', 'today', 'or', 'if', 'whether', 'regarding', 'my', 'our', 'who'],
  ...['uber', 'wegen', 'am', 'morgen', 'heute', 'dass', 'ob', 'oder', 'mein', 'meine'],
  ...['sur', 'demain', 'que', 'ou', 'mon', 'ma', 'sobre', 'manana', 'o', 'mi'],
]);

const BLANK = /^[ \t\u00a0]{1,2}$/;
/** Between a name and what is said about it. */
const ASIDE = /^(?:,? {1,2}| ?[–—-] ?| ?\()$/;
/** Most words between `my` and the role: "my new finance director". */
const MAX_BETWEEN = 2;

/** The patterns for names, in any case: keyword + name, name + role, name + "who is" + role (seed 003), name + 's + number. */
export function findPatterns(context: NameContext): WordRun[] {
  const runs: WordRun[] = [];
  for (let at = 0; at < context.words.length; at++)
    runs.push(...afterKeyword(context, at), ...besideRole(context, at), ...beforeContact(context, at));
  return runs;
}

/** "email to karthik". */
function afterKeyword(context: NameContext, at: number): WordRun[] {
  const { words } = context;
  const start = phraseEnd(words, at, PHRASES.keywords);
  if (start === undefined || !BLANK.test(gapAfter(context, start))) return [];
  const end = readName(context, start, { mayBeLower: true });
  if (end === undefined) return [];
  // "EMAIL TO KARTHIK": in capitals a word that is an ordinary one stays as it is in small letters.
  const isShouted = words.slice(at, end).every(({ isUpper }) => isUpper);
  const isNamed = (index: number) => {
    const word = words[index];
    return (
      word !== undefined &&
      (word.isCapital && !isShouted ? isNameable(context, word) : !isOrdinary(context.lexicon, word.plain))
    );
  };
  if (!isNamed(start)) return [];
  // In small letters the words after the first are seldom a name, unless they follow at once.
  return [{ start, end }, ...otherNames(context, end, isNamed)];
}

/** The other names of a list: "email to karthik, ben and priya", "escribe a karthik y a priya". */
function otherNames(context: NameContext, from: number, isNamed: (index: number) => boolean): WordRun[] {
  const runs: WordRun[] = [];
  for (let at = from; runs.length < MAX_LISTED;) {
    const isAnd = AND.has(context.words[at]?.plain ?? '') && BLANK.test(gapAfter(context, at));
    if (!isAnd && !/^(?:, ?| ?& ?)$/.test(gapAfter(context, at))) return runs;
    let start = isAnd ? at + 1 : at;
    if (isAnd && TO.has(context.words[start]?.plain ?? '') && BLANK.test(gapAfter(context, start + 1))) start++;
    if (isAnd && !BLANK.test(gapAfter(context, start))) return runs;
    const end = readName(context, start, { mayBeLower: true });
    if (end === undefined || !isNamed(start) || VERBS.has(context.words[start]?.plain ?? '')) return runs;
    // "call karthik and postpone the lunch": in small letters, and behind a comma, a name is set off.
    const isClear = isAnd && context.words[start]?.isCapital === true;
    if (!isClear && !isSetOff(context, end)) return runs;
    runs.push({ start, end });
    at = end;
  }
  return runs;
}

/** Whether a list of names can end here, or go on with the next one. */
function isSetOff(context: NameContext, end: number): boolean {
  const { words } = context;
  return (
    end === words.length || /[,.;:!?)&\r\n]/.test(gapAfter(context, end)) || AFTER_LIST.has(words[end]?.plain ?? '')
  );
}

/** "karthik my cfo", "karthik who is my cfo", "my cfo Karthik". */
function besideRole(context: NameContext, at: number): WordRun[] {
  const { words } = context;
  const owner = words[at];
  if (owner === undefined || !OWNER_WORDS.has(owner.plain)) return [];
  const role = roleAfter(context, at);
  if (role === undefined) return [];
  const before = nameBefore(context, at);
  return [...(before === undefined ? [] : [before]), ...(before === undefined ? nameAfter(context, role) : [])];
}

/** Index after the role that an owner has; undefined where none follows. */
function roleAfter(context: NameContext, owner: number): number | undefined {
  const { words } = context;
  for (let at = owner + 1; at <= owner + 1 + MAX_BETWEEN; at++) {
    if (!/^[ \t\u00a0-]{1,2}$/.test(gapAfter(context, at))) return undefined;
    if (ROLE_WORDS.has(words[at]?.plain ?? '')) return at + 1;
  }
  return undefined;
}

/** The name before "my cfo" or "who is my cfo". */
function nameBefore(context: NameContext, owner: number): WordRun | undefined {
  const { words } = context;
  const end = whoIsBefore(context, owner) ?? owner;
  if (!ASIDE.test(gapAfter(context, end))) return undefined;
  return nameUntil(context, end, { mayBeLower: end !== owner || !ARTICLES.has(words[owner]?.plain ?? '') });
}

/** The name of at most three words that ends before a word. */
function nameUntil(context: NameContext, end: number, options: { mayBeLower: boolean }): WordRun | undefined {
  const { words } = context;
  let start = end;
  while (start > 0 && end - start < 3 && (start === end || isJoined(words, start))) {
    const word = words[start - 1];
    if (word === undefined || !isNameable(context, word, options)) break;
    if (isOrdinary(context.lexicon, word.plain) && (word.isUpper || !word.isCapital)) break;
    start--;
  }
  return start < end ? { start, end } : undefined;
}

/** "karthik's number", "Karthik Rao's mobile". */
function beforeContact(context: NameContext, at: number): WordRun[] {
  const { words } = context;
  const mark = words[at];
  if (mark?.plain !== 's' || !/^['’]$/.test(mark.gap) || !CONTACTS.has(words[at + 1]?.plain ?? '')) return [];
  if (!BLANK.test(gapAfter(context, at + 1))) return [];
  const run = nameUntil(context, at, { mayBeLower: true });
  if (run === undefined || isCompany(context, run.start, run.end)) return [];
  const [first, before] = [words[run.start], words[run.start - 1]];
  const isStart = isSentenceStart(words, run.start);
  // "Will's number", "Here's number 5".
  const isWord =
    AMBIGUOUS_NAMES.has(first?.plain ?? '') || (isStart && isOrdinary(context.lexicon, first?.plain ?? ''));
  if (run.end - run.start === 1 && isWord) return [];
  // A thing in small letters has an article: "the airline's number".
  const isFree = isStart || (NEVER_NAMES.has(before?.plain ?? '') && !DETERMINERS.has(before?.plain ?? ''));
  return first?.isCapital === true || isFree ? [run] : [];
}

/** Index of the first word of "who is" before an owner. */
function whoIsBefore({ words }: NameContext, owner: number): number | undefined {
  for (const length of [3, 2, 1]) {
    const start = owner - length;
    if (start > 0 && phraseEnd(words, start, PHRASES.whoIs) === owner) return start;
  }
  return undefined;
}

/** The name after a role: with a capital, or a first name. */
function nameAfter(context: NameContext, start: number): WordRun[] {
  const { words, lexicon } = context;
  if (!/^(?:,? {1,2}|: )$/.test(gapAfter(context, start))) return [];
  const isFirstName = lexicon.classOf(words[start]?.plain ?? '') === 'first';
  const end = readName(context, start, { mayBeLower: isFirstName });
  return end === undefined ? [] : [{ start, end }];
}
