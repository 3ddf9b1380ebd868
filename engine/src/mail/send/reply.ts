import { EngineError } from '../../base/error.ts';
import type { Letter } from './compose.ts';
import { expectOneLine, oneLine, readAddresses, usableAddresses, wireAddress } from './addresses.ts';
import type { Address, Mail, MailSummary } from '../mail.ts';
import type { OutgoingFile, Signature } from '../mailbox.ts';
import { answerHtml, answerText } from './quote.ts';

/** What somebody wants to say, before it is a letter. */
export interface LetterInput {
  readonly text?: string | undefined;
  /** Not sanitised. */
  readonly html?: string | undefined;
  /** More recipients, as they are written; of a new mail all of them. */
  readonly to?: readonly string[] | undefined;
  readonly cc?: readonly string[] | undefined;
  readonly bcc?: readonly string[] | undefined;
  /** Of a new mail; an answer has that of the mail it answers. */
  readonly subject?: string | undefined;
  /** Answer everybody. */
  readonly all?: boolean | undefined;
}

/** What it is written with. */
export interface WriterDeps {
  /** Address of the account. */
  readonly email: string;
  /** All addresses that are the account's. */
  readonly own: readonly string[];
  readonly signature: Signature | undefined;
  readonly attachments: readonly OutgoingFile[];
  /** See `MailWorkers.html`. */
  readonly sanitize: (html: string) => Promise<string>;
}

/** Longest text that somebody may write, in characters. */
const MAX_WRITTEN = 1_000_000;

/** As many ids as mailers keep; the first one names the thread, the last ones say where in it (RFC 5322 3.6.4, RFC 5537 3.4.4). */
const MAX_REFERENCES = 20;

/** Prefixes of answers in many languages, also numbered: `Re:`, `RE[2]:`, `Re^3:`, `AW:`, `SV:`. */
const REPLY_PREFIX =
  /^\s*(?:(?:re|aw|sv|vs|antw|odp|ynt|rif|回复|回覆|答复|답장)\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})?\s*[:：]\s*)+/i;

/** The subject of an answer: `Re: ` once. */
export function replySubject(subject: string): string {
  return `Re: ${oneLine(subject).replace(REPLY_PREFIX, '')}`.trimEnd();
}

/** In-Reply-To and References of an answer (RFC 5322 3.6.4); ids that are none are left out, and so is the middle of long lists. */
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

/** Printable ASCII with one @ in angle brackets, of a length that a header line can hold. */
function isMessageId(text: string): boolean {
  return text.length <= 250 && /^<[!-;=?-~]+>$/.test(text);
}

/**
 * Whom an answer goes to: Reply-To, else From; with `all` also whoever else it was sent to, but not ourselves. To own mail the
 * answer goes to those to whom that went. `MAIL_UNANSWERABLE` where the mail names nobody.
 */
export function recipientsOf(
  original: Pick<MailSummary, 'from' | 'to' | 'cc' | 'replyTo' | 'own'>,
  own: readonly string[],
  all: boolean,
): { readonly to: readonly Address[]; readonly cc: readonly Address[] } {
  const ours = new Set(own.map((address) => address.toLowerCase()));
  const others = (addresses: readonly Address[]) =>
    usableAddresses(addresses).filter(({ address }) => !ours.has(address.toLowerCase()));
  const asked = others(original.replyTo);
  const main = original.own ? others(original.to) : asked.length > 0 ? asked : others(original.from);
  if (main.length === 0)
    throw new EngineError('MAIL_UNANSWERABLE', 'the mail names nobody whom an answer could be sent to', {
      hint: 'write a new mail, with `to` and `subject`',
    });
  if (!all) return { to: main, cc: [] };
  const named = new Set(main.map(({ address }) => address.toLowerCase()));
  const rest = others([...(original.own ? [] : original.to), ...original.cc]);
  return { to: main, cc: rest.filter(({ address }) => !named.has(address.toLowerCase())) };
}

/** An answer to a mail. `MAIL_UNANSWERABLE`; `BAD_REQUEST` for what cannot be in a mail, `TOO_LARGE`. */
export async function writeReply(writing: LetterInput, original: Mail, writer: WriterDeps): Promise<Letter> {
  const { to, cc } = recipientsOf(original, writer.own, writing.all ?? false);
  const more = readAddresses(writing.cc ?? [], 'cc');
  const known = new Set([...to, ...cc].map(({ address }) => address.toLowerCase()));
  return {
    ...(await written(writing, original, writer)),
    to,
    cc: [...cc, ...more.filter(({ address }) => !known.has(address.toLowerCase()))],
    subject: replySubject(original.subject),
    ...threading(original),
    threadId: original.threadId,
  };
}

/** A mail that answers none. `BAD_REQUEST` for what cannot be in a mail, `TOO_LARGE`. */
export async function writeNew(writing: LetterInput, writer: WriterDeps): Promise<Letter> {
  const { to = [], cc = [], subject = '' } = writing;
  expectOneLine(subject, 'subject');
  const recipients = readAddresses(to, 'to');
  if (recipients.length === 0) throw new EngineError('BAD_REQUEST', '"to" names nobody');
  return {
    ...(await written(writing, undefined, writer)),
    to: recipients,
    cc: readAddresses(cc, 'cc'),
    subject: subject.trim(),
    references: [],
  };
}

async function written(
  { text, html, bcc = [] }: LetterInput,
  original: Mail | undefined,
  writer: WriterDeps,
): Promise<Pick<Letter, 'from' | 'bcc' | 'text' | 'html' | 'attachments'>> {
  const { email, signature, attachments, sanitize } = writer;
  if ((text ?? '').trim() === '' && (html ?? '').trim() === '')
    throw new EngineError('BAD_REQUEST', 'there is nothing to send: "text" and "html" are empty');
  if ((text?.length ?? 0) > MAX_WRITTEN || (html?.length ?? 0) > MAX_WRITTEN)
    throw new EngineError('TOO_LARGE', `a mail has at most ${MAX_WRITTEN} characters`);
  const plain = text ?? (await textOf(html ?? ''));
  return {
    from: addressOf(email),
    bcc: readAddresses(bcc, 'bcc'),
    text: answerText(plain, signature, original),
    html: html === undefined ? undefined : await answerHtml(html, signature, original, sanitize),
    attachments,
  };
}

/** The account's own address as it goes onto the wire. */
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
