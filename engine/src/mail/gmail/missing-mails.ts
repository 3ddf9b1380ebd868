import { readKnownMails } from '../known-mails.ts';
import type { KnownMail, ListOptions } from '../source.ts';
import type { GmailLabels } from './labels.ts';
import type { GmailReader } from './reader.ts';

/** Known mails that the listing does not have where they were: archived, in the trash, deleted, or listed too late. */
export interface MissingMails {
  readonly ids: string[];
  /** Position of the next known mails; absent where these were the last. */
  readonly next?: string;
}

interface MissingMailsDeps {
  readonly reader: GmailReader;
  readonly labels: GmailLabels;
  /** Ids of the fetched labels. */
  readonly wanted: readonly string[];
}

/**
 * Compares some known mails, those after `after`, with Gmail's listing: a mail that had one of the fetched labels must
 * be listed under them, any other mail anywhere. Needs one request per 500 mails of the mailbox. Errors as in
 * `GmailReader`.
 */
export async function findMissing(
  { reader, labels, wanted }: MissingMailsDeps,
  after: string,
  options: ListOptions,
): Promise<MissingMails> {
  const { signal } = options;
  const names = await labels.namesOf(wanted, { signal });
  const { mails, next } = await readKnownMails(options, after);
  for (const labelId of wanted) await deleteListed(mails, reader.ids(labelId, { signal }));
  const hadOne = (mail: KnownMail) => mail.labels.some((label) => names.includes(label));
  const moved = [...mails.values()].filter(hadOne).map(({ providerId }) => providerId);
  for (const id of moved) mails.delete(id);
  await deleteListed(mails, reader.ids(undefined, { signal }));
  return { ids: [...moved, ...mails.keys()], ...(next !== undefined && { next }) };
}

/** Deletes the listed mails from `unlisted`, and stops once it is empty. */
async function deleteListed(unlisted: Map<string, KnownMail>, pages: AsyncIterable<readonly string[]>): Promise<void> {
  if (unlisted.size === 0) return;
  for await (const ids of pages) {
    for (const id of ids) unlisted.delete(id);
    if (unlisted.size === 0) return;
  }
}
