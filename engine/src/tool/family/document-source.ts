import { EngineError } from '../../base/error.ts';
import type { EnvelopeKind } from '../../config/prompt/envelope.ts';
import type { DocumentText } from '../../file/document.ts';
import type { FileService } from '../../file/open-files.ts';
import type { Notebooks } from '../../file/notebook/notebooks.ts';
import { foldName, quoted } from '../../file/path-text.ts';
import { trustOfFiles } from '../../file/tainted-files.ts';
import { uploadDocument } from '../../file/upload/upload.ts';
import { listUploads, readUpload, readUploadBytes } from '../../file/upload/upload-store.ts';
import type { Attachment } from '../../mail/mail.ts';
import { mailOf, readMailRow, readRaw } from '../../mail/mail-store.ts';
import type { MailService } from '../../mail/send/mail-service.ts';
import type { Store } from '../../store/store.ts';
import type { Caller } from '../tool.ts';

/** `attachment:2/offer.pdf`: the third attachment of the mail of the run; its name may be left out. */
const ATTACHMENT = /^attachment:(\d{1,6})(?:\/(.*))?$/s;

/** `upload:1/offer.pdf`: the first file of the conversation; its name may be left out. */
const UPLOAD = /^upload:(\d{1,6})(?:\/(.*))?$/s;

/** A document with its text. */
export interface OpenDocument {
  readonly document: DocumentText;
  /** How the document tools name it. */
  readonly name: string;
  /** Set where strangers may have written the text: the kind of its envelope, and a mark that they cannot guess. */
  readonly envelope?: { readonly kind: EnvelopeKind; readonly mark: string };
  /** The part of a result that says the same. */
  readonly trust: { readonly trust?: 'untrusted' };
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

/** A document of the mail or of the question, as lists show it. */
interface ListedDocument {
  readonly document: string;
  readonly mimeType: string;
  readonly size: number;
}

/** The attachments of the mail of the run, and the files that a person attached, whose names `hasName` accepts. */
export async function attachedDocuments(
  { mailService, notebooks }: Pick<Sources, 'mailService' | 'notebooks'>,
  caller: Caller,
  hasName: (name: string) => boolean,
): Promise<{ readonly attachments?: readonly ListedDocument[]; readonly uploads?: readonly ListedDocument[] }> {
  const listed = (document: string, { mimeType, size }: Pick<ListedDocument, 'mimeType' | 'size'>) =>
    hasName(document) ? [{ document, mimeType, size }] : [];
  const ofMail = await runAttachments(mailService(), caller);
  const attachments = ofMail.flatMap((one) => listed(attachmentName(one), one));
  const ofQuestion = await listUploads(notebooks().store, caller);
  const uploads = ofQuestion.flatMap((one) => listed(uploadDocument(one), one));
  return { ...(attachments.length > 0 && { attachments }), ...(uploads.length > 0 && { uploads }) };
}

/** Where documents are. */
interface Sources {
  readonly files: FileService;
  readonly mailService: () => MailService;
  readonly notebooks: () => Pick<Notebooks, 'store'>;
}

function markOf(store: Pick<Store, 'lookupKey'>, { runId }: Caller, name: string): string {
  return store.lookupKey(`document\0${runId}\0${name}`);
}

/** Opens a document: a file below `virtualRoot`, an attachment of the mail of the run, or a file that a person attached. */
export async function openDocument(
  { files, mailService, notebooks }: Sources,
  name: string,
  caller: Caller,
  signal: AbortSignal | undefined,
): Promise<OpenDocument> {
  const upload = UPLOAD.exec(name);
  if (upload !== null)
    return openUpload({ files, store: notebooks().store }, Number(upload[1]), upload[2], caller, signal);
  const match = ATTACHMENT.exec(name);
  if (match === null) {
    const { facts, document } = await files.read(name, { signal });
    const trust = await trustOfFiles(notebooks().store, files.root(), [facts.path]);
    const envelope = trust.trust && {
      envelope: { kind: 'FILE', mark: markOf(notebooks().store, caller, facts.path) } as const,
    };
    return { name: facts.path, document, trust, ...envelope };
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
  const mark = markOf(store, caller, `${row.id}\0${index}`);
  return { name: attachmentName(found), document, envelope: { kind: 'FILE', mark }, trust: { trust: 'untrusted' } };
}

async function openUpload(
  { files, store }: { readonly files: FileService; readonly store: Store },
  number: number,
  wanted: string | undefined,
  caller: Caller,
  signal: AbortSignal | undefined,
): Promise<OpenDocument> {
  const uploads = await listUploads(store, caller);
  const found = uploads.find((one) => one.number === number);
  if (found === undefined || (wanted !== undefined && foldName(wanted) !== foldName(found.name)))
    throw new EngineError('NOT_FOUND', `no file ${quoted(`${number}/${wanted ?? ''}`)} is attached`, {
      hint: `attached: ${uploads.map(uploadDocument).join(', ') || 'none'}`,
    });
  const { facts } = await readUpload(store, found.id);
  const { name, mimeType, sha256 } = facts;
  const source = async () => ({ bytes: await readUploadBytes(store, found.id), name, mimeType });
  const document = await files.textOf(JSON.stringify(['upload', sha256, name, mimeType]), source, { signal });
  const mark = markOf(store, caller, found.id);
  return { name: uploadDocument(found), document, envelope: { kind: 'UPLOAD', mark }, trust: { trust: 'untrusted' } };
}
