import { EngineError } from '../../base/error.ts';
import type { Letter } from './compose.ts';
import { expectOneLine, oneLine, readAddresses, usableAddresses, wireAddress } from './addresses.ts';
import type { Address, Mail, MailSummary } from '../mail.ts';
import type { OutgoingFile, Signature } from '../mailbox.ts';
import { answerHtml, answerText } from './quote.ts';

/** The input of a person or an agent for a letter. */
export interface LetterInput {
  readonly text?: string | undefined;
  /** Unsanitised. */
  readonly html?: string | undefined;
  /** Additional recipients as typed; of a new mail all recipients. */
  readonly to?: readonly string[] | undefined;
  readonly cc?: readonly string[] | undefined;
  readonly bcc?: readonly string[] | undefined;
  /** Of a new mail; a reply takes the subject of the original. */
  readonly subject?: string | undefined;
  /** Reply to all. */
  readonly all?: boolean | undefined;
  /** What a person has put in place of the recipients and the subject of a reply; then `all` counts no more. */
  readonly instead?: { readonly to?: readonly string[] | undefined; readonly subject?: string | undefined } | undefined;
}

/** Dependencies and data of writing a letter. */
export interface WriterDeps {
  /** Address of the account. */
  readonly email: string;
  /** All addresses of the account. */
  readonly own: readonly string[];
  readonly signature: Signature | undefined;
  readonly attachments: readonly OutgoingFile[];
  /** See `MailWorkers.html`. */
  readonly sanitize: (html: string) => Promise<string>;
}

/** Longest text of the input, in characters. */
const MAX_INPUT_CHARS = 1_000_000;

/**
 * Mailers keep about this many ids; the first one identifies the thread, the last ones the position in it (RFC 5322
 * 3.6.4, RFC 5537 3.4.4).
 */
const MAX_REFERENCES = 20;

/** Prefixes of replies in many languages, also numbered: `Re:`, `RE[2]:`, `Re^3:`, `AW:`, `SV:`. */
const REPLY_PREFIX =
  /^\s*(?:(?:re|aw|sv|vs|antw|odp|ynt|rif|回复|回覆|答复|답장)\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})?\s*[:：]\s*)+/i;

/** The subject of a reply: `Re: ` once. */
export function replySubject(subject: string): string {
  return `Re: ${oneLine(subject).replace(REPLY_PREFIX, '')}`.trimEnd();
}

/** In-Reply-To and References of a reply (RFC 5322 3.6.4). Leaves out invalid ids, and the middle of a long list. */
export function threading(original: Pick<MailSummary, 'messageId' | 'inReplyTo' | 'references'>): {
  readonly inReplyTo: string | undefined;
  readonly references: readonly string[];
} {
  const inReplyTo = isMessageId(original.messageId) ? original.messageId : undefined;
  const before = original.references.length > 0 ? original.references : [original.inReplyTo];
  const all = [...new Set([...before, original.messageId])].filter(isMessageId);
  const [first] = all;
  const references =
    all.length <= MAX_REFERENCES || first === undefined ? all : [first, ...all.slice(-(MAX_REFERENCES - 1))];
  return { inReplyTo, references };
}

/** Printable ASCII with one @ in angle brackets, short enough for a header line. */
function isMessageId(text: string): boolean {
  return text.length <= 250 && /^<[!-;=?-~]+>$/.test(text);
}

/**
 * Recipients of a reply: Reply-To, else From; with `all` also all other recipients, but not the account itself. A reply
 * to own mail goes to its recipients. `MAIL_UNANSWERABLE` where the mail has no usable address.
 */
export function recipientsOf(
  original: Pick<MailSummary, 'from' | 'to' | 'cc' | 'replyTo' | 'own'>,
  own: readonly string[],
  all: boolean,
): { readonly to: readonly Address[]; readonly cc: readonly Address[] } {
  const ours = new Set(own.map((address) => address.toLowerCase()));
  const others = (addresses: readonly Address[]) =>
    usableAddresses(addresses).filter(({ address }) => !ours.has(address.toLowerCase()));
  const replyTo = others(original.replyTo);
  const main = original.own ? others(original.to) : replyTo.length > 0 ? replyTo : others(original.from);
  if (main.length === 0)
    throw new EngineError('MAIL_UNANSWERABLE', 'the mail has no address that a reply could be sent to', {
      hint: 'Write a new mail, with `to` and `subject`.',
    });
  if (!all) return { to: main, cc: [] };
  const named = new Set(main.map(({ address }) => address.toLowerCase()));
  const rest = others([...(original.own ? [] : original.to), ...original.cc]);
  return { to: main, cc: rest.filter(({ address }) => !named.has(address.toLowerCase())) };
}

/** Writes a reply. `MAIL_UNANSWERABLE`; `BAD_REQUEST` for invalid input, `TOO_LARGE`. */
export async function writeReply(writing: LetterInput, original: Mail, writer: WriterDeps): Promise<Letter> {
  const { instead = {} } = writing;
  const { to, cc } =
    instead.to === undefined
      ? recipientsOf(original, writer.own, writing.all ?? false)
      : { to: readAddresses(instead.to, 'to'), cc: [] };
  if (to.length === 0) throw new EngineError('BAD_REQUEST', '"to" has no address');
  expectOneLine(instead.subject ?? '', 'subject');
  const more = readAddresses(writing.cc ?? [], 'cc');
  const known = new Set([...to, ...cc].map(({ address }) => address.toLowerCase()));
  return {
    ...(await writeBody(writing, original, writer)),
    to,
    cc: [...cc, ...more.filter(({ address }) => !known.has(address.toLowerCase()))],
    subject: instead.subject?.trim() ?? replySubject(original.subject),
    ...threading(original),
    threadId: original.threadId,
  };
}

/** Writes a new mail. `BAD_REQUEST` for invalid input, `TOO_LARGE`. */
export async function writeNew(writing: LetterInput, writer: WriterDeps): Promise<Letter> {
  const { to = [], cc = [], subject = '' } = writing;
  expectOneLine(subject, 'subject');
  const recipients = readAddresses(to, 'to');
  if (recipients.length === 0) throw new EngineError('BAD_REQUEST', '"to" has no address');
  return {
    ...(await writeBody(writing, undefined, writer)),
    to: recipients,
    cc: readAddresses(cc, 'cc'),
    subject: subject.trim(),
    references: [],
  };
}

async function writeBody(
  { text, html, bcc = [] }: LetterInput,
  original: Mail | undefined,
  writer: WriterDeps,
): Promise<Pick<Letter, 'from' | 'bcc' | 'text' | 'html' | 'attachments'>> {
  const { email, signature, attachments, sanitize } = writer;
  if ((text ?? '').trim() === '' && (html ?? '').trim() === '')
    throw new EngineError('BAD_REQUEST', 'there is nothing to send: "text" and "html" are empty');
  if ((text?.length ?? 0) > MAX_INPUT_CHARS || (html?.length ?? 0) > MAX_INPUT_CHARS)
    throw new EngineError('TOO_LARGE', `a mail has at most ${MAX_INPUT_CHARS} characters`);
  const plain = text ?? (await textOf(html ?? ''));
  return {
    from: addressOf(email),
    bcc: readAddresses(bcc, 'bcc'),
    text: answerText(plain, signature, original),
    html: html === undefined ? undefined : await answerHtml(html, signature, original, sanitize),
    attachments,
  };
}

/** The account's own address for SMTP. */
function addressOf(email: string): string {
  const wire = wireAddress(email);
  if ('address' in wire) return wire.address;
  throw new EngineError('BAD_REQUEST', `the account's address ${JSON.stringify(email)} ${wire.fault}`, {
    hint: 'Correct `email` of the account.',
  });
}

async function textOf(html: string): Promise<string> {
  const { htmlToText } = await import('../html/html-to-text.ts');
  return htmlToText(html);
}
