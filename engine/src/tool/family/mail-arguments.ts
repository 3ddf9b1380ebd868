import { EngineError } from '../../base/error.ts';
import type { Account } from '../../config/config.ts';
import type { OutgoingFile } from '../../mail/mailbox.ts';
import type { Address, Mail } from '../../mail/mail.ts';
import { threadKey } from '../../mail/mail-store.ts';
import {
  expectAllowed,
  type WriteRequest,
  readStoredMail,
  mailInAccount,
  type MailService,
  runKeyOf,
} from '../../mail/send/mail-service.ts';
import { readAddresses } from '../../mail/send/addresses.ts';
import { type LetterInput, recipientsOf } from '../../mail/send/reply.ts';
import type { Reader } from '../../store/store.ts';
import type { WorkspaceItem } from '../../workspace/item.ts';
import { readItem } from '../../workspace/items.ts';
import type { Caller } from '../tool.ts';

/** Arguments that name a mail: by `emailId` where it was fetched, else by `ref`, within `accountId`. */
export interface MailArguments {
  readonly accountId?: string;
  readonly emailId?: string;
  readonly ref?: string;
}

/** Arguments of `mail_draft` and `mail_send`. */
export interface WriteArguments extends MailArguments, LetterInput {
  /** Ids of workspace items. */
  readonly attachments?: readonly string[];
  /** Message-ID of the draft of the mail. */
  readonly draft?: string;
}

/** A mail that a call names. */
export interface NamedMail {
  readonly account: Account;
  readonly mail: Mail;
  /** Its name in the mailbox; undefined for a fetched mail, which must be found there first. */
  readonly ref?: string;
  readonly providerId?: string;
  /** The mailbox holds it as sent; unknown for a fetched mail. */
  readonly isSent?: boolean;
}

/** File name endings by MIME type, for labels without an ending. */
const ENDINGS: Readonly<Record<string, string>> = {
  'text/plain': '.txt',
  'text/markdown': '.md',
  'text/html': '.html',
  'text/csv': '.csv',
  'text/calendar': '.ics',
  'application/json': '.json',
  'application/pdf': '.pdf',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
};

/**
 * The account of a call: the one it names, else that of the run's mail, else the only one there is. `TOOL_ARGUMENTS` where there
 * is none, or the director may not use it.
 */
export async function accountOf(
  mailService: MailService,
  { accountId }: Pick<MailArguments, 'accountId'>,
  caller: Caller,
): Promise<Account> {
  const usable = await usableAccounts(mailService, caller);
  const id =
    accountId ??
    (await runMail(mailService, caller))?.accountId ??
    (usable.size === 1 ? [...usable.keys()][0] : undefined);
  const account = id === undefined ? undefined : usable.get(id);
  if (account !== undefined) return account;
  const names = [...usable.keys()].join(', ') || 'none';
  const what = id === undefined ? 'the call names no account' : `there is no account "${id}" for you to use`;
  throw new EngineError('TOOL_ARGUMENTS', what, { hint: `accountId is one of: ${names}` });
}

/** The mail of a call: by `emailId`, by `ref`, or the mail of the run. `NOT_FOUND`, `TOOL_ARGUMENTS`. */
export async function namedMail(
  mailService: MailService,
  args: MailArguments,
  caller: Caller,
  signal: AbortSignal | undefined,
): Promise<NamedMail> {
  const { emailId, ref } = args;
  if (ref !== undefined) {
    const account = await accountOf(mailService, args, caller);
    const { mail, entry } = await mailInAccount(mailService, account, await mailService.open(account), ref, { signal });
    return { account, mail, ref, isSent: entry.isSent === true };
  }
  const id = emailId ?? caller.origin.email?.id;
  if (id === undefined)
    throw new EngineError('TOOL_ARGUMENTS', 'the call names no mail, and this run has none', {
      hint: 'give ref, as mail_search returns it, or emailId',
    });
  const { providerId, ...mail } = await readStoredMail(mailService, id);
  return { account: await accountOf(mailService, { accountId: mail.accountId }, caller), mail, providerId };
}

/**
 * The request of a `mail_draft` or `mail_send` call: an answer, or a new mail where `to` has recipients. A follow-up of own mail answers
 * the copy that the mailbox holds as sent, and is none where there is no such copy.
 */
export async function writeRequestOf(
  mailService: MailService,
  args: WriteArguments,
  caller: Caller,
  signal: AbortSignal | undefined,
): Promise<WriteRequest> {
  const request = await readRequest(mailService, args, caller, signal);
  const { original, account } = request;
  if (request.followsUp !== true || original === undefined || args.ref !== undefined) return request;
  const { followsUp: _, ...plain } = request;
  const own = await sentCopy(mailService, account, original, signal);
  // The guards have judged the recipients of the stored mail: a copy that went to others is another mail.
  return own === undefined || !haveSameRecipients(own, original) ? plain : { ...request, original: own };
}

/**
 * As `writeRequestOf`, before the call: of the store alone, except by `ref`. A follow-up of own mail is taken for one, and only the call
 * itself finds out whether the mailbox holds that mail as sent.
 */
export function storedRequestOf(mailService: MailService, args: WriteArguments, caller: Caller): Promise<WriteRequest> {
  return readRequest(mailService, args, caller, undefined);
}

async function readRequest(
  mailService: MailService,
  args: WriteArguments,
  caller: Caller,
  signal: AbortSignal | undefined,
): Promise<WriteRequest> {
  const writing: LetterInput = args;
  const attachments = await outgoingFiles(mailService.store, caller.workspaceId, args.attachments);
  const isNew = (writing.to?.length ?? 0) > 0;
  if (isNew && (args.emailId !== undefined || args.ref !== undefined))
    throw new EngineError('TOOL_ARGUMENTS', '`to` is only for a new mail; an answer goes to the sender', {
      hint: 'leave `to` out, or emailId and ref; add others to an answer with `cc`',
    });
  if (!isNew) {
    if (writing.subject !== undefined && args.emailId === undefined && caller.origin.email === undefined)
      throw new EngineError(
        'TOOL_ARGUMENTS',
        'the call has no recipients: `to` is empty, and this run has no mail to answer',
      );
    const { account, mail, isSent } = await namedMail(mailService, args, caller, signal);
    // From alone does not make a mail the user's own: whoever forged it would choose the recipients.
    const followsUp = caller.followsUp === true && mail.own && isSent !== false;
    return { account, writing, original: mail, attachments, ...(followsUp && { followsUp }) };
  }
  const account = await accountOf(mailService, args, caller);
  return { account, writing, about: await runMail(mailService, caller), attachments };
}

/** The mail with this Message-ID that the mailbox holds as sent; undefined where it has none. */
async function sentCopy(
  mailService: MailService,
  account: Account,
  { messageId }: Mail,
  signal: AbortSignal | undefined,
): Promise<Mail | undefined> {
  if (messageId === '') return undefined;
  const mailbox = await mailService.open(account);
  const found = await mailbox.search({ messageId }, { limit: 10, signal });
  const copy = found.find(({ isSent }) => isSent === true);
  return copy && (await mailInAccount(mailService, account, mailbox, copy.ref, { signal })).mail;
}

function haveSameRecipients(a: Mail, b: Mail): boolean {
  const recipients = ({ to, cc }: Mail) =>
    JSON.stringify([to, cc].map((list) => list.map(({ address }) => address.toLowerCase()).sort()));
  return recipients(a) === recipients(b);
}

/**
 * Who gets the mail of a `mail_send` call, each as a bare address; a field without recipients is undefined. Undefined for an
 * answer to a mail that was never fetched: only the mailbox knows who wrote it. Errors as `storedRequestOf` and `writeReply`.
 */
export async function recipientsOfCall(
  mailService: MailService,
  args: WriteArguments,
  caller: Caller,
): Promise<Readonly<Record<'to' | 'cc' | 'bcc', readonly string[] | undefined>> | undefined> {
  const isNew = (args.to?.length ?? 0) > 0;
  if (!isNew && args.ref !== undefined) return undefined;
  const request = await storedRequestOf(mailService, { ...args, attachments: [] }, caller);
  // The same errors as those of the call, in the same order.
  expectAllowed(request);
  const { account, original } = request;
  const typed = (field: 'to' | 'cc' | 'bcc') => readAddresses(args[field] ?? [], field);
  const answered =
    original === undefined ? { to: typed('to'), cc: [] } : recipientsOf(original, [account.email], args.all ?? false);
  const bare = (list: readonly Address[]) => (list.length === 0 ? undefined : list.map(({ address }) => address));
  return { to: bare(answered.to), cc: bare([...answered.cc, ...typed('cc')]), bcc: bare(typed('bcc')) };
}

/** The key that counts sent mails: the thread of the answered mail or of the run's mail, else the run. */
export function threadSlotKeyOf(mailService: MailService, { original, about }: WriteRequest, caller: Caller): string {
  const mail = original ?? about;
  return mail === undefined
    ? runKeyOf(mailService, caller.runId)
    : threadKey(mailService.store, mail.accountId, mail.threadId);
}

/** Items of a workspace as files. `ITEM_NOT_FOUND`. */
export async function outgoingFiles(
  reader: Reader,
  workspaceId: string,
  ids: readonly string[] = [],
): Promise<readonly OutgoingFile[]> {
  return Promise.all(ids.map(async (id) => outgoingFileOf(await readItem(reader, workspaceId, id))));
}

/** An item as a file. */
export function outgoingFileOf({ id, label, mimeType, encoding, data = '' }: WorkspaceItem): OutgoingFile {
  const name = (label ?? '').trim() || id;
  const ending = ENDINGS[mimeType.toLowerCase()] ?? '';
  const bytes = Buffer.from(data, encoding === 'utf8' ? 'utf8' : 'base64');
  return { name: /\.[A-Za-z0-9]{1,8}$/.test(name) ? name : name + ending, mimeType, bytes };
}

/** Enabled accounts, without those that the newest version of the director may not use. */
async function usableAccounts(mailService: MailService, caller: Caller): Promise<ReadonlyMap<string, Account>> {
  const { accounts, directors } = mailService.config();
  const { id } = caller.origin.director;
  // An agent in a person's session has no director.
  if (id === '') return accounts;
  const director = directors.get(id);
  const own = director === undefined ? [(await runMail(mailService, caller))?.accountId ?? ''] : director.accountIds;
  return own === undefined ? accounts : new Map([...accounts].filter(([name]) => own.includes(name)));
}

async function runMail(mailService: MailService, { origin }: Caller): Promise<Mail | undefined> {
  if (origin.email === undefined) return undefined;
  return readStoredMail(mailService, origin.email.id).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
}
