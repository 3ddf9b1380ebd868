/**
 * Characters that a terminal or a browser interprets or does not draw: controls, changes of direction (U+202A–202E,
 * U+2066–2069, marks), zero-width characters, tags, fillers, and line separators. Variation selectors stay, since emoji
 * need them.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const VARIATION = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
/** Joiners are part of words and emoji, where they stand between two characters that are not ASCII. */
const JOINED = /[^\p{ASCII}\p{Default_Ignorable_Code_Point}][\ufe00-\ufe0f]?$/u;
const JOINS = /^[^\p{ASCII}\p{Default_Ignorable_Code_Point}]/u;

/**
 * `text` with every character that is not seen written as `\u202e`, so that a file name, a sender or a subject of others
 * shows what it contains and cannot control a terminal. `except`: characters that stay. The result is unchanged JSON text if
 * `text` is JSON text.
 */
export function visible(text: string, except = ''): string {
  return text.replace(HIDDEN, (char, at: number) => {
    if (except.includes(char) || VARIATION.test(char)) return char;
    if (char === '\u200c' || char === '\u200d') {
      const isJoiner = JOINED.test(text.slice(Math.max(0, at - 3), at)) && JOINS.test(text.slice(at + 1, at + 3));
      if (isJoiner) return char;
    }
    return escapeUnits(char);
  });
}

/** `\u202e`; two units for a character beyond U+FFFF, as JSON writes it. */
function escapeUnits(char: string): string {
  return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
