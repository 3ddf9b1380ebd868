import { readKnownMails } from '../known-mails.ts';
import type { KnownMail, ListOptions } from '../source.ts';
import type { GmailLabels } from './labels.ts';
import type { GmailReader } from './reader.ts';

/** Mails that were taken and do not lie where they did: archived, in the trash, deleted, or only not listed in time. */
export interface MissingMails {
  readonly ids: string[];
  /** Which kept mails are next; absent where these were the last. */
  readonly next?: string;
}

interface Ways {
  readonly reader: GmailReader;
  readonly labels: GmailLabels;
  /** Ids of the fetched labels. */
  readonly wanted: readonly string[];
}

/**
 * Compares some of the kept mails, those after `after`, with what Gmail lists now: a mail that had one of the fetched labels has
 * to be found under them, any other one anywhere. Costs a request for 500 mails of the mailbox. Errors as in `GmailReader`.
 */
export async function findMissing(
  { reader, labels, wanted }: Ways,
  after: string,
  options: ListOptions,
): Promise<MissingMails> {
  const { signal } = options;
  const names = await labels.namesOf(wanted, { signal });
  const { mails, next } = await readKnownMails(options, after);
  for (const labelId of wanted) await strike(mails, reader.ids(labelId, { signal }));
  const hadOne = (mail: KnownMail) => mail.labels.some((label) => names.includes(label));
  const moved = [...mails.values()].filter(hadOne).map(({ providerId }) => providerId);
  for (const id of moved) mails.delete(id);
  await strike(mails, reader.ids(undefined, { signal }));
  return { ids: [...moved, ...mails.keys()], ...(next !== undefined && { next }) };
}

/** Deletes what is listed, and asks no longer than something is left. */
async function strike(open: Map<string, KnownMail>, pages: AsyncIterable<readonly string[]>): Promise<void> {
  if (open.size === 0) return;
  for await (const ids of pages) {
    for (const id of ids) open.delete(id);
    if (open.size === 0) return;
  }
}
