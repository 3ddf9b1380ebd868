import type { Lexicon } from './lexicon.ts';
import type { WordRun } from './name-rules.ts';
import { isOrdinary } from './name-run.ts';
import { PARTICLES, TITLES } from './name-words.ts';
import {
  AMBIGUOUS_NAMES,
  COMPANY_WORDS,
  DATE_WORDS,
  NEVER_NAMES,
  ROLE_WORDS,
  SHARED_MAILBOXES,
} from './other-words.ts';
import { isSentenceStart, type TextWord, wordsIn } from './words.ts';

/** Somebody whose name or address is known: from the headers of the thread, a contact, or found before. */
export interface KnownPerson {
  /** As it is written: `Karthik Raman`, `Raman, Karthik`. */
  readonly name?: string | undefined;
  readonly address?: string | undefined;
}

/** Known names, ready to be looked up. */
export interface KnownNames {
  /** Names of two or more words, by their first one. */
  readonly full: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** Single words that are a name: parts of longer ones, and names of one word. */
  readonly parts: ReadonlySet<string>;
}

const TITLE_WORDS: ReadonlySet<string> = new Set(TITLES);
/** Behind one of these a display name says something else: "Anna Weber (Sales)", "Anna Weber via Docs". */
const AFTER_NAME = /\s*(?:[(|/[]| via | – | - | @).*$/s;

/** Prepares known people. A display name of a company or a shared mailbox is nobody's. */
export function knownNames(people: readonly KnownPerson[]): KnownNames {
  const names = people
    .map(({ name, address }) => nameWords(name ?? '') ?? localWords(address))
    .filter((words) => words.length > 0);
  return namesOf(names);
}

/** Prepares names that are given as words (`plainOf`). */
export function namesOf(names: readonly (readonly string[])[]): KnownNames {
  const longer = names.filter(({ length }) => length > 1);
  // "Raman, Karthik".
  const full = longer.flatMap((words) => [words, [words.at(-1) ?? '', ',', ...words.slice(0, -1)]]);
  const parts = names.flatMap((words) => (words.length === 1 ? words : words.filter((word) => isPart(word))));
  const byFirst = Map.groupBy(
    full.toSorted((a, b) => b.length - a.length),
    ([first = '']) => first,
  );
  return { full: byFirst, parts: new Set(parts) };
}

function isPart(word: string): boolean {
  return word.length >= 3 && !PARTICLES.has(word) && !TITLE_WORDS.has(word);
}

/** The words of a display name; none where it names no person, undefined where there is no name. */
function nameWords(name: string): string[] | undefined {
  const text = name.replace(/^["'\s]+/, '').replace(AFTER_NAME, '');
  if (text === '' || text.includes('@')) return undefined;
  const [last, first] = text.split(/,\s*/);
  const words = wordsIn(first === undefined ? text : `${first} ${last}`).map(({ plain }) => plain);
  if (words.some((word) => COMPANY_WORDS.has(word) || SHARED_MAILBOXES.has(word) || ROLE_WORDS.has(word))) return [];
  const kept = words.filter((word) => !TITLE_WORDS.has(word));
  return kept.length > 4 ? [] : kept;
}

/** The words of an address whose owner has no name: `karthik.raman@…`. */
function localWords(address = ''): string[] {
  const local = address.split('@')[0] ?? '';
  const words = wordsIn(local.replace(/\d+/g, ' ').replace(/\+.*$/, '')).map(({ plain }) => plain);
  if (words.some((word) => SHARED_MAILBOXES.has(word) || COMPANY_WORDS.has(word) || NEVER_NAMES.has(word))) return [];
  return words.length > 3 ? [] : words.filter((word) => word.length >= 3);
}

/** Between the words of a name. */
const NAME_GAP = /^(?:[ \t\u00a0'’‐-]{1,2}|\.[ \t\u00a0]?|[ \t]*\r?\n[ \t>]*)$/;
/** What names take on: genitive and plural of English, German and Spanish, Latin genitive. */
const INFLECTIONS = ['ens', 'ns', 's', 'n', 'es'];

/** Where a text has known names, whole or in part, in any case. */
export function findKnown(
  words: readonly TextWord[],
  known: KnownNames,
  lexicon: Lexicon,
): (WordRun & { readonly cut: number })[] {
  const runs: (WordRun & { cut: number })[] = [];
  for (let at = 0; at < words.length; at++) {
    const found = fullNameAt(words, at, known) ?? partAt(words, at, known, lexicon);
    if (found === undefined) continue;
    runs.push({ start: at, ...found });
    at = found.end - 1;
  }
  return runs;
}

/** A run that ends `cut` letters before the end of its last word. */
interface Found {
  readonly end: number;
  readonly cut: number;
}

function fullNameAt(words: readonly TextWord[], at: number, { full }: KnownNames): Found | undefined {
  for (const name of full.get(words[at]?.plain ?? '') ?? []) {
    const isReversed = name[1] === ',';
    const parts = name.filter((part) => part !== ',');
    // "will may" is no mention of Will May.
    const isWordsOnly = parts.every((part) => AMBIGUOUS_NAMES.has(part) || NEVER_NAMES.has(part));
    const matches = parts.every((plain, i) => {
      const word = words[at + i];
      if (word === undefined || (isWordsOnly && !word.isCapital)) return false;
      if (i > 0 && !(isReversed && i === 1 ? /^, ?$/ : NAME_GAP).test(word.gap)) return false;
      return word.plain === plain || (i === parts.length - 1 && cutOf(word, plain) !== undefined);
    });
    const last = words[at + parts.length - 1];
    if (matches && last !== undefined) return { end: at + parts.length, cut: cutOf(last, parts.at(-1) ?? '') ?? 0 };
  }
  return undefined;
}

/** Letters after a name in an inflected word; undefined where the word is another one. */
function cutOf({ plain }: TextWord, name: string): number | undefined {
  if (plain === name) return 0;
  if (name.length < 4 || !plain.startsWith(name)) return undefined;
  const ending = plain.slice(name.length);
  return INFLECTIONS.includes(ending) ? ending.length : undefined;
}

function partAt(words: readonly TextWord[], at: number, { parts }: KnownNames, lexicon: Lexicon): Found | undefined {
  const word = words[at];
  if (word === undefined || word.isCode) return undefined;
  const name = [0, 1, 2, 3]
    .map((cut) => word.plain.slice(0, word.plain.length - cut))
    .find((base) => parts.has(base) && cutOf(word, base) !== undefined);
  if (name === undefined || !isMeant(words, at, name, lexicon)) return undefined;
  return { end: at + 1, cut: word.plain.length - name.length };
}

/** Whether a part of a name that may be an ordinary word stands for the person: "Will" does, "will" does not. */
function isMeant(words: readonly TextWord[], at: number, name: string, lexicon: Lexicon): boolean {
  const word = words[at];
  if (word === undefined) return false;
  const isWord =
    NEVER_NAMES.has(name) ||
    AMBIGUOUS_NAMES.has(name) ||
    DATE_WORDS.has(name) ||
    ROLE_WORDS.has(name) ||
    isOrdinary(lexicon, name);
  if (!isWord) return true;
  return word.isCapital && !word.isUpper && !isSentenceStart(words, at);
}
