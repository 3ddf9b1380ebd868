import { EngineError } from '../../base/error.ts';
import type { DocumentText } from '../../file/document.ts';
import type { FileService } from '../../file/open-files.ts';
import { foldName, quoted } from '../../file/path-text.ts';
import type { Attachment } from '../../mail/mail.ts';
import { mailOf, readMailRow, readRaw } from '../../mail/mail-store.ts';
import type { MailService } from '../../mail/send/mail-service.ts';
import type { Caller } from '../tool.ts';

/** `attachment:2/offer.pdf`: the third attachment of the mail of the run; its name may be left out. */
const ATTACHMENT = /^attachment:(\d{1,6})(?:\/(.*))?$/s;

/** A document with its text. */
export interface OpenDocument {
  readonly document: DocumentText;
  /** How the document tools name it. */
  readonly name: string;
  /** Set for an attachment: a mark that its sender cannot guess. */
  readonly mark?: string;
}

/** The name of an attachment for the document tools. */
export function attachmentName({ index, name }: Attachment): string {
  return name === '' ? `attachment:${index}` : `attachment:${index}/${name}`;
}

/** Attachments of the mail of the run, without images that stand in its text. */
export async function runAttachments(mailService: MailService, caller: Caller): Promise<readonly Attachment[]> {
  const row = caller.origin.email && (await readMailRow(mailService.store, caller.origin.email.id));
  if (row === undefined) return [];
  return mailOf(row).summary.attachments.filter(({ inline, mimeType }) => !inline || !mimeType.startsWith('image/'));
}

/** Opens a document: a file below `virtualRoot`, or an attachment of the mail of the run. */
export async function openDocument(
  { files, mailService }: { readonly files: FileService; readonly mailService: () => MailService },
  name: string,
  caller: Caller,
  signal: AbortSignal | undefined,
): Promise<OpenDocument> {
  const match = ATTACHMENT.exec(name);
  if (match === null) {
    const { facts, document } = await files.read(name, { signal });
    return { name: facts.path, document };
  }
  return openAttachment({ files, mailService: mailService() }, Number(match[1]), match[2], caller, signal);
}

async function openAttachment(
  { files, mailService }: { readonly files: FileService; readonly mailService: MailService },
  index: number,
  wanted: string | undefined,
  caller: Caller,
  signal: AbortSignal | undefined,
): Promise<OpenDocument> {
  const { store, workers } = mailService;
  const row = caller.origin.email && (await readMailRow(store, caller.origin.email.id));
  if (row === undefined) throw new EngineError('NOT_FOUND', 'this run has no mail, so it has no attachments');
  const { attachments } = mailOf(row).summary;
  const found = attachments.find((one) => one.index === index);
  if (found === undefined || (wanted !== undefined && foldName(wanted) !== foldName(found.name))) {
    const names = attachments.map(attachmentName).join(', ') || 'none';
    throw new EngineError('NOT_FOUND', `the mail has no attachment ${quoted(`${index}/${wanted ?? ''}`)}`, {
      hint: `its attachments: ${names}`,
    });
  }
  const key = JSON.stringify(['attachment', found.sha256, found.name, found.mimeType]);
  const source = async () => {
    const { bytes } = await workers.attachment(await readRaw(store, row.identity), index, { signal });
    return { bytes, name: found.name, mimeType: found.mimeType };
  };
  const document = await files.textOf(key, source, { signal });
  return { name: attachmentName(found), document, mark: store.lookupKey(`attachment\0${row.id}\0${index}`) };
}
