import { addressParser, decodeWords } from 'postal-mime';
import { sha256 } from '../../base/json.ts';
import { decodeBody } from './transfer-encoding.ts';
import type { Attachment } from '../mail.ts';
import { type Part, readParts } from './mime.ts';
import { READABLE_CHARS, htmlToText } from '../html/html-to-text.ts';
import { textToHtml } from '../html/text-to-html.ts';

/** Longest text and longest HTML that are stored, in bytes each; the raw mail has the rest. */
export const MAX_TEXT_BYTES = 2 * 1024 * 1024;

/** Deepest nesting of forwarded messages; deeper ones are attachments. */
const MAX_FORWARDS = 10;

export interface ParsedBody {
  readonly text: string;
  readonly html: string;
  readonly bodyText: string;
  /** Attachments in the order of the mail; `part` has the bytes. */
  readonly files: readonly { readonly part: Part; readonly name: string; readonly isInline: boolean }[];
  readonly notes: readonly string[];
}

/** One body, the alternatives of one `multipart/alternative`, or a forwarded message as text. */
interface Unit {
  readonly plain: string[];
  readonly html: string[];
  readonly forwarded?: string;
}

interface Collector {
  readonly units: Unit[];
  readonly files: { part: Part; name: string; isInline: boolean }[];
  readonly notes: Set<string>;
  readonly left: { plain: number; html: number };
  readonly keepsMessages: boolean;
  readonly forwards: number;
}

/**
 * Sorts the leaves of a mail into its text, its HTML and its attachments (RFC 2046 5.1, RFC 2183). A message inside the
 * mail that is not marked as an attachment counts as forwarded: its attachments become the mail's, and its text becomes
 * part of `bodyText` alone. In a delivery or abuse report the message is evidence and stays an attachment (RFC 3464,
 * 5965).
 */
export async function readBody(root: Part, forwards = 0): Promise<ParsedBody> {
  const collector: Collector = {
    units: [],
    files: [],
    notes: new Set(),
    left: { plain: MAX_TEXT_BYTES, html: MAX_TEXT_BYTES },
    keepsMessages: forwards >= MAX_FORWARDS || isReport(root),
    forwards,
  };
  await collect(root, undefined, false, collector);
  const { units } = collector;
  const hasHtml = units.some((unit) => unit.html.length > 0);
  return {
    text: units.flatMap((unit) => unit.plain).join('\n'),
    html: hasHtml
      ? units.map((unit) => (unit.html.length > 0 ? unit.html : unit.plain.map(textToHtml)).join('\n')).join('\n')
      : '',
    bodyText: readable(units),
    files: collector.files,
    notes: [...collector.notes],
  };
}

function readable(units: readonly Unit[]): string {
  let text = '';
  for (const unit of units) {
    const plain = unit.plain.join('\n');
    const part =
      unit.forwarded ?? (plain.trim() === '' && unit.html.length > 0 ? htmlToText(unit.html.join('\n')) : plain);
    if (part.trim() === '') continue;
    text += (text === '' ? '' : '\n') + part;
    if (text.length >= READABLE_CHARS) break;
  }
  return text.slice(0, READABLE_CHARS);
}

async function collect(part: Part, alternative: Unit | undefined, isRelated: boolean, into: Collector): Promise<void> {
  if (part.multipart !== false) {
    if (part.multipart === 'alternative') into.units.push((alternative = { plain: [], html: [] }));
    for (const child of part.children)
      await collect(child, alternative, isRelated || part.multipart === 'related', into);
    return;
  }
  const { mimeType, disposition } = part;
  if (mimeType === 'message/rfc822' && !into.keepsMessages && (disposition === '' || disposition === 'inline')) {
    await collectForwarded(part, into);
  } else if ((mimeType === 'text/plain' || mimeType === 'text/html') && disposition !== 'attachment') {
    let unit = alternative;
    if (unit === undefined) into.units.push((unit = { plain: [], html: [] }));
    const kind = mimeType === 'text/html' ? 'html' : 'plain';
    const text = readText(part, kind, into);
    if (text !== '') unit[kind].push(text);
  } else if (part.headers.length > 0 || part.body.length > 0) {
    const name = part.dispositionParams.filename || part.params.name || '';
    into.files.push({
      part,
      name: decodeWords(name),
      isInline: disposition === 'inline' || (isRelated && part.contentId !== ''),
    });
  }
}

function readText(part: Part, kind: 'plain' | 'html', into: Collector): string {
  const { bytes, isCut } = decodeBody(part, into.left[kind]);
  into.left[kind] -= bytes.length;
  const text = part.text(bytes).replaceAll('\r\n', '\n');
  if (!isCut) return text;
  const what = kind === 'html' ? 'HTML' : 'text';
  const mark = `[Cut here: this ${what} has more than ${MAX_TEXT_BYTES / 1024 / 1024} MB. The mail itself is kept whole.]`;
  into.notes.add(`${what} beyond ${MAX_TEXT_BYTES / 1024 / 1024} MB was left out`);
  return kind === 'html' ? `${text}\n<p>${mark}</p>` : `${text}\n${mark}`;
}

async function collectForwarded(part: Part, into: Collector): Promise<void> {
  const tree = await readParts(decodeBody(part).bytes);
  const body = await readBody(tree.root, into.forwards + 1);
  const value = (key: string) => tree.root.headers.find((header) => header.key === key)?.value ?? '';
  const from = addressParser(value('from').slice(0, 1000), { flatten: true }).map((one) =>
    `${one.name} <${one.address}>`.trim(),
  );
  const head = [`From: ${from.join(', ')}`, `Subject: ${decodeWords(value('subject'))}`, `Date: ${value('date')}`];
  into.units.push({
    plain: [],
    html: [],
    forwarded: `--- Forwarded message ---\n${head.join('\n')}\n\n${body.bodyText}`,
  });
  into.files.push(...body.files);
  for (const note of [...tree.notes, ...body.notes]) into.notes.add(note);
}

function isReport(part: Part): boolean {
  if (part.mimeType === 'message/delivery-status' || part.mimeType === 'message/feedback-report') return true;
  return part.children.some(isReport);
}

/** Describes the attachments for lists. Decodes each once, for its size and hash. */
export function describeAttachments(files: ParsedBody['files']): Attachment[] {
  return files.map(({ part, name, isInline }, index) => {
    const { bytes } = decodeBody(part);
    return {
      index,
      name,
      mimeType: part.mimeType,
      size: bytes.length,
      sha256: sha256(bytes),
      contentId: bareId(part.contentId),
      inline: isInline,
    };
  });
}

/** A Content-ID without its angle brackets. */
export function bareId(contentId: string): string {
  return contentId.trim().replace(/^<|>$/g, '');
}
