import { domainToASCII } from 'node:url';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import type { Address } from '../mail.ts';
import type { OutgoingFile, Outgoing } from '../mailbox.ts';
import { oneLine } from './addresses.ts';

/** A complete mail before it is encoded. Addresses are as returned by `wireAddress`. */
export interface Letter {
  /** Address of the account. */
  readonly from: string;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  /** One line. */
  readonly subject: string;
  /** The whole text, with signature and quotation. */
  readonly text: string;
  /** The whole HTML, sanitised. */
  readonly html?: string | undefined;
  /** With angle brackets. */
  readonly inReplyTo?: string | undefined;
  readonly references: readonly string[];
  readonly attachments: readonly OutgoingFile[];
  /** The provider's thread of the mail; undefined where it is no reply. */
  readonly threadId?: string | undefined;
}

/** Values chosen before the first attempt, the same for all attempts. */
export interface MailStamp {
  /** With angle brackets. */
  readonly messageId: string;
  /** The Date header, in epoch milliseconds. */
  readonly atMs: number;
  /** No person wrote or approved the mail: it says so in a header (RFC 3834 5), so that programs do not reply to it. */
  readonly isAutomatic: boolean;
  /** A draft keeps its Bcc header for the person who sends it. */
  readonly isDraft: boolean;
}

/** Most providers refuse larger mails. */
const MAX_BYTES = 25 * 1024 * 1024;

/** The Message-ID of the mail with this key: the same for every attempt, and different from all others. */
export function messageIdOf(key: string, accountAddress: string): string {
  const domain = domainToASCII(accountAddress.slice(accountAddress.lastIndexOf('@') + 1));
  return `<callsheet.${sha256(`message ${key}`).slice(0, 40)}@${domain === '' ? 'callsheet.invalid' : domain}>`;
}

/** Encodes a mail as RFC 5322 bytes. `TOO_LARGE` above 25 MB. */
export async function compose(letter: Letter, stamp: MailStamp): Promise<Outgoing> {
  const { from, to, cc, bcc, text, html, attachments, threadId } = letter;
  const size = attachments.reduce((sum, { bytes }) => sum + bytes.byteLength, text.length + (html?.length ?? 0));
  // Base64 encodes three bytes as four.
  if ((size * 4) / 3 > MAX_BYTES) throw tooLarge();
  const files = attachments.map(namedSafely);
  const mime = await build(letter, stamp, files);
  if (mime.byteLength > MAX_BYTES) throw tooLarge();
  return {
    mime,
    messageId: stamp.messageId,
    from,
    to: [...to, ...cc, ...bcc].map(({ address }) => address),
    ...(threadId !== undefined && { threadId }),
    ...(files.length > 0 && {
      withoutFiles: async (messageId) => ({ mime: await build(letter, { ...stamp, messageId }, []), files }),
    }),
  };
}

async function build(letter: Letter, stamp: MailStamp, files: readonly OutgoingFile[]): Promise<Buffer> {
  const { from, to, cc, bcc, subject, text, html, inReplyTo, references, threadId } = letter;
  // Loads nodemailer at first use.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const node = new MailComposer({
    from: { name: '', address: from },
    to: to.map(writable),
    cc: cc.map(writable),
    bcc: bcc.map(writable),
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(references.length > 0 && { references: [...references] }),
    messageId: stamp.messageId,
    date: new Date(stamp.atMs),
    ...(stamp.isAutomatic && {
      headers: { 'Auto-Submitted': threadId === undefined ? 'auto-generated' : 'auto-replied' },
    }),
    attachments: files.map(attached),
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  if (stamp.isDraft) node.keepBcc = true;
  return node.build();
}

const writable = ({ name, address }: Address) => ({ name: oneLine(name), address });

function namedSafely({ name, mimeType, bytes }: OutgoingFile): OutgoingFile {
  const isType = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/i.test(mimeType);
  return {
    name: oneLine(name).replace(/[/\\]/g, '_').slice(0, 200) || 'attachment',
    mimeType: isType ? mimeType.toLowerCase() : 'application/octet-stream',
    bytes,
  };
}

function attached({ name, mimeType, bytes }: OutgoingFile) {
  return {
    filename: name,
    contentType: mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType,
    contentDisposition: 'attachment',
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}

function tooLarge(): EngineError {
  return new EngineError('TOO_LARGE', `the mail has more than ${MAX_BYTES / 1024 / 1024} MB`, {
    hint: 'Leave attachments out, or send a link to them.',
  });
}
