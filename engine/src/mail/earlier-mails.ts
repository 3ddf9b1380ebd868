import { readableRows } from '../store/readable-rows.ts';
import type { Store } from '../store/store.ts';
import { envelope } from './envelope.ts';
import type { Mail, MailSummary } from './mail.ts';
import { mailOf, readContent, threadKey } from './mail-store.ts';

/** Most earlier mails of a thread in a prompt. */
const MAX_MAILS = 30;
/** Most stored mails of a thread that are looked at. */
const MAX_ROWS = 200;
/** Most characters of the text of one earlier mail, and of all of them, in a prompt. */
const MAX_MAIL_TEXT = 10_000;
const MAX_TEXT = 60_000;

/** The mails of a thread before one of them. */
export interface EarlierMails {
  /** Oldest first. */
  readonly mails: readonly Mail[];
  /** Number of older mails that are left out because of the size. */
  readonly leftOut: number;
}

/**
 * The stored mails of a mail's thread that were sent before it, in the same account. Where they are too many or too long, the
 * oldest are left out: at most 30 mails with 60,000 characters of text, of which each counts with at most 10,000. A damaged
 * mail is left out, too: it must not stop the others of its thread.
 */
export async function readEarlierMails(store: Store, mail: MailSummary): Promise<EarlierMails> {
  const reader = readableRows(store, () => {});
  const rows = await reader.list('mail', {
    where: [
      ['threadKey', '=', threadKey(store, mail.accountId, mail.threadId)],
      ['state', '=', 'kept'],
    ],
    order: [['id', 'desc']],
    limit: MAX_ROWS,
  });
  const earlier = rows
    .map((row) => mailOf(row).summary)
    .filter((other) => other.id !== mail.id && sentAt(other) < sentAt(mail))
    .sort((a, b) => sentAt(b) - sentAt(a) || (a.id < b.id ? 1 : -1));
  const mails: Mail[] = [];
  let chars = 0;
  for (const summary of earlier.slice(0, MAX_MAILS)) {
    const content = await readContent(reader, summary.id);
    chars += Math.min(content.bodyText.length, MAX_MAIL_TEXT);
    if (chars > MAX_TEXT) break;
    mails.unshift({ ...summary, ...content });
  }
  return { mails, leftOut: earlier.length - mails.length };
}

/** The earlier mails as a prompt contains them: an envelope each, all with the same mark; `''` where there are none. */
export function threadText({ mails, leftOut }: EarlierMails, mark: string): string {
  if (mails.length === 0) return '';
  const note = leftOut === 0 ? [] : [`[left out: ${leftOut} older mails of this thread]`];
  return [...note, ...mails.map((mail) => envelope(mail, mail, mark, MAX_MAIL_TEXT))].join('\n\n');
}

/** When a mail was sent, in epoch milliseconds; without a readable date, when it was received. */
function sentAt({ date, receivedAt }: MailSummary): number {
  return Date.parse(date === '' ? receivedAt : date);
}
