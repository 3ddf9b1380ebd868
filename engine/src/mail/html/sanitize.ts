import { Marked } from 'marked';
import sanitize from 'sanitize-html';
import { limitDepth } from './limit-depth.ts';
import { type InlineImage, MAX_IMAGE_BYTES, MAX_IMAGES_BYTES, RASTER_TYPES } from './safe-headers.ts';
import { textToHtml } from './text-to-html.ts';

export interface SafeHtmlRequest {
  /** Untrusted: the HTML of a mail, or of an item that an agent wrote. */
  readonly html: string;
  /** Allows images from https addresses ("load images", for one mail, once). */
  readonly images?: boolean;
  /** Images of the mail by Content-ID (no angle brackets), for `cid:` addresses. */
  readonly cid?: ReadonlyMap<string, InlineImage>;
}

/** Longer HTML is cut: a sanitiser needs time and memory for it. */
export const MAX_SAFE_HTML_CHARS = 2 * 1024 * 1024;

const TAGS = (
  'a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details ' +
  'dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu ' +
  'nav ol p pre q rp rt ruby s samp section small span strike strong style sub summary sup table tbody td tfoot th thead ' +
  'time tr tt u ul var wbr'
).split(' ');

const ATTRIBUTES = (
  'align alt bgcolor border cellpadding cellspacing char charoff clear color cols colspan compact datetime dir face ' +
  'frame headers height hspace lang nowrap rowspan rows rules scope shape size span start style summary title type valign ' +
  'value vspace width'
).split(' ');

/**
 * Start of every document: links open outside of its frame; default type where the document has no style of its own.
 */
const PREFIX =
  '<!doctype html><meta charset="utf-8"><base target="_blank">' +
  '<style>body{font:14px/1.55 system-ui,sans-serif;margin:18px;color:#1a1e25}td,th{vertical-align:top}</style>';

/** Markdown has no layout of its own: limits the line length, and draws lines around cells. */
const MARKDOWN_STYLE =
  '<style>body{max-width:72ch}table{border-collapse:collapse}td,th{border:1px solid #d5d9e0;padding:3px 9px}</style>';

/**
 * Sanitises HTML for a frame without scripts under the headers of `bodyHeaders`: a whole document that loads nothing
 * (with `images`, only https images). The headers are the first defence, this is the second: no script, form, link,
 * meta, base, frame, object, media, SVG or MathML, no srcset, background, ping or poster, no address but http(s),
 * mailto, tel and data: images, and no url() or @import in styles. Time is linear in the length.
 */
export function safeHtml({ html, images = false, cid = new Map() }: SafeHtmlRequest): string {
  const isCut = html.length > MAX_SAFE_HTML_CHARS;
  const source = limitDepth(html.slice(0, MAX_SAFE_HTML_CHARS));
  const budget = { left: MAX_IMAGES_BYTES };
  const clean = sanitize(source, {
    allowedTags: TAGS,
    allowedAttributes: { '*': ATTRIBUTES, 'a': ['href', 'name', 'rel', 'target'], 'img': ['src'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: images ? ['https', 'data'] : ['data'] },
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    // Styles are kept for the layout; the policy of the route stops them from loading anything.
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    disallowedTagsMode: 'discard',
    nonTextTags: [
      'script',
      'textarea',
      'option',
      'noscript',
      'title',
      'svg',
      'math',
      'xmp',
      'template',
      'iframe',
      'object',
    ],
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: safeStyle(attribs) }),
      'a': (tagName, attribs) => ({ tagName, attribs: safeLink(attribs) }),
      'img': (tagName, attribs) => ({ tagName, attribs: safeImage(attribs, images, cid, budget) }),
    },
  });
  // The sanitiser leaves style sheets unchanged. In its output `<style` is always the start of one.
  const styled = clean.replace(
    /(<style[^>]*>)([^]*?)(<\/style>)/g,
    (_, open: string, css: string, close: string) => open + safeCss(css) + close,
  );
  return `${PREFIX}${styled}${isCut ? '<p>[Cut here: the rest is too long to be shown.]</p>' : ''}`;
}

type Attributes = Record<string, string>;

function safeStyle(attribs: Attributes): Attributes {
  const { style, ...rest } = attribs;
  return style === undefined ? attribs : { ...rest, style: safeCss(style) };
}

/**
 * Removes everything from a style sheet that can name an address. Removes escapes first, since `u\72l(` is `url(` to a
 * browser.
 */
function safeCss(css: string): string {
  // A comment replaces removed text, so that the text around it never joins to a new keyword.
  return css
    .replace(/[\\<]/g, '')
    .replace(/@(?:import|namespace|font-face|charset)\b[^;{}]*;?/gi, '/**/')
    .replace(/(?:url|image-set|image|src|expression|cross-fade)\s*\(/gi, 'none(')
    .replace(/-moz-binding|behavior\s*:/gi, 'x-none:');
}

/** Removes relative addresses, which would lead to pages of Callsheet with the reader's session. */
function safeLink(attribs: Attributes): Attributes {
  const { href = '', ...rest } = safeStyle(attribs);
  const address = href.trim();
  const safe = { ...rest, target: '_blank', rel: 'noopener noreferrer' };
  return /^(?:https?:\/\/|mailto:|tel:)/i.test(address) ? { ...safe, href: address } : safe;
}

function safeImage(
  attribs: Attributes,
  images: boolean,
  cid: NonNullable<SafeHtmlRequest['cid']>,
  budget: { left: number },
): Attributes {
  const { src = '', ...rest } = safeStyle(attribs);
  const address = src.trim();
  if (/^cid:/i.test(address)) {
    const data = inlineImage(cid.get(decodeCid(address.slice(4))), budget);
    return data === undefined ? rest : { ...rest, src: data };
  }
  if (/^data:/i.test(address)) {
    const isRaster = /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[a-z0-9+/=\s]*$/i.test(
      address.slice(0, MAX_IMAGE_BYTES * 2),
    );
    return isRaster && address.length <= MAX_IMAGE_BYTES * 2 ? { ...rest, src: address } : rest;
  }
  return images && /^https:\/\//i.test(address) ? { ...rest, src: address } : rest;
}

function inlineImage(image: InlineImage | undefined, budget: { left: number }): string | undefined {
  if (image === undefined || !RASTER_TYPES.has(image.mimeType)) return undefined;
  const { bytes } = image;
  if (bytes.length > MAX_IMAGE_BYTES || bytes.length > budget.left) return undefined;
  budget.left -= bytes.length;
  return `data:${image.mimeType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')}`;
}

/** RFC 2392: the address is percent-encoded, the header is not. */
function decodeCid(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const markdown = new Marked({ gfm: true, breaks: true, async: false });

/**
 * Markdown as safe HTML. marked leaves `<script>` and `javascript:` unchanged, so its output is as untrusted as its
 * input.
 */
export function safeMarkdown(text: string, options: Pick<SafeHtmlRequest, 'images'> = {}): string {
  const html = safeHtml({ html: htmlOfMarkdown(text.slice(0, MAX_SAFE_HTML_CHARS)), ...options });
  return PREFIX + MARKDOWN_STYLE + html.slice(PREFIX.length);
}

function htmlOfMarkdown(text: string): string {
  try {
    return markdown.parse(text, { async: false });
  } catch {
    // marked parses nested quotes and lists by recursion; thousands of levels overflow its stack.
    return textToHtml(text);
  }
}
