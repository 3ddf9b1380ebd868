import { isFirm, isPlainWord, isTouched } from './name-lines.ts';
import { gapAfter, type WordRun } from './name-rules.ts';
import { isInitial, isJoined, isNameable, type NameContext, readName } from './name-run.ts';
import { AMBIGUOUS_NAMES } from './other-words.ts';
import { isSentenceStart } from './words.ts';

/**
 * The people that the tagger finds, as far as the words can be names. It takes milliseconds a sentence, so it reads only the ones
 * with a word that may be a name and is in none of the runs that were found before.
 */
export function findTagged(context: NameContext, text: string, found: readonly WordRun[]): WordRun[] {
  const { words, lexicon } = context;
  const taken = new Set(found.flatMap(({ start, end }) => words.slice(start, end).map((_, i) => start + i)));
  const runs: WordRun[] = [];
  for (const { start, end } of sentencesOf(context)) {
    const from = words[start]?.start ?? 0;
    const to = words[end - 1]?.end ?? from;
    if (to - from > MAX_CHARACTERS || !hasCandidate(context, start, end, taken)) continue;
    for (const person of lexicon.peopleIn(text.slice(from, to))) {
      const first = firstAfter(words, start, from + person.start);
      runs.push(...taggedRuns(context, first, from + person.end));
    }
  }
  return runs;
}

function firstAfter(words: NameContext['words'], from: number, offset: number): number {
  let at = from;
  while (at < words.length && (words[at]?.start ?? 0) < offset) at++;
  return at;
}

/** The names among the words of a person that the tagger found. */
function taggedRuns(context: NameContext, first: number, endOffset: number): WordRun[] {
  const { words } = context;
  for (let at = first; (words[at]?.start ?? endOffset) < endOffset; at++) {
    const word = words[at];
    if (word === undefined || !isNameable(context, word) || isPlainTagged(context, at)) continue;
    const end = readName(context, at);
    if (end === undefined || isTouched(context, at, end) || isInside(context, at, end) || isFirm(context, at))
      return [];
    return [{ start: at, end: Math.min(end, firstAfter(words, at + 1, endOffset)) }];
  }
  return [];
}

/** One word of a longer run of capitals that is no known name: "Colle Di Tora". */
function isInside({ words, lexicon }: NameContext, start: number, end: number): boolean {
  if (end - start > 1 || lexicon.classOf(words[start]?.plain ?? '') === 'first') return false;
  const [before, after] = [words[start - 1], words[end]];
  const isPart = (word: typeof before) => word?.isCapital === true && !isInitial(word);
  return (
    (isPart(before) && isJoined(words, start) && !isSentenceStart(words, start - 1)) ||
    (isPart(after) && isJoined(words, end))
  );
}

/** A word that the tagger takes for a person though it is an ordinary one, or begins a sentence. */
function isPlainTagged(context: NameContext, at: number): boolean {
  const { words, lexicon } = context;
  const word = words[at];
  if (word === undefined || word.isUpper || !word.isCapital || isPlainWord(context, at)) return true;
  return isSentenceStart(words, at) && (AMBIGUOUS_NAMES.has(word.plain) || lexicon.classOf(word.plain) === undefined);
}

/** Longest stretch that the tagger reads at once: it takes more than linear time. */
const MAX_SENTENCE = 60;
/** Words of this length together are no sentence. */
const MAX_CHARACTERS = 2000;

/** Stretches of words between ends of sentences. */
function sentencesOf(context: NameContext): WordRun[] {
  const { words } = context;
  const runs: WordRun[] = [];
  let start = 0;
  for (let at = 1; at <= words.length; at++) {
    const isEnd =
      at === words.length || at - start >= MAX_SENTENCE || /[.!?…]["'”»)]*\s|\n/.test(gapAfter(context, at));
    if (!isEnd) continue;
    runs.push({ start, end: at });
    start = at;
  }
  return runs;
}

function hasCandidate(context: NameContext, start: number, end: number, taken: ReadonlySet<number>): boolean {
  for (let at = start; at < end; at++) {
    const word = context.words[at];
    if (word === undefined || taken.has(at) || isPlainTagged(context, at)) continue;
    if (isNameable(context, word)) return true;
  }
  return false;
}
