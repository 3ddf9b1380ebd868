// The viewer has the same rules (ui/widget/visible.ts), since it shares no code with the engine; a test compares both.

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
/** Controls, changes of direction (U+202A–202E, U+2066–2069, marks), zero-width characters, fillers, tags, separators. */
const HIDDEN = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{DI}\\ufff9-\\ufffb]';
let pattern: RegExp | undefined;
/** Made when it is first used: with all these scripts that takes longer than most commands print, and most texts need none of it. */
const patternOf = () => (pattern ??= new RegExp(`${NEEDED.join('|')}|(${HIDDEN})`, 'gu'));
/** ASCII without controls: nothing in it is hidden. */
const PRINTED = /^[\x20-\x7e]*$/;
const PRINTED_LINES = /^[\x20-\x7e\n\t]*$/;
const ANY_HIDDEN = new RegExp(HIDDEN.replace('\\p{Cc}', '\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f'), 'u');

/**
 * `text` with every character that is not seen written as `\u202e`, so that a file name, a sender or a subject of others
 * shows what it contains and cannot control a terminal. `except`: characters that stay. The result is unchanged JSON text if
 * `text` is JSON text.
 */
export function visible(text: string, except = ''): string {
  const printed = except.includes('\n') && except.includes('\t') ? PRINTED_LINES : PRINTED;
  if (printed.test(text)) return text;
  return text.replace(patternOf(), (found: string, hidden: string | undefined) =>
    hidden === undefined || except.includes(hidden) ? found : escapeUnits(hidden),
  );
}

/** `text` without the characters that are not seen; line feeds and tabs stay. */
export function withoutHidden(text: string): string {
  if (!ANY_HIDDEN.test(text)) return text;
  return text.replace(patternOf(), (found: string, hidden: string | undefined) =>
    hidden === undefined || hidden === '\n' || hidden === '\t' ? found : '',
  );
}

/** `\u202e`; two units for a character beyond U+FFFF, as JSON writes it. */
function escapeUnits(char: string): string {
  return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
