import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { GmailClient } from './client.ts';
import { isNotFound } from './error.ts';
import { UNITS } from './quota.ts';

/** All changes of one mail in a batch of history. */
export interface MailChange {
  readonly id: string;
  readonly isAdded: boolean;
  /** Deleted for good, not moved to the trash. */
  readonly isDeleted: boolean;
  readonly isRelabelled: boolean;
  /** Ids of removed labels; the mail may have them again. */
  readonly removedLabelIds: readonly string[];
  /** Ids of all labels afterwards; undefined where Gmail does not say. */
  readonly labelIds: readonly string[] | undefined;
}

/** A batch of history, in the order in which its mails first occur. */
export interface HistoryBatch {
  readonly changes: readonly MailChange[];
  /** Start of the next batch. */
  readonly historyId: string;
  readonly isLast: boolean;
}

/** Records per request; one record may be about many mails. */
const RECORDS = 200;

/**
 * Reads the changes after `since`; undefined where Gmail no longer has them (usually after a week, at worst after some
 * hours), and everything must be listed again. Records are in order of time, may occur twice, and may name mails that
 * are gone by now. https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/list
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
      // Gmail sometimes returns an empty page although more pages follow.
      pageToken = nextPageToken;
      continue;
    }
    const changes = changesOf(history);
    // Where more pages follow, the batch reaches to its last record. Else it reaches to the history id of the first
    // response: later changes are in none of the pages, or in the last record.
    if (nextPageToken && last) return { changes, historyId: last, isLast: false };
    return { changes, historyId: laterHistoryId(laterHistoryId(first, last), since), isLast: true };
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
        resource: 'such history id',
        isBackground: true,
        send: (api, options) => api.users.history.list(params, options),
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
  const record = (
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
    for (const { message } of messagesAdded ?? []) record(message, { isAdded: true, isDeleted: false });
    // Gmail does not promise that the labels in a record are those after the change.
    for (const { message, labelIds } of labelsAdded ?? [])
      record(message, { isRelabelled: true }, (given) => [...new Set([...given, ...(labelIds ?? [])])]);
    for (const { message, labelIds } of labelsRemoved ?? []) {
      const removedLabelIds = [...(changes.get(message?.id ?? '')?.removedLabelIds ?? []), ...(labelIds ?? [])];
      record(message, { isRelabelled: true, removedLabelIds }, (given) =>
        given.filter((id) => labelIds?.includes(id) !== true),
      );
    }
    for (const { message } of messagesDeleted ?? []) record(message, { isDeleted: true });
  }
  return [...changes.values()];
}

/** A mail without changes. */
export const NO_CHANGE: MailChange = {
  ...{ id: '', isAdded: false, isDeleted: false, isRelabelled: false },
  ...{ removedLabelIds: [], labelIds: undefined },
};

/** The later of two history ids; they are numbers of up to 64 bits, and larger with emulators. */
function laterHistoryId(a: string, b: string | null | undefined): string {
  return b && BigInt(b) > BigInt(a) ? b : a;
}
