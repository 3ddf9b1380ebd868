import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import { scopesFor } from '../../account/scopes.ts';
import { type GmailReadDeps, headerBlock, readEntry, LISTED_HEADERS } from './message.ts';
import { GmailClient, type GmailOptions } from './client.ts';
import { isNotFound } from './error.ts';
import { GmailLabels } from './labels.ts';
import { GmailSender } from './send.ts';
import { UNITS } from './quota.ts';
import { gmailQuery, isWithin } from './query.ts';
import type { MailEntry, Mailbox, MailQuery, Signature } from '../mailbox.ts';
import type { MailParser } from '../mail.ts';
import { htmlToText } from '../html/html-to-text.ts';

export interface GmailMailboxOptions extends GmailOptions {
  readonly workers: MailParser;
}

/** Mails that one search reads at the same time, and most pages that it reads. */
const AT_ONCE = 5;
const MAX_PAGES = 5;

const READ = scopesFor('gmail', ['read']);

/** Dependencies of the functions below. */
interface Context {
  readonly client: GmailClient;
  readonly labels: GmailLabels;
  readonly reading: GmailReadDeps;
}

/**
 * The mailbox of a `gmail` account. A `ref` is Gmail's id of a mail, which is also the `providerId` of the source; it
 * never changes. Labels are named as in `GmailLabels`. Searches and threads leave out drafts, and threads leave out the
 * trash. For sending see `GmailSender`.
 */
export function createGmailMailbox(options: GmailMailboxOptions): Mailbox {
  const { accountId, email, clock, workers } = options;
  const client = new GmailClient(options);
  const labels = new GmailLabels(client, clock);
  const sender = new GmailSender({ accountId, workers, client, clock });
  const context: Context = { client, labels, reading: { accountId, email, labels, workers } };
  return {
    search: (query, searchOptions) => search(context, query, searchOptions),
    read: (ref, { signal } = {}) => readMail(context, ref, { signal }),
    recent: (place, recentOptions) => recent(context, place, recentOptions),
    thread: (threadId, { signal } = {}) => readThread(context, threadId, { signal }),
    draft: (mail, { signal } = {}) => sender.draft(mail, { signal }),
    findDraft: (messageId, { signal } = {}) => sender.findDraft(messageId, { signal }),
    discardDraft: (messageId, { signal } = {}) => sender.discardDraft(messageId, { signal }),
    send: (mail, { signal, onSent } = {}) => sender.send(mail, { signal, onSent }),
    findSent: (messageId, { signal } = {}) => sender.findSent(messageId, { signal }),
    label: (ref, change, { signal } = {}) => label(context, ref, change, { signal }),
    async archive(ref, { signal } = {}) {
      await modify(client, ref, { addLabelIds: [], removeLabelIds: ['INBOX'] }, { signal });
    },
    signature: ({ signal } = {}) => readSignature(client, email, { signal }),
  };
}

async function search(
  { client, labels, reading }: Context,
  query: MailQuery,
  { signal, limit }: Abortable & { readonly limit: number },
): Promise<readonly MailEntry[]> {
  const labelId = query.label === undefined ? undefined : await labels.idOf(query.label, { signal });
  if (query.label !== undefined && labelId === undefined) return [];
  const found: MailEntry[] = [];
  for await (const ids of pages(client, { q: gmailQuery(query), labelId, limit }, { signal })) {
    for (let n = 0; n < ids.length && found.length < limit; n += AT_ONCE) {
      const batch = await Promise.all(ids.slice(n, n + AT_ONCE).map((id) => readHeaders(client, id, { signal })));
      for (const message of batch) {
        if (message === undefined || isDraft(message)) continue;
        if (!isWithin(Number(message.internalDate ?? 0), query)) continue;
        found.push(await readEntry(message, headerBlock(message), reading, { signal }));
      }
    }
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

async function recent(
  { client, reading }: Context,
  place: 'sent' | 'drafts',
  { since, limit, signal }: Abortable & { readonly since: string; readonly limit: number },
): Promise<readonly MailEntry[]> {
  const labelId = place === 'sent' ? 'SENT' : 'DRAFT';
  const q = `after:${Math.floor(Date.parse(since) / 1000) - 1}`;
  const found: MailEntry[] = [];
  for await (const ids of pages(client, { q, labelId, limit }, { signal })) {
    for (let n = 0; n < ids.length && found.length < limit; n += AT_ONCE)
      for (const message of await Promise.all(
        ids.slice(n, n + AT_ONCE).map((id) => readHeaders(client, id, { signal })),
      )) {
        // A draft is in Sent as soon as it was sent, and no draft any more.
        if (message === undefined || isDraft(message) !== (place === 'drafts')) continue;
        found.push(await readEntry(message, headerBlock(message), reading, { signal }));
      }
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** Ids of the mails that Gmail finds, newest first, page by page. */
async function* pages(
  client: GmailClient,
  { q, labelId, limit }: { readonly q: string; readonly labelId: string | undefined; readonly limit: number },
  { signal }: Abortable,
): AsyncIterable<readonly string[]> {
  let pageToken: string | undefined;
  for (let n = 0; n < MAX_PAGES && (n === 0 || pageToken !== undefined); n++) {
    const params = {
      ...{ userId: 'me', maxResults: Math.min(limit, 100) },
      ...(q !== '' && { q }),
      ...(labelId !== undefined && { labelIds: [labelId] }),
      ...(pageToken !== undefined && { pageToken }),
    };
    const page: gmail_v1.Schema$ListMessagesResponse = await client.request(
      { units: UNITS.list, scopes: READ, send: (api, options) => api.users.messages.list(params, options) },
      { signal },
    );
    yield (page.messages ?? []).flatMap(({ id }) => id ?? []);
    pageToken = page.nextPageToken ?? undefined;
  }
}

/** The headers of a mail, or undefined where it is gone by now. */
async function readHeaders(
  client: GmailClient,
  id: string,
  { signal }: Abortable,
): Promise<gmail_v1.Schema$Message | undefined> {
  const params = { userId: 'me', id, format: 'metadata', metadataHeaders: LISTED_HEADERS };
  try {
    return await client.request(
      {
        units: UNITS.get,
        scopes: READ,
        resource: `mail ${id}`,
        send: (api, options) => api.users.messages.get(params, options),
      },
      { signal },
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function readMail(
  { client, reading }: Context,
  ref: string,
  { signal }: Abortable,
): Promise<{ readonly mime: Uint8Array; readonly entry: MailEntry }> {
  const message = await client.request(
    {
      ...{ units: UNITS.get, scopes: READ, resource: `mail ${ref}`, isWholeMail: true },
      send: (api, options) => api.users.messages.get({ userId: 'me', id: ref, format: 'raw' }, options),
    },
    { signal },
  );
  const mime = new Uint8Array(Buffer.from(message.raw ?? '', 'base64url'));
  return { mime, entry: await readEntry(message, mime, reading, { signal }) };
}

async function readThread(
  { client, reading }: Context,
  threadId: string,
  { signal }: Abortable,
): Promise<readonly MailEntry[]> {
  const params = { userId: 'me', id: threadId, format: 'metadata', metadataHeaders: LISTED_HEADERS };
  const { messages = [] } = await client.request(
    {
      ...{ units: UNITS.thread, scopes: READ, resource: `thread ${threadId}` },
      send: (api, options) => api.users.threads.get(params, options),
    },
    { signal },
  );
  const shown = messages.filter((message) => !isDraft(message) && !message.labelIds?.includes('TRASH'));
  const ordered = shown.sort((a, b) => Number(a.internalDate ?? 0) - Number(b.internalDate ?? 0));
  const thread: MailEntry[] = [];
  for (const message of ordered) thread.push(await readEntry(message, headerBlock(message), reading, { signal }));
  return thread;
}

async function label(
  { client, labels }: Context,
  ref: string,
  { add, remove }: Parameters<Mailbox['label']>[1],
  { signal }: Abortable,
): Promise<{ readonly labels: readonly string[] }> {
  const addLabelIds: string[] = [];
  for (const name of add) addLabelIds.push(await labels.ensure(name, { signal }));
  const removeLabelIds: string[] = [];
  for (const name of remove) {
    const id = await labels.idOf(name, { signal });
    if (id !== undefined && !addLabelIds.includes(id)) removeLabelIds.push(id);
  }
  try {
    const ids = await modify(client, ref, { addLabelIds, removeLabelIds }, { signal });
    return { labels: await labels.namesOf(ids, { signal }) };
  } catch (error) {
    // Somebody may have deleted one of the labels.
    labels.invalidate();
    throw error;
  }
}

/** Ids of the labels of a mail after the change. */
async function modify(
  client: GmailClient,
  ref: string,
  requestBody: { readonly addLabelIds: string[]; readonly removeLabelIds: string[] },
  { signal }: Abortable,
): Promise<readonly string[]> {
  const { labelIds } = await client.request(
    {
      ...{ units: UNITS.modify, scopes: scopesFor('gmail', ['label']), resource: `mail ${ref}` },
      send: (api, options) => api.users.messages.modify({ userId: 'me', id: ref, requestBody }, options),
    },
    { signal },
  );
  return labelIds ?? [];
}

/** The signature of the account's address, else of the address that Gmail sends from by default. */
async function readSignature(
  client: GmailClient,
  email: string,
  { signal }: Abortable,
): Promise<Signature | undefined> {
  const { sendAs = [] } = await client.request(
    {
      ...{ units: UNITS.sendAs, scopes: READ },
      send: (api, options) => api.users.settings.sendAs.list({ userId: 'me' }, options),
    },
    { signal },
  );
  const mine = sendAs.find(({ sendAsEmail }) => sendAsEmail?.toLowerCase() === email.toLowerCase());
  const chosen = mine ?? sendAs.find(({ isDefault }) => isDefault) ?? sendAs.find(({ isPrimary }) => isPrimary);
  const html = chosen?.signature ?? '';
  const text = htmlToText(html);
  return text === '' ? undefined : { text, html };
}

function isDraft({ labelIds }: gmail_v1.Schema$Message): boolean {
  return labelIds?.includes('DRAFT') === true;
}
