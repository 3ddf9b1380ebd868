import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import { scopesFor } from '../../account/scopes.ts';
import { type GmailReadDeps, headerBlock, readAt, SHOWN } from './message.ts';
import { GmailClient, type GmailOptions } from './client.ts';
import { isNotFound } from './error.ts';
import { GmailLabels } from './labels.ts';
import { GmailSender } from './send.ts';
import { UNITS } from './quota.ts';
import { gmailQuery, isWithin } from './query.ts';
import type { MailAt, Mailbox, MailQuery, Signature } from '../mailbox.ts';
import type { MailParser } from '../mail.ts';
import { textOfHtml } from '../html/html-to-text.ts';

export interface GmailMailboxOptions extends GmailOptions {
  readonly workers: MailParser;
}

/** Mails that are read at a time for one search, and pages of them that are looked through. */
const AT_ONCE = 5;
const MOST_PAGES = 5;

const READ = scopesFor('gmail', ['read']);

/**
 * The mailbox of a `gmail` account. A `ref` is the id that Gmail gives a mail, which is also the `providerId` of the source; it
 * stays the same wherever the mail is moved. Labels are spelled as in `GmailLabels`. Searches and threads leave out drafts, and
 * threads leave out the trash. For sending see `GmailSender`.
 */
export function createGmailMailbox(options: GmailMailboxOptions): Mailbox {
  const { accountId, email, clock, workers } = options;
  const client = new GmailClient(options);
  const labels = new GmailLabels(client, clock);
  const outbox = new GmailSender({ accountId, workers, client, clock });
  const deps: GmailReadDeps = { accountId, email, labels, workers };

  async function search(query: MailQuery, { signal, limit }: Abortable & { readonly limit: number }) {
    const labelId = query.label === undefined ? undefined : await labels.idOf(query.label, { signal });
    if (query.label !== undefined && labelId === undefined) return [];
    const found: MailAt[] = [];
    for await (const ids of pages(gmailQuery(query), labelId, limit, { signal })) {
      for (let n = 0; n < ids.length && found.length < limit; n += AT_ONCE) {
        const some = await Promise.all(ids.slice(n, n + AT_ONCE).map((id) => glance(id, { signal })));
        for (const message of some) {
          if (message === undefined || isDraft(message)) continue;
          if (!isWithin(Number(message.internalDate ?? 0), query)) continue;
          found.push(await readAt(message, headerBlock(message), deps, { signal }));
        }
      }
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  /** Ids of what Gmail finds, newest first. */
  async function* pages(q: string, labelId: string | undefined, limit: number, { signal }: Abortable) {
    let pageToken: string | undefined;
    for (let n = 0; n < MOST_PAGES && (n === 0 || pageToken !== undefined); n++) {
      const params = {
        ...{ userId: 'me', maxResults: Math.min(limit, 100) },
        ...(q !== '' && { q }),
        ...(labelId !== undefined && { labelIds: [labelId] }),
        ...(pageToken !== undefined && { pageToken }),
      };
      const page: gmail_v1.Schema$ListMessagesResponse = await client.ask(
        { units: UNITS.list, scopes: READ, send: (api, how) => api.users.messages.list(params, how) },
        { signal },
      );
      yield (page.messages ?? []).flatMap(({ id }) => id ?? []);
      pageToken = page.nextPageToken ?? undefined;
    }
  }

  /** The headers of a mail, or undefined where it has just gone. */
  async function glance(id: string, { signal }: Abortable): Promise<gmail_v1.Schema$Message | undefined> {
    const params = { userId: 'me', id, format: 'metadata', metadataHeaders: SHOWN };
    try {
      return await client.ask(
        {
          units: UNITS.get,
          scopes: READ,
          thing: `mail ${id}`,
          send: (api, how) => api.users.messages.get(params, how),
        },
        { signal },
      );
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async function modify(ref: string, addLabelIds: string[], removeLabelIds: string[], { signal }: Abortable) {
    const { labelIds } = await client.ask(
      {
        ...{ units: UNITS.modify, scopes: scopesFor('gmail', ['label']), thing: `mail ${ref}` },
        send: (api, how) =>
          api.users.messages.modify({ userId: 'me', id: ref, requestBody: { addLabelIds, removeLabelIds } }, how),
      },
      { signal },
    );
    return labelIds ?? [];
  }

  return {
    search,
    async read(ref, { signal } = {}) {
      const message = await client.ask(
        {
          ...{ units: UNITS.get, scopes: READ, thing: `mail ${ref}`, isWhole: true },
          send: (api, how) => api.users.messages.get({ userId: 'me', id: ref, format: 'raw' }, how),
        },
        { signal },
      );
      const mime = new Uint8Array(Buffer.from(message.raw ?? '', 'base64url'));
      return { mime, at: await readAt(message, mime, deps, { signal }) };
    },
    async thread(threadId, { signal } = {}) {
      const params = { userId: 'me', id: threadId, format: 'metadata', metadataHeaders: SHOWN };
      const { messages = [] } = await client.ask(
        {
          ...{ units: UNITS.thread, scopes: READ, thing: `thread ${threadId}` },
          send: (api, how) => api.users.threads.get(params, how),
        },
        { signal },
      );
      const shown = messages.filter((message) => !isDraft(message) && !message.labelIds?.includes('TRASH'));
      const ordered = shown.sort((a, b) => Number(a.internalDate ?? 0) - Number(b.internalDate ?? 0));
      const thread: MailAt[] = [];
      for (const message of ordered) thread.push(await readAt(message, headerBlock(message), deps, { signal }));
      return thread;
    },
    draft: (mail, { signal } = {}) => outbox.draft(mail, { signal }),
    findDraft: (messageId, { signal } = {}) => outbox.findDraft(messageId, { signal }),
    send: (mail, { signal, onOut } = {}) => outbox.send(mail, { signal, onOut }),
    findSent: (messageId, { signal } = {}) => outbox.findSent(messageId, { signal }),
    async label(ref, { add, remove }, { signal } = {}) {
      const added: string[] = [];
      for (const name of add) added.push(await labels.make(name, { signal }));
      const removed: string[] = [];
      for (const name of remove) {
        const id = await labels.idOf(name, { signal });
        if (id !== undefined && !added.includes(id)) removed.push(id);
      }
      try {
        return { labels: await labels.namesOf(await modify(ref, added, removed, { signal }), { signal }) };
      } catch (error) {
        // Somebody may have deleted one of them.
        labels.forget();
        throw error;
      }
    },
    async archive(ref, { signal } = {}) {
      await modify(ref, [], ['INBOX'], { signal });
    },
    signature: ({ signal } = {}) => readSignature(client, email, { signal }),
  };
}

/** That of the account's address, else of the one that Gmail sends from by default. */
async function readSignature(
  client: GmailClient,
  email: string,
  { signal }: Abortable,
): Promise<Signature | undefined> {
  const { sendAs = [] } = await client.ask(
    {
      ...{ units: UNITS.sendAs, scopes: READ },
      send: (api, how) => api.users.settings.sendAs.list({ userId: 'me' }, how),
    },
    { signal },
  );
  const mine = sendAs.find(({ sendAsEmail }) => sendAsEmail?.toLowerCase() === email.toLowerCase());
  const chosen = mine ?? sendAs.find(({ isDefault }) => isDefault) ?? sendAs.find(({ isPrimary }) => isPrimary);
  const html = chosen?.signature ?? '';
  const text = textOfHtml(html);
  return text === '' ? undefined : { text, html };
}

function isDraft({ labelIds }: gmail_v1.Schema$Message): boolean {
  return labelIds?.includes('DRAFT') === true;
}
