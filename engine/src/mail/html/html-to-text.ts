import { compile, type FormatCallback } from 'html-to-text';
import { limitDepth } from './limit-depth.ts';

/** Most characters of a mail's readable text that are stored, and that filters read. */
export const READABLE_CHARS = 256 * 1024;

/** Longer HTML is cut: markup is several times longer than its text, and conversion takes time. */
const MAX_HTML_CHARS = 1024 * 1024;

/** Adds a blank after each cell, so that the words of adjacent cells of a layout table stay apart. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' ');
};

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML_CHARS },
  formatters: { cell },
  baseElements: { selectors: ['body'], returnDomByDefault: true },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    { selector: 'img', format: 'skip' },
    { selector: 'style', format: 'skip' },
    { selector: 'script', format: 'skip' },
    { selector: 'title', format: 'skip' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/**
 * The text of an HTML part, links with their addresses. Never throws; where the converter fails, the tags are removed.
 */
export function htmlToText(html: string): string {
  const start = html.slice(0, MAX_HTML_CHARS);
  try {
    return convert(limitDepth(start).slice(0, MAX_HTML_CHARS)).trim();
  } catch {
    return start
      .replace(/<[^<>]*>/g, ' ')
      .replace(/[ \t]+/g, ' ')
      .trim();
  }
}

/** Characters of a snippet, and of a text in which it looks for them: the first ones are enough unless most are white space. */
const SNIPPET_CHARS = 200;
const SNIPPET_FROM = [400, 4000] as const;

/** First 200 characters with white space folded; never ends in half a character. */
export function snippetOf(text: string): string {
  const [few, all] = SNIPPET_FROM;
  const start = fold(text.slice(0, few));
  const folded = start.length >= SNIPPET_CHARS || text.length <= few ? start : fold(text.slice(0, all));
  return folded
    .slice(0, SNIPPET_CHARS)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trimEnd();
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
