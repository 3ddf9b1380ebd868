import { EngineError } from '../../base/error.ts';
import type { Account } from '../../config/config.ts';
import type { OutgoingFile } from '../../mail/mailbox.ts';
import type { Mail } from '../../mail/mail.ts';
import { threadKey } from '../../mail/mail-store.ts';
import {
  type WriteRequest,
  readStoredMail,
  mailInAccount,
  type MailService,
  runKeyOf,
} from '../../mail/send/mail-service.ts';
import type { LetterInput } from '../../mail/send/reply.ts';
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
}

/** A mail that a call names. */
export interface NamedMail {
  readonly account: Account;
  readonly mail: Mail;
  /** Its name in the mailbox; undefined for a fetched mail, which must be found there first. */
  readonly ref?: string;
  readonly providerId?: string;
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
    const { mail } = await mailInAccount(mailService, account, await mailService.open(account), ref, { signal });
    return { account, mail, ref };
  }
  const id = emailId ?? caller.origin.email?.id;
  if (id === undefined)
    throw new EngineError('TOOL_ARGUMENTS', 'the call names no mail, and this run has none', {
      hint: 'give ref, as mail_search returns it, or emailId',
    });
  const { providerId, ...mail } = await readStoredMail(mailService, id);
  return { account: await accountOf(mailService, { accountId: mail.accountId }, caller), mail, providerId };
}

/** The request of a `mail_draft` or `mail_send` call: an answer, or a new mail where `to` has recipients. */
export async function writeRequestOf(
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
    const { account, mail } = await namedMail(mailService, args, caller, signal);
    return { account, writing, original: mail, attachments };
  }
  const account = await accountOf(mailService, args, caller);
  return { account, writing, about: await runMail(mailService, caller), attachments };
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
