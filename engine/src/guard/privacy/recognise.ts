import { findCards, findIbans } from './account-numbers.ts';
import { findAddresses } from './addresses.ts';
import { findKnown, type KnownPerson, knownNames, namesOf } from './known-names.ts';
import { type Lexicon, loadLexicon } from './lexicon.ts';
import { findRuns } from './name-lines.ts';
import { findPatterns } from './name-patterns.ts';
import { findAnnounced, type WordRun } from './name-rules.ts';
import type { NameContext } from './name-run.ts';
import { GERMAN_WORDS } from './other-words.ts';
import { findPhones } from './phones.ts';
import {
  joinSpans,
  KEPT_KINDS,
  type KeptKind,
  PRIVATE_KINDS,
  type PrivateKind,
  type PrivateSpan,
} from './private-span.ts';
import { findTagged } from './tagged-names.ts';
import { type TextWord, wordsIn } from './words.ts';

/** Options of `findPrivate`; as in `RecogniseOptions`. */
export interface FindOptions {
  readonly known: readonly KnownPerson[];
  readonly kinds?: readonly PrivateKind[] | undefined;
  readonly keep?: readonly KeptKind[] | undefined;
  readonly isUserWords: boolean;
}

/** The private values of a text, in order and without overlaps. The time it takes is linear in the length of the text. */
export async function findPrivate(text: string, options: FindOptions): Promise<PrivateSpan[]> {
  const kinds = new Set(options.kinds ?? PRIVATE_KINDS);
  const numbers = joinSpans(text, [findAddresses(text), findIbans(text), findCards(text)]);
  const keepsDates = (options.keep ?? KEPT_KINDS).includes('date');
  const phones = kinds.has('phone')
    ? findPhones(masked(text, numbers), { isUserWords: options.isUserWords, keepsDates, isInPlan: await loadPlans() })
    : [];
  const structured = joinSpans(text, [numbers, phones]);
  const names =
    kinds.has('person') && /\p{L}/u.test(text) ? await findNames(text, masked(text, structured), options) : [];
  return joinSpans(text, [structured, names]).filter(({ kind }) => kinds.has(kind));
}

/** The text with each span, and each URL, replaced by as many characters U+0001: no rule reads across them. */
function masked(text: string, spans: readonly PrivateSpan[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of spans) {
    result += text.slice(at, start) + '\u0001'.repeat(end - start);
    at = end;
  }
  return (result + text.slice(at)).replace(/\bhttps?:\/\/[^\s<>"]{1,2000}|\bwww\.[^\s<>"]{1,2000}/gi, (url) =>
    '\u0002'.repeat(url.length),
  );
}

async function findNames(text: string, source: string, { known: people, keep }: FindOptions): Promise<PrivateSpan[]> {
  const lexicon = await loadLexicon();
  const words = wordsIn(source);
  const tail = source.slice(words.at(-1)?.end ?? 0).slice(0, 40);
  const context: NameContext = { words, tail, lexicon, keep: new Set(keep ?? KEPT_KINDS) };
  const known = findKnown(words, knownNames(people), lexicon);
  const ruled = [
    ...findAnnounced(context),
    ...findPatterns(context),
    ...findRuns(context, { hasCapitalNouns: isGerman(words) }),
  ];
  const tagged = findTagged(context, source, [...known, ...ruled]);
  const runs = [...ruled, ...tagged];
  const again = findAgain(words, runs, lexicon).map((run) => spanOf(text, words, run, run.cut));
  const given = known.map((run) => spanOf(text, words, run, run.cut));
  return joinSpans(text, [given, runs.map((run) => spanOf(text, words, run)), again]);
}

/** Names that were found once are found everywhere, in part too: "Anna Weber … Weber". */
function findAgain(
  words: readonly TextWord[],
  runs: readonly WordRun[],
  lexicon: Lexicon,
): ReturnType<typeof findKnown> {
  const names = runs.map(({ start, end }) => words.slice(start, end).map(({ plain }) => plain));
  return findKnown(words, namesOf(names), lexicon).filter(({ start, end }) =>
    words.slice(start, end).some(({ isCapital }) => isCapital),
  );
}

function spanOf(text: string, words: readonly TextWord[], { start, end }: WordRun, cut = 0): PrivateSpan {
  const from = words[start]?.start ?? 0;
  const to = (words[end - 1]?.end ?? from) - cut;
  return { start: from, end: to, kind: 'person', text: text.slice(from, to) };
}

/** Words of a text that show its language. */
const SAMPLE = 2000;

function isGerman(words: readonly TextWord[]): boolean {
  const sample = words.slice(0, SAMPLE);
  const german = sample.filter(({ plain }) => GERMAN_WORDS.has(plain)).length;
  return german > 1 && german > sample.length * 0.12;
}

let plans: Promise<(number: string) => boolean> | undefined;

/** Countries whose numbers are recognised without a country code. */
const COUNTRIES = ['US', 'GB', 'DE', 'FR', 'ES', 'AT', 'CH', 'IT', 'NL', 'IN', 'AU', 'PL', 'SE', 'MX', 'BR'] as const;

/** Loads `libphonenumber-js` when it is first needed. */
function loadPlans(): Promise<(number: string) => boolean> {
  return (plans ??= import('libphonenumber-js/min').then(
    ({ isValidPhoneNumber }) =>
      (number: string) =>
        COUNTRIES.some((country) => isValidPhoneNumber(number, country)),
  ));
}
