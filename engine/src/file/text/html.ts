import { compile, type FormatCallback } from 'html-to-text';
import { limitDepth } from '../../mail/html/limit-depth.ts';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
/** Longer HTML is cut: markup is several times longer than its text. */
const MAX_HTML_CHARACTERS = 8_000_000;

const cell: FormatCallback = (element, walk, builder) => {
  builder.addInline('| ');
  walk(element.children, builder);
  builder.addInline(' ');
};

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline(`${'#'.repeat(Number(element.name?.[1] ?? 1))} `);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML_CHARACTERS },
  formatters: { cell, heading },
  baseElements: { selectors: ['body'], returnDomByDefault: true },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ...['img', 'style', 'script', 'title', 'noscript', 'template'].map((selector) => ({ selector, format: 'skip' })),
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    ...HEADINGS.map((selector) => ({ selector, format: 'heading' })),
  ],
});

/** The text of an HTML document: headings begin with `#`, links have their addresses. `isCut` where it is longer than is read. */
export function readHtml(html: string): { readonly text: string; readonly isCut: boolean } {
  const start = html.slice(0, MAX_HTML_CHARACTERS);
  const isCut = html.length > start.length;
  return { text: convert(limitDepth(start).slice(0, MAX_HTML_CHARACTERS)).trim(), isCut };
}
