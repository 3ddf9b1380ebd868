import { readableRows } from '../store/readable-rows.ts';
import type { Store } from '../store/store.ts';
import type { MailSummary } from './mail.ts';
import { mailOf, readMailRow, threadKey } from './mail-store.ts';

/** Most stored mails of a thread that are looked at, newest first. */
const MAX_ROWS = 200;

/**
 * The addresses, in small letters, of all who wrote or got a mail of the thread of this mail, in the same account. An address
 * that stands only in Reply-To is not one of them: whoever writes a mail chooses it. Empty where there is no such mail.
 */
export async function readParticipants(store: Store, mailId: string | undefined): Promise<ReadonlySet<string>> {
  return new Set((await threadOf(store, mailId)).flatMap(addressesOf));
}

/** Names and addresses of all that the headers of the mails of the thread name, those of Reply-To included. */
export async function readPeople(
  store: Store,
  mailId: string | undefined,
): Promise<{ readonly name: string; readonly address: string }[]> {
  const people = (await threadOf(store, mailId)).flatMap(({ from, to, cc, bcc, replyTo }) => [
    ...[...from, ...to, ...cc, ...bcc, ...replyTo],
  ]);
  return [...new Map(people.map(({ name, address }) => [`${name}\0${address}`, { name, address }])).values()];
}

/** The mail and the stored mails of its thread; none where there is no such mail. */
async function threadOf(store: Store, mailId: string | undefined): Promise<MailSummary[]> {
  const row = mailId === undefined ? undefined : await readMailRow(store, mailId);
  if (row === undefined) return [];
  const { summary } = mailOf(row);
  const rows = await readableRows(store, () => {}).list('mail', {
    where: [
      ['threadKey', '=', threadKey(store, summary.accountId, summary.threadId)],
      ['state', '=', 'kept'],
    ],
    order: [['id', 'desc']],
    limit: MAX_ROWS,
  });
  return [summary, ...rows.map((other) => mailOf(other).summary)];
}

function addressesOf({ from, to, cc, bcc }: MailSummary): string[] {
  return [...from, ...to, ...cc, ...bcc].map(({ address }) => address.toLowerCase());
}
