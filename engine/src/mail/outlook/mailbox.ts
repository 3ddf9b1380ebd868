import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { type Graph, odataText, withQuery } from '../../account/microsoft/graph.ts';
import { createGraph } from '../../account/microsoft/graph-client.ts';
import { problemOf } from '../../account/microsoft/graph-error.ts';
import type { AccountTokens, Endpoints } from '../../account/account.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { Mailbox, MailEntry, MailQuery } from '../mailbox.ts';
import {
  FLAGGED,
  type GraphMessage,
  labelsOf,
  MAILBOX_FIELDS,
  entryOf,
  messagePath,
  textOf,
  timeOf,
} from './message.ts';
import { isWanted, searchPath } from './query.ts';
import { OutlookSender } from './send.ts';

/** Options of `createOutlookMailbox`. */
export interface OutlookMailboxOptions {
  readonly accountId: string;
  readonly clock: Clock;
  /** Always the same object for one account. */
  readonly tokens: AccountTokens;
  readonly endpoints?: Pick<Endpoints, 'api'> | undefined;
}

const READ = scopesFor('outlook', ['read']);
const WRITE = scopesFor('outlook', ['label', 'archive']);

/** Largest number of messages that a search reads, which is also the limit of Graph's `$search`. */
const MAX_SEARCHED = 1000;
const MAX_IN_THREAD = 500;
const MAX_BYTES = 64 * 1024 * 1024;

const LABEL_FIELDS = 'id,categories,flag';

/** Attempts of a label change while another program changes the same mail. */
const MAX_TRIES = 3;

/**
 * The mailbox of an `outlook` account, through Microsoft Graph. Labels are categories, which need not be created first,
 * and `\Flagged`; archiving moves to the Archive folder. A `ref` is the immutable id, which is the `providerId` of
 * ingested mail. Graph has no access to the signature that is set in Outlook.
 */
export function createOutlookMailbox(options: OutlookMailboxOptions): Mailbox {
  const graph = createGraph(options);
  const sender = new OutlookSender(graph, options.clock);
  return {
    search: (query, searchOptions) => search(graph, query, searchOptions),
    async read(ref, { signal } = {}) {
      const path = `${messagePath(ref)}/$value`;
      const [item, sentFolder, mime] = await Promise.all([
        itemOf(graph, ref, MAILBOX_FIELDS, { signal }),
        sentFolderOf(graph, { signal }),
        graph.bytes({ path, scopes: READ, maxBytes: MAX_BYTES, signal }),
      ]);
      return { mime, entry: entryOf(item, sentFolder) };
    },
    recent: (place, recentOptions) => recent(graph, place, recentOptions),
    thread: (threadId, { signal } = {}) => readThread(graph, threadId, { signal }),
    draft: (mail, { signal } = {}) => sender.draft(mail, { signal }),
    findDraft: (messageId, { signal } = {}) => sender.findDraft(messageId, { signal }),
    discardDraft: (messageId, { signal } = {}) => sender.discardDraft(messageId, { signal }),
    send: (mail, { signal } = {}) => sender.send(mail, { signal }),
    findSent: (messageId, { signal } = {}) => sender.findSent(messageId, { signal }),
    label: (ref, change, { signal } = {}) => label(graph, ref, change, { signal }),
    async archive(ref, { signal } = {}) {
      // Exchange leaves a mail that is already there unchanged.
      const body = { destinationId: 'archive' };
      const path = `${messagePath(ref)}/move`;
      await graph.json({ method: 'POST', path, body, scopes: WRITE, isRepeatable: true, signal });
    },
    async signature({ signal } = {}) {
      signal?.throwIfAborted();
      return undefined;
    },
  };
}

async function search(
  graph: Graph,
  query: MailQuery,
  { limit, signal }: Abortable & { readonly limit: number },
): Promise<readonly MailEntry[]> {
  const find = async (path: string) => {
    const found: GraphMessage[] = [];
    let count = 0;
    for await (const item of graph.items({ path, scopes: READ, signal })) {
      if (isWanted(item, query)) found.push(item);
      if (found.length >= limit || ++count >= MAX_SEARCHED) break;
    }
    return found;
  };
  const found = await find(searchPath(query)).catch((error: unknown) => {
    // Exchange refuses a filter that would take too long.
    const isTooMuch = query.label !== undefined && problemOf(error)?.status === 400;
    if (isTooMuch) return find(searchPath(withoutLabel(query)));
    throw error;
  });
  // Only a Message-ID is looked for among sent mail.
  const sentFolder = query.messageId === undefined ? '' : await sentFolderOf(graph, { signal });
  return found
    .toSorted(byTime)
    .reverse()
    .map((item) => entryOf(item, sentFolder));
}

async function recent(
  graph: Graph,
  place: 'sent' | 'drafts',
  { since, limit, signal }: Abortable & { readonly since: string; readonly limit: number },
): Promise<readonly MailEntry[]> {
  const path = withQuery(`/me/mailFolders/${place === 'sent' ? 'sentitems' : 'drafts'}/messages`, {
    ...{ $select: MAILBOX_FIELDS, $top: 50, $orderby: 'receivedDateTime desc' },
    // A sent mail is received as it is sent, a draft as it is first saved.
    $filter: `receivedDateTime ge ${new Date(Date.parse(since)).toISOString()}`,
  });
  const found: MailEntry[] = [];
  for await (const item of graph.items({ path, scopes: READ, signal })) {
    found.push(entryOf(item, place === 'sent' ? textOf(item, 'parentFolderId') : ''));
    if (found.length >= limit) break;
  }
  return found;
}

/** Id of the folder of sent mail. */
async function sentFolderOf(graph: Graph, { signal }: Abortable): Promise<string> {
  const path = withQuery('/me/mailFolders/sentitems', { $select: 'id' });
  return textOf(await graph.json({ path, scopes: READ, signal }), 'id');
}

async function readThread(graph: Graph, threadId: string, { signal }: Abortable): Promise<readonly MailEntry[]> {
  // Exchange sorts only by the property that it filters by.
  const $filter = `conversationId eq ${odataText(threadId)}`;
  const path = withQuery('/me/messages', { $select: MAILBOX_FIELDS, $top: 50, $filter });
  const found: GraphMessage[] = [];
  for await (const item of graph.items({ path, scopes: READ, signal })) {
    if (item['isDraft'] !== true) found.push(item);
    if (found.length >= MAX_IN_THREAD) break;
  }
  if (found.length === 0) throw new EngineError('NOT_FOUND', `the account has no mail of thread ${threadId}`);
  const sentFolder = await sentFolderOf(graph, { signal });
  return found.toSorted(byTime).map((item) => entryOf(item, sentFolder));
}

async function label(
  graph: Graph,
  ref: string,
  { add, remove }: Parameters<Mailbox['label']>[1],
  { signal }: Abortable,
): Promise<{ readonly labels: readonly string[] }> {
  for (let tries = 1; ; tries++) {
    const item = await itemOf(graph, ref, LABEL_FIELDS, { signal });
    const now = labelsOf(item) ?? [];
    const labels = changedLabels(now, add, remove);
    if (labels.join('\n') === now.join('\n')) return { labels };
    try {
      await patch(graph, ref, { now, labels, etag: textOf(item, '@odata.etag') }, signal);
      return { labels };
    } catch (error) {
      const isRace = error instanceof EngineError && error.code === 'CONFLICT';
      if (!isRace || tries >= MAX_TRIES) throw error;
    }
  }
}

async function itemOf(graph: Graph, ref: string, $select: string, { signal }: Abortable): Promise<GraphMessage> {
  return graph.json({ path: withQuery(messagePath(ref), { $select }), scopes: READ, signal });
}

async function patch(
  graph: Graph,
  ref: string,
  { now, labels, etag }: { now: readonly string[]; labels: readonly string[]; etag: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  const isFlagged = labels.includes(FLAGGED);
  const body = {
    categories: labels.filter((label) => label !== FLAGGED),
    // A flag may have dates, or be completed: leave it unchanged unless `\Flagged` changes.
    ...(isFlagged !== now.includes(FLAGGED) && { flag: { flagStatus: isFlagged ? 'flagged' : 'notFlagged' } }),
  };
  const ifMatch = etag === '' ? undefined : etag;
  await graph.json({ method: 'PATCH', path: messagePath(ref), body, scopes: WRITE, ifMatch, signal });
}

function withoutLabel({ label: _, ...query }: MailQuery): MailQuery {
  return query;
}

/** The labels after the change. Exchange ignores the case of category names. */
function changedLabels(now: readonly string[], add: readonly string[], remove: readonly string[]): readonly string[] {
  const has = (labels: readonly string[], label: string) =>
    labels.some((one) => one.toLowerCase() === label.toLowerCase());
  const kept = now.filter((label) => !has(remove, label));
  for (const label of add)
    if (!has(kept, label)) kept.push(label.toLowerCase() === FLAGGED.toLowerCase() ? FLAGGED : label);
  return kept;
}

/** Oldest first. */
function byTime(a: GraphMessage, b: GraphMessage): number {
  return timeOf(a, 'receivedDateTime').localeCompare(timeOf(b, 'receivedDateTime'));
}
