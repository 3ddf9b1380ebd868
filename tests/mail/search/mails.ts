import { insertMailChange, deleteMailChange, mailOf } from '../../../engine/src/mail/mail-store.ts';
import { hasWords } from '../../../engine/src/api/http/query.ts';
import { searchedTexts } from '../../../engine/src/mail/search/grams.ts';
import { mailCandidates } from '../../../engine/src/mail/search/mail-candidates.ts';
import type { BlockShape } from '../../../engine/src/mail/search/block.ts';
import type { Address } from '../../../engine/src/mail/mail.ts';
import type { Store } from '../../../engine/src/store/store.ts';

/** Small blocks, so that few mails make many of them, and those are merged soon. */
export const TINY: BlockShape = { small: 8, factor: 4 };

/** What a search looks at. */
export interface Letter {
  readonly id: string;
  readonly subject: string;
  readonly snippet?: string;
  readonly from?: string;
  readonly to?: readonly Address[];
}

/** The id of the mail with this number. */
export const idOf = (n: number) => `mail_${String(n).padStart(6, '0')}`;

/** Mails that all have `order`; each has its number as a word. */
export const letters = (from: number, count: number): Letter[] =>
  Array.from({ length: count }, (_, n) => ({ id: idOf(from + n), subject: `order number${from + n}x` }));

/** Recipients, as many as a sender likes; all have `person`. */
export const people = (count: number): Address[] =>
  Array.from({ length: count }, (_, n) => ({ name: `person ${n}`, address: `person${n}.name@example${n % 97}.com` }));

/** Stores mails as the engine does. */
export async function addMail(store: Store, ...letters: readonly Letter[]): Promise<void> {
  const changes = letters.map(({ id, subject, snippet = '', from = 'ann@example.com', to = [] }) => {
    const lists = { to, cc: [], bcc: [], replyTo: [], references: [], labels: [], attachments: [] };
    const texts = {
      id,
      subject,
      snippet,
      accountId: 'inbox',
      messageId: `<${id}@x>`,
      threadId: id,
      inReplyTo: '',
      date: '',
    };
    const facts = { receivedAt: '2026-01-01T00:00:00Z', autoSubmitted: false, list: false, own: false };
    const summary = { ...lists, ...texts, ...facts, from: [{ name: '', address: from }] };
    return insertMailChange(store, {
      ...{
        id,
        accountId: 'inbox',
        messageId: `<${id}@x>`,
        threadId: id,
        identity: id,
        providerId: id,
        size: 1,
        notes: [],
      },
      ...{ summary: JSON.stringify(summary), content: '{}', routing: { directors: [], note: '' } },
    });
  });
  await store.apply(changes.flat());
}

/** Deletes a mail as the engine does. */
export async function deleteMail(store: Store, id: string): Promise<void> {
  const row = await store.get('mail', { id });
  if (row?.state === 'kept') await store.apply(deleteMailChange(row));
}

/** The mails with all of these words by a look at every mail, the newest first. */
export async function scan(store: Store, words: readonly string[]): Promise<string[]> {
  const rows = await store.list('mail', { where: [['state', '=', 'kept']], order: [['id', 'desc']] });
  return rows.filter((row) => hasWords(searchedTexts(mailOf(row).summary), words)).map(({ id }) => id);
}

/** The same by the index, and how many mails it had to look at. Undefined if the index knows none of the words. */
export async function find(
  store: Store,
  words: readonly string[],
  { before, shape = TINY }: { before?: string; shape?: BlockShape } = {},
): Promise<{ ids: string[]; looked: string[] } | undefined> {
  const found = mailCandidates(store, words, { before, shape });
  if (found === undefined) return undefined;
  const looked = await Array.fromAsync(found);
  const rows = await store.list('mail', { where: [['id', 'in', looked]] });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ids = looked.filter((id) => {
    const row = byId.get(id);
    return row?.state === 'kept' && hasWords(searchedTexts(mailOf(row).summary), words);
  });
  return { ids, looked };
}
