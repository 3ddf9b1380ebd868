import { html } from 'htm/preact';

// The server has the same rules for terminals (engine/src/base/visible.ts); a test compares both.

/** Flags of England, Scotland and Wales: the only emoji with tag characters. */
const FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u;
/** Scripts in which a joiner changes the form of the letters beside it. */
const JOINING =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mong}';
/** Invisible characters where emoji and scripts need them: joiners and variation selectors. */
const NEEDED = [
  FLAG.source,
  '(?<=[\\p{ExtPict}\\p{EMod}]\\ufe0f?)\\u200d(?=\\p{ExtPict})',
  `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
  '(?<=(?![0-9#*])\\p{Emoji})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=[\\p{sc=Han}\\p{Sm}])[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{sc=Mong})[\\u180b-\\u180f]',
];
/** Controls, changes of direction, zero-width characters, fillers, tags; line breaks and tabs stay. */
const HIDDEN = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{DI}\\ufff9-\\ufffb]';
const PATTERN = new RegExp(`${NEEDED.join('|')}|[\\t\\n\\r]|(${HIDDEN})`, 'gu');

/** Most marks in one text. Later ones are plain text, so that a text of thousands does not cost thousands of elements. */
const MAX_MARKS = 20;

/** One or more hidden characters in a row. */
interface Hidden {
  readonly hidden: string;
}

/** A text cut at its hidden characters. Right-to-left text and emoji stay as they are. */
export function partsOf(text: string): readonly (string | Hidden)[] {
  const parts: (string | Hidden)[] = [];
  let from = 0;
  let marks = 0;
  for (const { 0: found, 1: hidden, index } of text.matchAll(PATTERN)) {
    if (hidden === undefined) continue;
    const last = parts.at(-1);
    if (index === from && typeof last === 'object') parts[parts.length - 1] = { hidden: last.hidden + found };
    else if (marks === MAX_MARKS) return [...parts, visible(text.slice(from))];
    else {
      if (index > from) parts.push(text.slice(from, index));
      parts.push({ hidden: found });
      marks++;
    }
    from = index + found.length;
  }
  return from < text.length ? [...parts, text.slice(from)] : parts;
}

/** A text with its hidden characters escaped as in JSON, `\u202e`: for attributes, tooltips and text fields. */
export function visible(text: string): string {
  return text.replace(PATTERN, (found: string, hidden: string | undefined) =>
    hidden === undefined ? found : [...Array(found.length).keys()].map((i) => escapeOf(found.charCodeAt(i))).join(''),
  );
}

const escapeOf = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`;

/** `U+202E`, and the number of characters when there are several in a row: `U+200B ×40`. */
function markOf(hidden: string): string {
  const [first = '', ...more] = hidden;
  const code = `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return more.length === 0 ? code : `${code} ×${more.length + 1}`;
}

/**
 * A text of others on one line: a sender, a subject, a file name, a label. Hidden characters are shown as marks and have no
 * effect; the text keeps its own direction and does not turn the text around it.
 */
export function Shown({ text }: { text: string }) {
  return html`<bdi><${Marks} text=${text} /></bdi>`;
}

/** A part of a running text of others, with its hidden characters as marks. The element around it isolates its direction. */
export function Marks({ text }: { text: string }) {
  return partsOf(text).map((part, i) =>
    typeof part === 'string'
      ? part
      : html`<span key=${i} class="mark" title="A hidden character of this text">${markOf(part.hidden)}</span>`,
  );
}
