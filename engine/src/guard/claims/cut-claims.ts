import type { AnswerCheck } from '../../config/documents.gen.ts';
import type { Claim, Language } from './claim-words.ts';
import type { FoundClaim } from './find-claims.ts';
import { withoutSentences } from './sentences.ts';
import { type Fact, type FreeTimes, freeTimesText, truthOf } from './truths.ts';

/** A claim that no finished call proves, and what stands in its place. */
export interface FalseClaim {
  readonly claim: Claim;
  readonly fact: Fact;
  readonly otherwise: AnswerCheck['otherwise'];
}

/** An answer without its false claims. */
export interface CutAnswer {
  /** What is left of the answer. */
  readonly rest: string;
  /** Of the first sentence that was cut. */
  readonly language: Language;
  readonly claims: readonly FalseClaim[];
  /** Whether a draft of a mail was saved in this conversation. */
  readonly hasDraft: boolean;
}

/** Takes the sentences with these claims out of an answer. */
export function cutClaims(
  text: string,
  found: readonly FoundClaim[],
  claims: readonly FalseClaim[],
  hasDraft: boolean,
): CutAnswer {
  const removed = found.filter(({ claim }) => claims.some((one) => one.claim === claim));
  return { rest: withoutSentences(text, removed), language: removed[0]?.language ?? 'en', claims, hasDraft };
}

/** Whether free times stand in place of a claim. */
export function wantsFreeTimes({ claims }: CutAnswer): boolean {
  return claims.some(({ otherwise }) => otherwise === 'offer-free-times');
}

/** The text that people see: what is left of the answer, and what is true. */
export function answerText(cut: CutAnswer, times: FreeTimes): string {
  const { rest, language, claims, hasDraft } = cut;
  const said = claims.filter(({ otherwise }) => otherwise !== 'remove' || rest === '');
  const truths = said.map(({ claim, fact }) => truthOf(language, claim, fact, hasDraft));
  const offer = wantsFreeTimes(cut) ? [freeTimesText(language, times)] : [];
  return [rest, [...truths].join(' '), ...offer].filter((part) => part !== '').join('\n\n');
}
