import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { GmailClient } from './client.ts';
import { isNotFound } from './error.ts';
import { UNITS } from './quota.ts';

/** All that a piece of history says of one mail. */
export interface MailChange {
  readonly id: string;
  readonly isAdded: boolean;
  /** Deleted for good, not into the trash. */
  readonly isDeleted: boolean;
  readonly isRelabelled: boolean;
  /** Ids of labels that were taken off, though it may have them again. */
  readonly removedLabelIds: readonly string[];
  /** Ids of all labels after it; undefined where Gmail does not say. */
  readonly labelIds: readonly string[] | undefined;
}

/** A piece of history, in the order in which its mails first occur. */
export interface HistoryBatch {
  readonly changes: readonly MailChange[];
  /** Where the next piece begins. */
  readonly historyId: string;
  readonly isLast: boolean;
}

/** Records that are asked for at a time; one of them may be about many mails. */
const RECORDS = 200;

/**
 * What has happened after `since`; undefined where Gmail does not know that any more (after a week as a rule, some hours at
 * worst), and everything has to be listed anew. Records come in the order of time, may come twice, and may name mails that are
 * gone by now. https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/list
 */
export async function readHistory(
  client: GmailClient,
  since: string,
  { signal }: Abortable,
): Promise<HistoryBatch | undefined> {
  let first: string | undefined;
  let pageToken: string | undefined;
  for (;;) {
    const page: gmail_v1.Schema$ListHistoryResponse | undefined = await readPage(client, since, pageToken, { signal });
    if (page === undefined) return undefined;
    const { history = [], nextPageToken, historyId } = page;
    first ??= historyId ?? since;
    const last = history.at(-1)?.id;
    if (nextPageToken && !last) {
      // Gmail gives empty pages now and then, with more behind them.
      pageToken = nextPageToken;
      continue;
    }
    const changes = changesOf(history);
    // With more to come, the last record is as far as we are. Else it is where the mailbox stood when it was asked first: what
    // came since is in none of the pages, or in the last record.
    if (nextPageToken && last) return { changes, historyId: last, isLast: false };
    return { changes, historyId: later(later(first, last), since), isLast: true };
  }
}

async function readPage(
  client: GmailClient,
  startHistoryId: string,
  pageToken: string | undefined,
  { signal }: Abortable,
): Promise<gmail_v1.Schema$ListHistoryResponse | undefined> {
  const params = { userId: 'me', startHistoryId, maxResults: RECORDS, ...(pageToken !== undefined && { pageToken }) };
  try {
    return await client.request(
      {
        units: UNITS.history,
        scopes: scopesFor('gmail', ['read']),
        resource: 'such place in its history',
        isBackground: true,
        send: (api, how) => api.users.history.list(params, how),
      },
      { signal },
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function changesOf(records: readonly gmail_v1.Schema$History[]): readonly MailChange[] {
  const changes = new Map<string, MailChange>();
  const note = (
    message: gmail_v1.Schema$Message | undefined,
    what: Partial<Omit<MailChange, 'id'>>,
    labels: (given: readonly string[]) => readonly string[] = (given) => given,
  ) => {
    if (!message?.id) return;
    const before = changes.get(message.id) ?? NO_CHANGE;
    const labelIds = message.labelIds == null ? undefined : labels(message.labelIds);
    changes.set(message.id, { ...before, ...what, id: message.id, labelIds });
  };
  for (const { messagesAdded, labelsAdded, labelsRemoved, messagesDeleted } of records) {
    for (const { message } of messagesAdded ?? []) note(message, { isAdded: true, isDeleted: false });
    // What comes along as the labels of a mail is not promised to be those after the change.
    for (const { message, labelIds } of labelsAdded ?? [])
      note(message, { isRelabelled: true }, (given) => [...new Set([...given, ...(labelIds ?? [])])]);
    for (const { message, labelIds } of labelsRemoved ?? []) {
      const removedLabelIds = [...(changes.get(message?.id ?? '')?.removedLabelIds ?? []), ...(labelIds ?? [])];
      note(message, { isRelabelled: true, removedLabelIds }, (given) =>
        given.filter((id) => labelIds?.includes(id) !== true),
      );
    }
    for (const { message } of messagesDeleted ?? []) note(message, { isDeleted: true });
  }
  return [...changes.values()];
}

/** A mail of which nothing is said. */
export const NO_CHANGE: MailChange = {
  ...{ id: '', isAdded: false, isDeleted: false, isRelabelled: false },
  ...{ removedLabelIds: [], labelIds: undefined },
};

/** The later of two places; they are numbers of up to 64 bits, and more with emulators. */
function later(a: string, b: string | null | undefined): string {
  return b && BigInt(b) > BigInt(a) ? b : a;
}
