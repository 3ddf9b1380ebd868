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
import { type WriterDeps, recipientsOf, writeNew, writeReply, type LetterInput } from './reply.ts';
import { expectNoDetour, expectNoLoop } from './reply-loop.ts';
import { readAddresses } from './addresses.ts';
import type { MailWorkers } from '../parse/mail-workers.ts';

/** What is needed to look into accounts and to write from them. */
export interface MailService extends SendDeps {
  /** The newest config. */
  readonly config: () => Pick<Snapshot, 'accounts' | 'directors' | 'settings'>;
  /** The mailbox of an account. `ACCOUNT_FAILED` and its kin. */
  readonly open: (account: Account) => Promise<Mailbox>;
  readonly workers: Pick<MailWorkers, 'parse' | 'html'>;
}

/** Somebody's wish to write, from an account. */
export interface WriteRequest {
  readonly account: Account;
  readonly writing: LetterInput;
  /** The mail that is answered; undefined for a new one. */
  readonly original?: Mail | undefined;
  /** The mail that all of this is about, where it is not answered. */
  readonly about?: Mail | undefined;
  readonly attachments: readonly OutgoingFile[];
}

/** How it is sent. */
export interface SendOnceOptions extends Abortable {
  /** The same for every attempt. */
  readonly key: string;
  readonly isAutomatic?: boolean;
  /** For what an agent sends: where it is counted. A person is not counted, and may answer whatever they like. */
  readonly threadKey?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly insists?: boolean | undefined;
}

/** A mail that was fetched, with what it says. `NOT_FOUND`. */
export async function readStoredMail(
  { store }: Pick<MailService, 'store'>,
  id: string,
): Promise<Mail & { providerId: string }> {
  const row = await readMailRow(store, id);
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no e-mail "${id.slice(0, 100)}"`);
  const { summary, providerId } = mailOf(row);
  return { ...summary, ...(await readContent(store, id)), providerId };
}

/** A mail as it lies in an account, read in a worker. `NOT_FOUND`, errors of the account and of the mail room. */
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

/** What the mails of a run are counted by that is about no mail; those of others by `threadKey`. */
export function runKeyOf({ store }: Pick<MailService, 'store'>, runId: string): string {
  return store.lookupKey(`run\0${runId}`);
}

/**
 * Throws where an agent must not send this, whoever allows it: `REPLY_LOOP`, `MAIL_UNANSWERABLE`, `BAD_REQUEST`.
 */
export function expectAllowed({ account, writing, original, about }: WriteRequest): void {
  const more = (['to', 'cc', 'bcc'] as const).flatMap((field) => readAddresses(writing[field] ?? [], field));
  if (original === undefined) return about === undefined ? undefined : expectNoDetour(about, more);
  // The rule comes first: of own mail it matters little whether somebody could be found to send it to.
  expectNoLoop(original, []);
  const { to, cc } = recipientsOf(original, [account.email], writing.all ?? false);
  expectNoLoop(original, [...to, ...cc, ...more]);
}

/** The same, and `REPLY_LIMIT` where no place is left. It looks into our own store only, and takes no place. */
export async function expectSendable(mailService: MailService, asked: WriteRequest, threadKey: string): Promise<void> {
  expectAllowed(asked);
  const places = placesOf(mailService, threadKey);
  if ((await countUsedSlots(mailService.store, places, mailService.clock.now())) >= places.perDay)
    throw limitReached(places.perDay);
}

/** Sends a mail exactly once. Errors of `writeReply`, `writeNew`, `deliver`; for an agent those of `expectSendable`. */
export async function sendMail(
  mailService: MailService,
  asked: WriteRequest,
  how: SendOnceOptions,
): Promise<Delivered> {
  const { key, isAutomatic = false, threadKey, fingerprint, insists = false, signal } = how;
  const { id: accountId, email } = asked.account;
  const mailbox = await mailService.open(asked.account);
  const done = await findOutcome({ key: sendKey(key), email, mailbox, fingerprint }, mailService, { signal }).catch(
    (error: unknown) => {
      signal?.throwIfAborted();
      if (insists && errorBody(error).code !== 'CONFLICT') return undefined;
      throw error;
    },
  );
  if (done !== undefined) return done;
  if (threadKey !== undefined) expectAllowed(asked);
  return deliver(
    {
      ...{ key: sendKey(key), accountId, email, mailbox, isAutomatic, fingerprint },
      letter: () => write(mailService, asked, mailbox, signal),
      slots: threadKey === undefined ? undefined : placesOf(mailService, threadKey),
    },
    mailService,
    { signal, insists },
  );
}

/** What came of sending it before; undefined where nothing was sent. */
export async function findEarlierSend(
  mailService: MailService,
  account: Account,
  { key, signal }: Abortable & { readonly key: string },
): Promise<Delivered | undefined> {
  const mailbox = await mailService.open(account);
  return findOutcome({ key: sendKey(key), email: account.email, mailbox }, mailService, { signal });
}

/** Puts a draft into the account, once. */
export async function draftMail(
  mailService: MailService,
  asked: WriteRequest,
  { key, signal }: Abortable & { readonly key: string },
): Promise<{ readonly messageId: string; readonly ref: string }> {
  const { account } = asked;
  const messageId = draftId(key, account);
  const mailbox = await mailService.open(account);
  const letter = await write(mailService, asked, mailbox, signal);
  const stamp = { messageId, atMs: mailService.clock.now(), isAutomatic: false, isDraft: true };
  const { ref } = await mailbox.draft(await compose(letter, stamp), { signal });
  return { messageId, ref };
}

/** The draft that was made under a key, if it is there. */
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

function placesOf({ config }: Pick<MailService, 'config'>, threadKey: string): ThreadSlots {
  return { threadKey, perDay: config().settings.reply.perThreadPerDay };
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

/** The account's own, else the provider's; a mail without one is better than none. */
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
