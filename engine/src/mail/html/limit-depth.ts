/** Deepest nesting of elements that parsers and browsers get. Real mails stay below 100. */
export const MAX_DEPTH = 256;

/** Deepest nesting of indenting elements: the text has each level on every line. */
const MAX_INDENT = 24;
const INDENTS = new Set(['ul', 'ol', 'menu', 'dir', 'dl', 'blockquote']);

/** Elements that have no end tag (HTML Living Standard 13.1.2). */
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);

/** Elements whose end tag is optional, with the open elements that they close. */
const CLOSES: Readonly<Record<string, readonly string[]>> = {
  p: ['p'],
  li: ['li', 'p'],
  dt: ['dt', 'dd', 'p'],
  dd: ['dt', 'dd', 'p'],
  option: ['option'],
  td: ['td', 'th', 'p'],
  th: ['td', 'th', 'p'],
  tr: ['td', 'th', 'tr', 'p'],
};

/**
 * Replaces elements nested deeper than `MAX_DEPTH` by line breaks. The HTML parser of html-to-text and sanitize-html
 * needs quadratic time in the depth: 2 MB of `<div>` took 55 s. This pass is linear. It may count too deep on invalid
 * markup, which costs layout and never text.
 */
export function limitDepth(html: string): string {
  const open: string[] = [];
  const indent = () => open.reduce((count, name) => count + (INDENTS.has(name) ? 1 : 0), 0);
  return html.replace(/<(\/?)([a-z][a-z0-9:-]*)/gi, (tag, slash: string, rawName: string) => {
    const name = rawName.toLowerCase();
    if (slash !== '') {
      const place = open.lastIndexOf(name);
      if (place >= 0) open.length = place;
      return tag;
    }
    if (VOID.has(name)) return tag;
    const closed = CLOSES[name];
    if (closed !== undefined) while (closed.includes(open.at(-1) ?? '')) open.pop();
    if (open.length >= MAX_DEPTH || (INDENTS.has(name) && indent() >= MAX_INDENT)) return '<br';
    open.push(name);
    return tag;
  });
}
