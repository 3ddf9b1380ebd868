import { type NameContext, isJoined, readName, type NameOptions } from './name-run.ts';
import { GREETINGS, NAME_LABELS, NAMINGS, SIGN_OFFS, THANKS, TITLES, WEAK_NAMINGS } from './name-words.ts';
import { isLineStart, isSentenceStart, phraseEnd, phrasesOf, type TextWord } from './words.ts';

/** A run of words, as indexes: `end` is the first word after it. */
export interface WordRun {
  readonly start: number;
  readonly end: number;
}

const PHRASES = {
  titles: phrasesOf(TITLES),
  greetings: phrasesOf(GREETINGS),
  thanks: phrasesOf(THANKS),
  signOffs: phrasesOf(SIGN_OFFS),
  namings: phrasesOf(NAMINGS),
  weakNamings: phrasesOf(WEAK_NAMINGS),
  labels: phrasesOf(NAME_LABELS),
};

/** After a name that ends a line or is set off. */
const STOP_GAP = /^[ \t]*(?:[,!?.;:)…]|[–—-] |[\r\n]|$)/;
const SPACE = /^[.,]?[ \t\u00a0]{1,2}$/;

/** Names that the words before them announce: titles, greetings, thanks, sign-offs, "my name is", labels. */
export function findAnnounced(context: NameContext): WordRun[] {
  const runs: WordRun[] = [];
  const { words } = context;
  for (let at = 0; at < words.length; at++) runs.push(...announcedAt(context, at));
  return runs;
}

function announcedAt(context: NameContext, at: number): WordRun[] {
  const { words } = context;
  const isStart = isLineStart(words, at);
  return [
    ...afterTitle(context, at),
    ...(isStart || isSentenceStart(words, at) ? afterGreeting(context, at) : []),
    ...(isStart || isSentenceStart(words, at) ? afterSignOff(context, at) : []),
    ...(isStart || isSentenceStart(words, at) ? afterThanks(context, at) : []),
    ...afterNaming(context, at),
    ...(isStart ? afterLabel(context, at) : []),
    ...(isStart ? inSignature(context, at) : []),
  ];
}

/** What follows the last word of a run: the begin of the gap before the next word, or of what ends the text. */
export function gapAfter({ words, tail }: NameContext, end: number): string {
  return words[end]?.gap ?? (end === words.length ? tail : '');
}

function afterTitle(context: NameContext, at: number): WordRun[] {
  const { words } = context;
  let start = phraseEnd(words, at, PHRASES.titles);
  if (start === undefined) return [];
  // "Herr Prof. Dr. Müller".
  for (let count = 1; count < MAX_TITLES && SPACE.test(gapAfter(context, start)); count++) {
    const next = phraseEnd(words, start, PHRASES.titles);
    if (next === undefined) break;
    start = next;
  }
  if (!/^\.?[ \t\u00a0]{1,2}$|^\.$/.test(gapAfter(context, start))) return [];
  // `m` and `me` are titles with a capital alone.
  if ((words[at]?.plain.length ?? 0) < 3 && words[at]?.isCapital !== true && gapAfter(context, start)[0] !== '.')
    return [];
  const isTyped =
    words[at]?.isCapital !== true && (gapAfter(context, start)[0] === '.' || TYPED_TITLES.has(words[at]?.plain ?? ''));
  return runAt(context, start, { isCertain: true, mayBeLower: isTyped });
}

/** Most titles before a name. */
const MAX_TITLES = 4;
/** Titles that in small letters, without a full stop, are no other word. */
const TYPED_TITLES: ReadonlySet<string> = new Set(['mr', 'mrs', 'ms', 'dr', 'herr', 'herrn', 'mme', 'mlle', 'srta']);

/** "Hi Anna", "hi anna,", "Dear Anna and Ben". */
function afterGreeting(context: NameContext, at: number): WordRun[] {
  const start = phraseEnd(context.words, at, PHRASES.greetings);
  if (start === undefined || !SPACE.test(gapAfter(context, start))) return [];
  const first =
    afterTitle(context, start)[0] ?? runAt(context, start, { isCertain: true })[0] ?? lowerRun(context, start);
  return first === undefined ? [] : [first, ...alsoNamed(context, first.end)];
}

/** A name in lower case that punctuation or the end of the line sets off. */
function lowerRun(context: NameContext, start: number): WordRun | undefined {
  const [run] = runAt(context, start, { mayBeLower: true });
  const isSetOff = run !== undefined && (run.end === context.words.length || STOP_GAP.test(gapAfter(context, run.end)));
  return isSetOff ? run : undefined;
}

/** The other names of a list: "Anna, Ben and Carla". */
function alsoNamed(context: NameContext, from: number): WordRun[] {
  const { words } = context;
  const runs: WordRun[] = [];
  let at = from;
  for (;;) {
    const isAnd =
      ['and', 'und', 'et', 'y', 'e'].includes(words[at]?.plain ?? '') && /^,?[ \t]+$/.test(gapAfter(context, at));
    const start = isAnd ? at + 1 : at;
    const isNext = isAnd ? isJoined(words, start) : /^(?:, ?| ?[&/+] ?)$/.test(gapAfter(context, at));
    const end = isNext ? readName(context, start) : undefined;
    // "Hi Anna, Could you": a name of a list is set off.
    if (
      end === undefined ||
      (!isAnd &&
        !/^(?:[,!:&/+]| (?:and|und|et|y)$| ?[&/+]|[\r\n])/.test(
          `${gapAfter(context, end)}${followedByAnd(words, end)}`,
        ))
    )
      return runs;
    runs.push({ start, end });
    at = end;
  }
}

function followedByAnd(words: readonly TextWord[], at: number): string {
  const next = words[at]?.plain ?? '';
  return ['and', 'und', 'et', 'y'].includes(next) ? next : '';
}

/** The name on the line after a sign-off, or behind it. */
function afterSignOff(context: NameContext, at: number): WordRun[] {
  const { words } = context;
  const start = phraseEnd(words, at, PHRASES.signOffs);
  if (start === undefined) return [];
  const gap = gapAfter(context, start);
  const isNextLine = /^[ \t]*[,.!]?[ \t]*(?:\r?\n[ \t>]*){1,3}[–—-]*[ \t]*$/.test(gap);
  if (!isNextLine && !/^(?:, ?| [–—-]{1,2} )$/.test(gap)) {
    // "LG Anna" at the end of a line.
    return isLineStart(words, at) && SPACE.test(gap) ? endOfLine(context, start, {}) : [];
  }
  return endOfLine(context, start, { isCertain: isNextLine, mayBeLower: isNextLine });
}

/** The line after `-- `, and "– Anna" for itself. */
function inSignature(context: NameContext, at: number): WordRun[] {
  const gap = context.words[at]?.gap ?? '';
  if (/\n[ \t>]*--[ \t]*\r?\n\s*$/.test(at === 0 ? `\n${gap}` : gap))
    return endOfLine(context, at, { isCertain: true });
  return /\n[ \t>]*(?:–|—|--)[ \t]*$/.test(gap) ? endOfLine(context, at, {}) : [];
}

/** A run that ends its line, or is followed by a comma. */
function endOfLine(context: NameContext, start: number, options: NameOptions): WordRun[] {
  const { words } = context;
  const [run] = runAt(context, start, options);
  if (run === undefined) return [];
  return run.end === words.length || /^[ \t]*(?:[,|(]|[.!]?[ \t]*[\r\n]|[–—-] |$)/.test(gapAfter(context, run.end))
    ? [run]
    : [];
}

/** "Thanks, Anna!", "Thank you Anna." */
function afterThanks(context: NameContext, at: number): WordRun[] {
  const { words } = context;
  const start = phraseEnd(words, at, PHRASES.thanks);
  if (start === undefined || !/^,?[ \t]+$/.test(gapAfter(context, start))) return [];
  const [run] = runAt(context, start, {});
  if (run === undefined) return [];
  return run.end === words.length || STOP_GAP.test(gapAfter(context, run.end)) ? [run] : [];
}

/** "my name is anna", "I am Anna Weber". */
function afterNaming(context: NameContext, at: number): WordRun[] {
  const { words, lexicon } = context;
  const start = phraseEnd(words, at, PHRASES.namings);
  if (start !== undefined && /^[ \t:"„“'«]{1,3}$/.test(gapAfter(context, start)))
    return runAt(context, start, {
      mayBeLower: words[start - 1]?.plain !== 'is' || words[start - 2]?.plain === 'name',
    });
  const weak = phraseEnd(words, at, PHRASES.weakNamings);
  if (weak === undefined || !/^[ \t]{1,2}$/.test(gapAfter(context, weak))) return [];
  const [run] = runAt(context, weak, {});
  if (run === undefined) return [];
  const isFirstName = lexicon.classOf(words[weak]?.plain ?? '') === 'first';
  if (isFirstName || run.end - run.start > 1) return [run];
  const isSetOff = STOP_GAP.test(gapAfter(context, run.end)) || FROM.has(words[run.end]?.plain ?? '');
  return isSetOff && lexicon.classOf(words[weak]?.plain ?? '') === undefined ? [run] : [];
}

const FROM: ReadonlySet<string> = new Set([
  'from',
  'of',
  'with',
  'and',
  'aus',
  'von',
  'und',
  'de',
  'du',
  'et',
  'y',
  'at',
  'bei',
]);

/** "Name: Anna Weber", "Billing address: Anna Weber". */
function afterLabel(context: NameContext, at: number): WordRun[] {
  const { words } = context;
  const start = phraseEnd(words, at, PHRASES.labels);
  if (start === undefined || !/^[.*]*[ \t]*:[ \t*"']*(?:\r?\n[ \t>]*)?$/.test(gapAfter(context, start))) return [];
  const titled = afterTitle(context, start);
  return titled.length > 0 ? titled : runAt(context, start, { mayBeLower: words[start - 1]?.plain === 'name' });
}

function runAt(context: NameContext, start: number, options: NameOptions): WordRun[] {
  const end = readName(context, start, options);
  return end === undefined ? [] : [{ start, end }];
}
