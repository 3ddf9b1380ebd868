import type { TextStage } from '../../base/redact.ts';
import type { Claim } from './claim-words.ts';
import { claimIn } from './find-claims.ts';
import { blocksOf, type Sentence, sentencesOf } from './sentences.ts';

/** Longest paragraph that is looked at while it grows, in characters. */
const MAX_BLOCK = 10_000;

/**
 * Passes on whole sentences of a text that arrives in pieces, up to the first one that makes one of these claims. That sentence and
 * all after it are held back for good: the check of the whole answer decides about them.
 */
export function textBeforeClaim(claims: readonly Claim[]): TextStage {
  /** The text from the start of the block that is not passed on as a whole yet. */
  let text = '';
  let passed = 0;
  let isOver = false;
  return (piece) => {
    if (isOver) return '';
    text += piece;
    isOver = text.length > MAX_BLOCK;
    const sentences = isOver ? [] : firmSentences(text).filter(({ to }) => to > passed);
    const claim = sentences.find((sentence) => claimIn(sentence.text, claims) !== undefined);
    isOver ||= claim !== undefined;
    const end = Math.max(passed, claim?.from ?? sentences.at(-1)?.to ?? 0);
    const next = text.slice(passed, end);
    const keep = blocksOf(text).findLast(({ from }) => from <= end)?.from ?? 0;
    text = text.slice(keep);
    passed = end - keep;
    return next;
  };
}

/** The sentences up to the last one that is followed by a letter: until then the next words may belong to it. */
function firmSentences(text: string): readonly Sentence[] {
  const sentences = sentencesOf(text);
  return sentences.slice(0, sentences.findLastIndex(({ to }) => /\p{L}/u.test(text.slice(to))) + 1);
}
