import { html } from 'htm/preact';

/** Texts up to this length are one piece. */
const WHOLE_CHARS = 32 * 1024;
const PIECE_CHARS = 8 * 1024;

/**
 * Text as it is, in a `pre`. The browser lays out only the visible pieces of a long one: the layout of 2 MB at once
 * would hold the page for half a second.
 */
export function LongText({ text, className }: { text: string; className?: string }) {
  const pieces = piecesOf(text);
  if (pieces.length === 1) return html`<pre class=${className}>${text}</pre>`;
  return html`<pre class=${className}>
${pieces.map((piece, i) => html`<span key=${i} class="piece">${piece}</span>`)}</pre>`;
}

/** Cuts a long text after lines, or within a line that is longer than a piece. A line break at a cut is left out. */
export function piecesOf(text: string): readonly string[] {
  if (text.length <= WHOLE_CHARS) return [text];
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const limit = from + PIECE_CHARS;
    // Searches only the piece: from the limit back, a text without line breaks would be read once for each piece.
    const line = limit >= text.length ? -1 : text.slice(from, limit).lastIndexOf('\n');
    const end = line > 0 ? from + line : limit + (isHighSurrogate(text, limit - 1) ? 1 : 0);
    pieces.push(text.slice(from, end));
    from = line > 0 ? end + 1 : end;
  }
  return pieces;
}

/** Whether the character at this index is the first half of a pair, which must not be cut. */
function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}
