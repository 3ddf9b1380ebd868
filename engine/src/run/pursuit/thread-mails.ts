import { envelopeOf } from '../../config/prompt/envelope.ts';
import { cutText, envelope } from '../../mail/envelope.ts';
import type { Mail, MailSummary } from '../../mail/mail.ts';
import { mailOf, readContent, threadKey } from '../../mail/mail-store.ts';
import { readableRows } from '../../store/readable-rows.ts';
import type { Store } from '../../store/store.ts';
import type { LinkedThread } from '../objective/objective.ts';

/** Most mails of a thread that are read: the newest. */
export const MAX_MAILS = 200;
/** Most characters of one mail that a role reads, and of all mails. */
const MAX_MAIL_TEXT = 10_000;
export const MAX_TEXT = 60_000;
/** Of older mails a role reads the beginning alone, once the newer ones have so many characters. */
const MAX_WHOLE = 40_000;
const MAX_OLDER_TEXT = 600;

/** The mail that a draft on a thread answers. */
export interface AnsweredMail {
  /** How `mail_draft` and `mail_send` name it. */
  readonly named: { readonly emailId: string } | { readonly accountId: string; readonly ref: string };
  readonly threadId: string;
  /** Addresses that the answer goes to. */
  readonly to: readonly string[];
}

/** The stored mails of a thread, oldest first. */
export async function storedMails(
  store: Store,
  { accountId, threadId }: Pick<LinkedThread, 'accountId' | 'threadId'>,
): Promise<MailSummary[]> {
  const rows = await readableRows(store, () => {}).list('mail', {
    where: [
      ['threadKey', '=', threadKey(store, accountId, threadId)],
      ['state', '=', 'kept'],
    ],
    order: [['id', 'desc']],
    limit: MAX_MAILS,
  });
  return rows.map((row) => mailOf(row).summary).sort((a, b) => sentAt(a) - sentAt(b) || (a.id < b.id ? -1 : 1));
}

/** The newest mail of a thread that may be answered: of somebody else where there is one. */
export function mailToAnswer(mails: readonly MailSummary[]): MailSummary | undefined {
  return mails.findLast(({ own, autoSubmitted, list }) => !own && !autoSubmitted && !list) ?? mails.at(-1);
}

/** A mail of a linked thread as roles read it. */
export interface ThreadMail {
  /** Id of the stored mail; of one that only its mailbox has, its Message-ID. */
  readonly id: string;
  readonly messageId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Its length in characters, and its envelope with at most so many of them. */
  read(): Promise<{ readonly length: number; envelope(maxChars: number): string }>;
}

/** A mail that a wake has read in its mailbox, since the store does not have it. */
export interface UnfetchedMail {
  readonly messageId: string;
  /** ISO 8601, or `''`. */
  readonly date: string;
  /** Headers and text, without an envelope. */
  readonly text: string;
}

/** What a wake has found in mailboxes beyond the stored mails of the linked threads. */
export interface Unfetched {
  readonly mails: readonly UnfetchedMail[];
  /** Older mails that it did not read, since they are too many. */
  readonly skipped: readonly Pick<UnfetchedMail, 'messageId' | 'date'>[];
}

/** The mails of the linked threads, oldest first. */
export async function threadMails(
  store: Store,
  threads: readonly LinkedThread[],
  unfetched: readonly UnfetchedMail[],
): Promise<ThreadMail[]> {
  const stored = (await Promise.all(threads.map((thread) => storedMails(store, thread)))).flat();
  // A mail that the wake read in its mailbox may have been fetched since.
  const fetched = new Set(stored.map(({ messageId }) => messageId));
  const mails = [
    ...stored.map((summary) => storedMail(store, summary)),
    ...unfetched.filter(({ messageId }) => !fetched.has(messageId)).map((mail) => unfetchedMail(store, mail)),
  ];
  return mails.toSorted((a, b) => a.at - b.at);
}

function storedMail(store: Store, summary: MailSummary): ThreadMail {
  const { id, messageId } = summary;
  return {
    ...{ id, messageId, at: sentAt(summary) },
    async read() {
      const content = await readContent(
        readableRows(store, () => {}),
        id,
      );
      const mail: Mail = { ...summary, ...content };
      const mark = store.lookupKey(`envelope\0${id}`);
      return {
        length: content.bodyText.length,
        envelope: (maxChars) => envelope(mail, mail, mark, maxChars),
      };
    },
  };
}

function unfetchedMail(store: Store, { messageId, date, text }: UnfetchedMail): ThreadMail {
  const mark = store.lookupKey(`envelope\0${messageId}`);
  const at = Date.parse(date);
  return {
    ...{ id: messageId, messageId, at: Number.isNaN(at) ? 0 : at },
    read: () =>
      Promise.resolve({
        length: text.length,
        envelope: (maxChars) => envelopeOf(cutText(text, maxChars), 'MAIL', mark),
      }),
  };
}

/**
 * The mails of the linked threads as roles read them: an envelope each, oldest first; `''` where there are none. Of a long thread the
 * newest mails stand there whole, of older ones the beginning, and the oldest are left out: the summary has what they said. `isWhole`:
 * nothing of any mail is left out.
 */
export async function threadsText(
  mails: readonly ThreadMail[],
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const parts: string[] = [];
  let chars = 0;
  let isWhole = true;
  for (const mail of mails.toReversed()) {
    const { length, envelope } = await mail.read();
    const limit = chars + Math.min(length, MAX_MAIL_TEXT) <= MAX_WHOLE ? MAX_MAIL_TEXT : MAX_OLDER_TEXT;
    const part = envelope(limit);
    chars += part.length;
    if (chars > MAX_TEXT && parts.length > 0) return { text: [LEFT_OUT, ...parts].join('\n\n'), isWhole: false };
    parts.unshift(part);
    isWhole &&= length <= limit;
  }
  return { text: parts.join('\n\n'), isWhole };
}

const LEFT_OUT = '[older mails are left out]';

/** When a mail was sent, in epoch milliseconds; without a readable date, when it was received. */
export function sentAt({ date, receivedAt }: Pick<MailSummary, 'date' | 'receivedAt'>): number {
  const sent = Date.parse(date);
  return Number.isNaN(sent) ? Date.parse(receivedAt) : sent;
}
