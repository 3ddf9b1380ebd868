import type { AnswerCheck } from '../../config/documents.gen.ts';

/** What an answer can claim. */
export type Claim = AnswerCheck['claim'];

/** Languages in which claims are found. */
export type Language = 'en' | 'de' | 'fr' | 'es';

/**
 * Words of one claim in one language, as alternatives of a pattern: in small letters and, except `past`, without accents.
 * `tests/guard/claims` has a table for each language.
 */
export interface ClaimWords {
  /** What it is about: `meeting|call`. */
  readonly nouns: string;
  /** Participles that claim it without a noun: `scheduled|booked`; `''` where there are none. */
  readonly strong: string;
  /** Participles that claim it together with a noun: `created|added`. */
  readonly weak: string;
  /** Where it is then: `calendar`; `''` where that says nothing. */
  readonly places: string;
  /** Words with which it is something else: `reminder|draft`. */
  readonly others: string;
  /** Spanish: forms of the past with their accents, strong and weak. */
  readonly past?: { readonly strong: string; readonly weak: string };
}

/** A form of a claim. */
export interface ClaimPattern {
  readonly pattern: RegExp;
  /** True for a sentence without a verb, such as "Meeting scheduled.": in a question or a heading it claims nothing. */
  readonly isShort?: boolean;
  /** True where accents count. */
  readonly hasAccents?: boolean;
}

/** The claims of a language, and what stands around words that claim nothing. */
export interface ClaimLanguage {
  readonly language: Language;
  readonly patterns: (words: ClaimWords) => readonly ClaimPattern[];
  readonly words: Readonly<Record<Claim, ClaimWords>>;
  /** Before the words: a condition, a negation, or what somebody else says. */
  readonly before: readonly RegExp[];
  /** After the words: somebody else who did it. */
  readonly after: RegExp;
}

/** A name of a file in a text without accents. */
export const FILE_NAME = '[\\w/-]+\\.(?:md|txt|csv|json|pdf|docx?|xlsx?|html|ya?ml)';

/** A pattern that begins and ends at words. */
export function words(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}'])(?:${source})(?![\\p{L}\\p{N}])`, 'gu');
}

/** A pattern at the start of a sentence, after marks and words such as "Done:". */
export function opening(greetings: string, source: string): RegExp {
  return new RegExp(`^[^\\p{L}\\p{N}]*(?:(?:${greetings})[^\\p{L}\\p{N}]+)*(?:${source})(?![\\p{L}\\p{N}])`, 'gu');
}

/** Up to `most` characters of one part of a sentence, without any of these words. */
export function without(excluded: string, most: number): string {
  return `(?:(?! (?:${excluded})(?![\\p{L}]))[^;!?:]){0,${most}}?`;
}
