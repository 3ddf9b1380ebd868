import type { Claim, ClaimLanguage, ClaimPattern, Language } from './claim-words.ts';
import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { SPANISH } from './spanish.ts';

/** A sentence that says that something was done. */
export interface FoundClaim extends Sentence {
  readonly claim: Claim;
  readonly language: Language;
}

/** Longest sentence that is looked at, in characters; a longer one is looked at in pieces. */
const MAX_SENTENCE = 1000;

const LANGUAGES: readonly ClaimLanguage[] = [ENGLISH, GERMAN, FRENCH, SPANISH];

/** Longest answer that is read as a whole, in characters: of a longer one the beginning and the end, half of it each. */
const MAX_TEXT = 40_000;

/** The sentences of an answer that claim one of `claims`, in the order of the text; each with the first claim that it makes. */
export function findClaims(text: string, claims: readonly Claim[]): readonly FoundClaim[] {
  const isRead = ({ from, to }: Sentence) => from < MAX_TEXT / 2 || to > text.length - MAX_TEXT / 2;
  return sentencesOf(text).flatMap((sentence): FoundClaim[] => {
    if (!isRead(sentence)) return [];
    const found = claimIn(ends(sentence.text), claims);
    return found === undefined ? [] : [{ ...sentence, ...found }];
  });
}

function ends(text: string): string {
  return text.length <= MAX_TEXT / 2 ? text : `${text.slice(0, MAX_TEXT / 4)} ${text.slice(-MAX_TEXT / 4)}`;
}

/** The first of these claims that a sentence makes. */
export function claimIn(
  sentence: string,
  claims: readonly Claim[],
): Pick<FoundClaim, 'claim' | 'language'> | undefined {
  const accented = simplified(sentence);
  const plain = withoutAccents(accented);
  for (const language of LANGUAGES)
    for (const claim of claims)
      if (makes(claim, language, { accented, plain })) return { claim, language: language.language };
  return undefined;
}

const compiled = new Map<string, readonly ClaimPattern[]>();

function patternsOf(claim: Claim, { language, patterns, words }: ClaimLanguage): readonly ClaimPattern[] {
  const key = `${language} ${claim}`;
  let known = compiled.get(key);
  if (known === undefined) compiled.set(key, (known = patterns(words[claim])));
  return known;
}

function makes(
  claim: Claim,
  language: ClaimLanguage,
  { accented, plain }: { readonly accented: string; readonly plain: string },
): boolean {
  if (claim === 'mail-sent' && SENT_HEADER.test(plain)) return false;
  const others = new RegExp(`(?<![\\p{L}])(?:${language.words[claim].others})(?![\\p{L}])`, 'u');
  for (const { pattern, isShort = false, hasAccents = false } of patternsOf(claim, language)) {
    const whole = hasAccents ? accented : plain;
    if (isShort && /[?:]\W*$/.test(whole.slice(-20))) continue;
    for (let at = 0; at < whole.length; at += MAX_SENTENCE / 2) {
      const text = whole.slice(at, at + MAX_SENTENCE);
      for (const match of text.matchAll(pattern)) {
        const before = withoutAccents(text.slice(0, match.index));
        const after = withoutAccents(text.slice(match.index + match[0].length));
        if (others.test(withoutAccents(match[0])) || others.test(/^(?:\s[\p{L}'-]+){0,3}/u.exec(after)?.[0] ?? ''))
          continue;
        if (language.after.test(after) || language.before.some((excluded) => excluded.test(before))) continue;
        return true;
      }
    }
  }
  return false;
}

/** The header of a mail, which an answer may quote. */
const SENT_HEADER = /^[^\p{L}]*(?:sent|gesendet|envoye|enviado(?: el)?)\s*:\s*(?:\p{L}+[,.]? )?\d/u;

/** Letters of other scripts that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [...'аеорсхуікѕԁһոɡΑΒΕΗΙΚΜΝΟΡΤΥΧαορν'].map((letter, n) => [letter, [...'aeopcxyiksdhngabehikmnoptyxaopv'][n] ?? '']),
);

/** A sentence in small letters, on one line, without emphasis, hidden characters and letters that only look like Latin ones. */
function simplified(sentence: string): string {
  return sentence
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[*_~`#>|]+/g, ' ')
    .replace(/[’‘ʼ´]/g, "'")
    .replace(/[^\x00-\x7f]/gu, (letter) => LOOKALIKES[letter] ?? letter)
    .toLowerCase()
    .replace(/\S{80,}/gu, (long) => `${long.slice(0, 40)} ${long.slice(-40)}`)
    .replace(/\s+/g, ' ')
    .trim();
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('ß', 'ss');
}
