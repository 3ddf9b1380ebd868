/** End of a style sheet in HTML. */
const STYLE_END = /<\/style/gi;

/** Markdown is only read as far as its beginning needs. */
const MARKDOWN_CHARS = 8 * 1024;

/** The first `max` characters of an item's text, without its markup. Always plain text, never parsed as HTML. */
export function plainText(data: string, mimeType: string, max: number): string {
  return textOf(data, mimeType, max).trim().slice(0, max);
}

/** A text on one line without the signs of Markdown around words: `**Calm.** Why` is `Calm. Why`, `2 * 3` stays. */
export function withoutEmphasis(text: string): string {
  return text.replace(/(\*\*|\*|`)(?=\S)([^*`\n]+)(?<=\S)\1/g, '$2');
}

function textOf(data: string, mimeType: string, max: number): string {
  if (mimeType.startsWith('text/html')) return textOfHtml(data, max);
  if (mimeType.startsWith('text/calendar')) return titlesIn(data);
  if (mimeType.startsWith('text/markdown'))
    return data.slice(0, MARKDOWN_CHARS).replace(/^[#>\s]+|^\s*[-*] |[*`]+/gm, '');
  return data;
}

/** HTML without tags and style sheets. Reads each character once, and no further than `max` characters of text. */
function textOfHtml(data: string, max: number): string {
  let text = '';
  for (let at = 0; at < data.length && text.length <= max;) {
    const open = data.indexOf('<', at);
    if (open < 0) return text + data.slice(at, at + max);
    text = joined(text, data.slice(at, Math.min(open, at + max)));
    STYLE_END.lastIndex = open;
    const isStyle = /^<style[\s>]/i.test(data.slice(open, open + 7));
    const from = isStyle ? (STYLE_END.exec(data)?.index ?? -1) : open;
    const close = from < 0 ? -1 : data.indexOf('>', from);
    if (close < 0) break;
    at = close + 1;
  }
  return text;
}

/** Two pieces of text with one space where the tag between them was. */
function joined(text: string, more: string): string {
  if (more.trim() === '') return text;
  return text === '' ? more.trimStart() : `${text.trimEnd()} ${more.trimStart()}`;
}

/** The titles of the events in a calendar file, one per line. */
function titlesIn(data: string): string {
  const found = data.replace(/\r?\n[ \t]/g, '').matchAll(/^SUMMARY(?:;[^:\r\n]*)?:(.*)$/gim);
  return Array.from(found, ([, title = '']) => title.replace(/\\([,;\\])/g, '$1').trim()).join('\n');
}
