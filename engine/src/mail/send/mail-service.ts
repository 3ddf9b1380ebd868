import type { Abortable } from '../../base/abort.ts';
import { isoTime } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Account, Snapshot } from '../../config/config.ts';
import { compose, type Letter, messageIdOf } from './compose.ts';
import { type SendDeps, deliver, type Delivered, findOutcome } from './deliver.ts';
import type { Mail, MailContent, MailSummary } from '../mail.ts';
import type { OutgoingFile, MailEntry, Mailbox, Signature } from '../mailbox.ts';
import { mailOf, readContent, readMailRow } from '../mail-store.ts';
import { countUsedSlots, limitReached, type ThreadSlots } from './outgoing-store.ts';
import { noteReply, type ReplyAuthor, type ReplyNoteDeps } from './sent-replies.ts';
import { type WriterDeps, recipientsOf, writeNew, writeReply, type LetterInput } from './reply.ts';
import { expectNoDetour, expectNoLoop, expectNoMachine } from './reply-loop.ts';
import { readAddresses } from './addresses.ts';
import type { MailWorkers } from '../parse/mail-workers.ts';

/** Dependencies of searching, drafting and sending mail. */
export interface MailService extends SendDeps, ReplyNoteDeps {
  /** Returns the newest config. */
  readonly config: () => Pick<Snapshot, 'accounts' | 'directors' | 'settings'>;
  /** Opens the mailbox of an account. `ACCOUNT_FAILED` and related errors. */
  readonly open: (account: Account) => Promise<Mailbox>;
  readonly workers: Pick<MailWorkers, 'parse' | 'html' | 'attachment'>;
}

/** A mail that a person or an agent wants to write. */
export interface WriteRequest {
  readonly account: Account;
  readonly writing: LetterInput;
  /** The mail to reply to; undefined for a new mail. */
  readonly original?: Mail | undefined;
  /** The mail that the run is about, where this is no reply to it. */
  readonly about?: Mail | undefined;
  readonly attachments: readonly OutgoingFile[];
  /** A follow-up of an objective may answer own mail, to those who got it and nobody else. */
  readonly followsUp?: boolean;
}

/** Options of one send attempt. */
export interface SendOnceOptions extends Abortable {
  /** The same for every attempt. */
  readonly key: string;
  readonly isAutomatic?: boolean;
  /** For agents: the thread whose replies are counted. People have no limit, and may reply to any mail. */
  readonly threadKey?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly insists?: boolean | undefined;
  /** Called with the mail before it is sent; where it throws, nothing is sent. */
  readonly check?: (letter: Letter) => void;
  /** Who sends it, for the mail that is replied to. */
  readonly author: ReplyAuthor;
}

/** Reads a stored mail with its content. `NOT_FOUND`. */
export async function readStoredMail(
  { store }: Pick<MailService, 'store'>,
  id: string,
): Promise<Mail & { providerId: string }> {
  const row = await readMailRow(store, id);
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no e-mail "${id.slice(0, 100)}"`);
  const { summary, providerId } = mailOf(row);
  return { ...summary, ...(await readContent(store, id)), providerId };
}

/**
 * Reads a mail of an account, ingested or not, and parses it in a worker. `NOT_FOUND`; errors of the account and of
 * `MailParser`.
 */
export async function mailInAccount(
  mailService: Pick<MailService, 'workers' | 'clock'>,
  account: Account,
  mailbox: Mailbox,
  ref: string,
  { signal }: Abortable,
): Promise<{ mail: Mail; entry: MailEntry }> {
  const { mime, entry } = await mailbox.read(ref, { signal });
  const parsed = await mailService.workers.parse(
    { kind: 'bytes', bytes: new Uint8Array(mime) },
    {
      ...{
        id: ref,
        accountId: account.id,
        ownAddresses: [account.email],
        labels: entry.labels,
        readsLabelHeaders: false,
      },
      receivedAt: entry.date || isoTime(mailService.clock.now()),
      ...(entry.threadId !== undefined && { threadId: entry.threadId }),
    },
    { signal },
  );
  const mail = { ...(JSON.parse(parsed.summary) as MailSummary), ...(JSON.parse(parsed.content) as MailContent) };
  return { mail, entry };
}

/** The key that counts the mails of a run without a mail; other runs use the `threadKey` of their mail. */
export function runKeyOf({ store }: Pick<MailService, 'store'>, runId: string): string {
  return store.lookupKey(`run\0${runId}`);
}

/**
 * Throws where an agent must not send this mail, even with an approval: `REPLY_LOOP`, `MAIL_UNANSWERABLE`,
 * `BAD_REQUEST`.
 */
export function expectAllowed({ account, writing, original, about, followsUp = false }: WriteRequest): void {
  const more = (['to', 'cc', 'bcc'] as const).flatMap((field) => readAddresses(writing[field] ?? [], field));
  if (original === undefined) return about === undefined ? undefined : expectNoDetour(about, more);
  if (followsUp && original.own && more.length === 0)
    return expectNoMachine(recipientsOf(original, [account.email], writing.all ?? false).to);
  // Checked before the recipients: a reply to own mail is refused, whether or not it has recipients.
  expectNoLoop(original, []);
  const { to, cc } = recipientsOf(original, [account.email], writing.all ?? false);
  expectNoLoop(original, [...to, ...cc, ...more]);
}

/**
 * As `expectAllowed`, and `REPLY_LIMIT` where the thread has no free slot. Reads the store only, and reserves nothing.
 */
export async function expectSendable(
  mailService: MailService,
  request: WriteRequest,
  threadKey: string,
): Promise<void> {
  expectAllowed(request);
  const slots = threadSlotsOf(mailService, threadKey);
  if ((await countUsedSlots(mailService.store, slots, mailService.clock.now())) >= slots.perDay)
    throw limitReached(slots.perDay);
}

/** Sends a mail exactly once. Errors of `writeReply`, `writeNew`, `deliver`; for an agent those of `expectSendable`. */
export async function sendMail(
  mailService: MailService,
  request: WriteRequest,
  options: SendOnceOptions,
): Promise<Delivered> {
  const { key, isAutomatic = false, threadKey, fingerprint, insists = false, signal } = options;
  const { id: accountId, email } = request.account;
  const mailbox = await mailService.open(request.account);
  const done = await findOutcome({ key: sendKey(key), email, mailbox, fingerprint }, mailService, { signal }).catch(
    (error: unknown) => {
      signal?.throwIfAborted();
      if (insists && errorBody(error).code !== 'CONFLICT') return undefined;
      throw error;
    },
  );
  if (done !== undefined) return noteReply(mailService, request, options.author, done);
  if (threadKey !== undefined) expectAllowed(request);
  const sent = await deliver(
    {
      ...{ key: sendKey(key), accountId, email, mailbox, isAutomatic, fingerprint },
      letter: async () => {
        const letter = await write(mailService, request, mailbox, signal);
        options.check?.(letter);
        return letter;
      },
      slots: threadKey === undefined ? undefined : threadSlotsOf(mailService, threadKey),
    },
    mailService,
    { signal, insists },
  );
  return noteReply(mailService, request, options.author, sent);
}

/** The outcome of an earlier attempt to send; undefined where nothing was sent. */
export async function findEarlierSend(
  mailService: MailService,
  request: WriteRequest,
  { key, signal, author }: Pick<SendOnceOptions, 'key' | 'signal' | 'author'>,
): Promise<Delivered | undefined> {
  const { account } = request;
  const mailbox = await mailService.open(account);
  const sent = await findOutcome({ key: sendKey(key), email: account.email, mailbox }, mailService, { signal });
  return sent && noteReply(mailService, request, author, sent);
}

/** Saves a draft in the account, once. */
export async function draftMail(
  mailService: MailService,
  request: WriteRequest,
  { key, signal }: Abortable & { readonly key: string },
): Promise<{ readonly messageId: string; readonly ref: string }> {
  const { account } = request;
  const messageId = draftId(key, account);
  const mailbox = await mailService.open(account);
  const letter = await write(mailService, request, mailbox, signal);
  const stamp = { messageId, atMs: mailService.clock.now(), isAutomatic: false, isDraft: true };
  const { ref } = await mailbox.draft(await compose(letter, stamp), { signal });
  return { messageId, ref };
}

/** The draft that was saved with this key, as the bytes of an .eml file, and its subject. */
export async function draftFile(
  mailService: MailService,
  request: WriteRequest,
  { key, signal }: Abortable & { readonly key: string },
): Promise<{ readonly subject: string; readonly mime: Uint8Array }> {
  const { account } = request;
  const letter = await write(mailService, request, await mailService.open(account), signal);
  const stamp = { messageId: draftId(key, account), atMs: mailService.clock.now(), isAutomatic: false, isDraft: true };
  return { subject: letter.subject, mime: (await compose(letter, stamp)).mime };
}

/** Finds the draft that was saved with this key. */
export async function findEarlierDraft(
  mailService: MailService,
  account: Account,
  { key, signal }: Abortable & { readonly key: string },
): Promise<{ readonly messageId: string; readonly ref: string } | undefined> {
  const messageId = draftId(key, account);
  const found = await (await mailService.open(account)).findDraft(messageId, { signal });
  return found && { messageId, ref: found.ref };
}

function draftId(key: string, { email }: Account): string {
  return messageIdOf(`draft ${key}`, email);
}

function sendKey(key: string): string {
  return `send ${key}`;
}

function threadSlotsOf({ config }: Pick<MailService, 'config'>, threadKey: string): ThreadSlots {
  return { threadKey, perDay: config().settings.reply.perThreadPerDay };
}

/**
 * The mail as it would be sent or saved now: recipients, subject, signature, quotation and files. Sends and saves nothing. Errors
 * of `writeReply` and `writeNew`.
 */
export async function writeLetter(
  mailService: MailService,
  request: WriteRequest,
  { signal }: Abortable,
): Promise<Letter> {
  return write(mailService, request, await mailService.open(request.account), signal);
}

async function write(
  mailService: MailService,
  { account, writing, original, attachments }: WriteRequest,
  mailbox: Mailbox,
  signal: AbortSignal | undefined,
): Promise<Letter> {
  const writer: WriterDeps = {
    email: account.email,
    own: [account.email],
    signature: await signatureOf(mailService, account, mailbox, signal),
    attachments,
    sanitize: (html) => mailService.workers.html(html, { signal }),
  };
  return original === undefined ? writeNew(writing, writer) : writeReply(writing, original, writer);
}

/** The account's own signature, else the provider's. A provider that fails leaves the mail without one. */
async function signatureOf(
  { log }: MailService,
  account: Account,
  mailbox: Mailbox,
  signal: AbortSignal | undefined,
): Promise<Signature | undefined> {
  if (account.signature !== undefined) return { text: account.signature };
  return mailbox.signature({ signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    log.warn('the signature of an account cannot be read', { account: account.id, ...errorBody(error) });
    return undefined;
  });
}
