import type { Chat, Participant } from '../http/api-types.ts';
import type { FindMention } from '../markdown/inline.ts';

type Named = Pick<Participant, 'id' | 'displayName' | 'handle'>;

// The rules are those of the server (engine/src/chat/message/mentions.ts); a test compares both.

const WORD = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}])[\p{L}\p{M}\p{N}]`;
/** What may not stand before an `@`: a word, or a character of addresses, paths and escapes. */
const BEFORE = new RegExp(String.raw`(?:${WORD}|[-+%/@=\\]|${WORD}_)$`, 'u');
/** What may not follow a name: more of a word, a name or an address. */
const AFTER = new RegExp(String.raw`(?:[-_./:]?${WORD}|@)`, 'uy');
/** A character with the marks, or the vowel and final consonant of Hangul, that compose with it. */
const PIECES = /[^][\p{M}\u1160-\u11ff]{0,32}/gu;
const ADDRESSES = /(?::\/\/|\bwww\.|\bmailto:)[^\s<>"]*/gi;

/** Whether a mention may begin at this `@`. */
const isFree = (text: string, at: number) => !BEFORE.test(text.slice(Math.max(0, at - 3), at));

/** Finds mentions of participants as the server does: `@handle` or `@DisplayName`, the longest that fits, never in an address. */
export function mentionFinder({ participants, mentions }: Pick<Chat, 'participants' | 'mentions'>): FindMention {
  const isExact = mentions.caseSensitive;
  const handles = participants.map(({ id, handle }) => ({ id, name: fold(handle), isExact: false }));
  const names = participants.map(({ id, displayName }) => ({
    ...{ id, isExact },
    name: isExact ? composed(displayName).text : fold(composed(displayName).text),
  }));
  const candidates = [...handles, ...names]
    .filter(({ name }) => name !== '')
    .sort((a, b) => b.name.length - a.name.length);
  let known = { of: '', folded: '', end: -1, ...composed('') };
  return (original, index) => {
    if (known.of !== original) {
      const whole = composed(original.replace(ADDRESSES, (address) => '\0'.repeat(address.length)));
      known = { of: original, folded: fold(whole.text), end: -1, ...whole };
    }
    const { text: plain, folded } = known;
    const at = known.fromOriginal(index);
    // A slash may stand between two mentions.
    const follows = plain[at - 1] === '/' && at - 1 === known.end;
    if (plain[at] !== '@' || (!follows && !isFree(plain, at))) return undefined;
    const found = candidates.find(({ name, isExact: exact }) => fits(exact ? plain : folded, name, at + 1));
    if (found === undefined) return undefined;
    known.end = at + 1 + found.name.length;
    return { end: known.toOriginal(known.end), participantId: found.id };
  };
}

interface Composed {
  readonly text: string;
  readonly toOriginal: (at: number) => number;
  readonly fromOriginal: (at: number) => number;
}

/** The text with its letters and accents composed (NFC), and positions from and to the original. */
function composed(text: string): Composed {
  // All characters before U+0300 are composed.
  if (!/[^\0-\u02ff]/.test(text)) return { text, toOriginal: (at) => at, fromOriginal: (at) => at };
  const origins: number[] = [];
  let result = '';
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const whole = piece.normalize('NFC');
    for (let n = 0; n < whole.length; n++) origins.push(index + Math.min(n, piece.length));
    result += whole;
  }
  const places = new Map(origins.map((origin, n) => [origin, n]));
  return {
    text: result,
    toOriginal: (at) => origins[at] ?? text.length,
    fromOriginal: (at) => places.get(at) ?? result.length,
  };
}

function fits(text: string, name: string, at: number): boolean {
  AFTER.lastIndex = at + name.length;
  return text.startsWith(name, at) && !AFTER.test(text);
}

/** The text in small letters, of the same length. Kinds of spaces are one. */
function fold(text: string): string {
  const small = text.replace(/[\p{Lu}\p{Lt}]/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });
  return small.replace(/[^\S\r\n]/g, ' ');
}

/** A mention that somebody is typing: where its `@` stands, and what follows up to the cursor. */
export interface Typed {
  readonly at: number;
  readonly query: string;
}

/** Longest part of a name after the `@` that still offers names. */
const MAX_QUERY = 60;

/** The mention before the cursor; undefined where there is none. */
export function typedMention(text: string, cursor: number): Typed | undefined {
  const from = Math.max(0, cursor - MAX_QUERY);
  const at = text.lastIndexOf('@', cursor - 1);
  if (at < from || !isFree(text, at)) return undefined;
  const query = text.slice(at + 1, cursor);
  return /[\n@]|^\s|\s\s/.test(query) ? undefined : { at, query };
}

/** The participants whose name, handle or one of whose words begins with what was typed. */
export function matching<P extends Named>(participants: readonly P[], query: string): readonly P[] {
  const wanted = query.normalize('NFC').toLowerCase();
  return participants.filter(({ displayName, handle }) => {
    const name = displayName.normalize('NFC').toLowerCase();
    return [name, handle, ...name.split(/\s+/)].some((word) => word.startsWith(wanted));
  });
}

/** How a participant is mentioned: by name, or by handle where another one has the same name. */
export function mentionOf(participant: Named, all: readonly Named[]): string {
  const name = participant.displayName;
  const isTaken = all.some(
    ({ id, displayName }) => id !== participant.id && displayName.toLowerCase() === name.toLowerCase(),
  );
  return `@${isTaken || /[@\n]/.test(name) ? participant.handle : name}`;
}
