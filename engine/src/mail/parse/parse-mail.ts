import { sha256 } from '../../base/json.ts';
import { bareId, describeAttachments, readBody } from './body.ts';
import { decodeBody } from './transfer-encoding.ts';
import { listHeaders, readHeaders } from './header.ts';
import { labelHeaders } from './label-headers.ts';
import type { Attachment, MailContent, MailFacts, MailSummary } from '../mail.ts';
import { readParts } from './mime.ts';
import { snippetOf } from '../html/html-to-text.ts';
import { namesRemoteImages } from '../html/remote-images.ts';
import { type InlineImage, MAX_IMAGE_BYTES, RASTER_TYPES } from '../html/safe-headers.ts';

export interface ReadMail {
  readonly summary: MailSummary;
  readonly content: MailContent;
  /** What a limit left out, in plain words. */
  readonly notes: readonly string[];
}

/**
 * Parses raw MIME. Runs synchronously for milliseconds to seconds: call it in a worker. Never throws, whatever the mail
 * contains.
 */
export async function readMail(raw: Uint8Array, facts: MailFacts): Promise<ReadMail> {
  const { root, notes } = await readParts(raw);
  const head = readHeaders(root);
  const body = await readBody(root);
  const own = new Set(facts.ownAddresses.map((address) => address.toLowerCase()));
  const summary: MailSummary = {
    id: facts.id,
    accountId: facts.accountId,
    ...head,
    threadId: facts.threadId ?? head.references[0] ?? (head.inReplyTo || head.messageId || facts.id),
    labels: [...new Set([...facts.labels, ...(facts.readsLabelHeaders ? labelHeaders(root) : [])])],
    attachments: describeAttachments(body.files),
    own: head.from.some(({ address }) => own.has(address.toLowerCase())),
    snippet: snippetOf(body.bodyText),
    receivedAt: facts.receivedAt,
  };
  const content: MailContent = {
    headers: listHeaders(root),
    text: body.text,
    html: body.html,
    bodyText: body.bodyText,
    remoteImages: namesRemoteImages(body.html),
  };
  return { summary, content, notes: [...notes, ...body.notes] };
}

/**
 * Parses a mail that was above a limit: the header block and the start of its body as text, no attachments. So the mail
 * is stored and routed all the same.
 */
export async function readMailLightly(raw: Uint8Array, facts: MailFacts): Promise<ReadMail> {
  const start = raw.subarray(0, 64 * 1024);
  const light = await readMail(start, facts);
  return { ...light, notes: ['parsing this mail takes too much time or memory; only its first 64 KB were read'] };
}

/** Bytes and description of an attachment by its index, or undefined where there is none. */
export async function readAttachment(
  raw: Uint8Array,
  index: number,
): Promise<{ meta: Attachment; bytes: Uint8Array } | undefined> {
  const { files } = await readBody((await readParts(raw)).root);
  const file = files[index];
  const meta = file && describeAttachments([file])[0];
  return meta && { meta: { ...meta, index }, bytes: decodeBody(file.part).bytes };
}

/** The raster images of a mail by their Content-ID: the targets of `cid:` addresses in its HTML (RFC 2392). */
export async function readInlineImages(raw: Uint8Array): Promise<ReadonlyMap<string, InlineImage>> {
  const { files } = await readBody((await readParts(raw)).root);
  const images = new Map<string, InlineImage>();
  for (const { part } of files) {
    const id = bareId(part.contentId);
    if (id === '' || images.has(id) || !RASTER_TYPES.has(part.mimeType)) continue;
    images.set(id, { mimeType: part.mimeType, bytes: decodeBody(part, MAX_IMAGE_BYTES + 1).bytes });
  }
  return images;
}

/** Hex SHA-256 of the raw bytes: the identity of a mail in a folder. */
export function identityOf(raw: Uint8Array): string {
  return sha256(raw);
}
