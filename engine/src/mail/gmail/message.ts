import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import type { GmailLabels } from './labels.ts';
import type { MailParser, MailSummary } from '../mail.ts';
import { mailEntry } from '../mail-match.ts';
import type { MailEntry } from '../mailbox.ts';

/** Headers that an entry of a search needs. */
export const LISTED_HEADERS = ['From', 'To', 'Cc', 'Subject', 'Date', 'Message-ID'];

/** Dependencies of `readEntry`. */
export interface GmailReadDeps {
  readonly accountId: string;
  readonly email: string;
  readonly labels: GmailLabels;
  readonly workers: MailParser;
}

/**
 * Creates the mailbox entry of a message. `mime` is the whole mail or its header block; a worker parses it with the
 * same parser as ingested mail. Rejects on abort.
 */
export async function readEntry(
  message: gmail_v1.Schema$Message,
  mime: Uint8Array,
  { accountId, email, labels, workers }: GmailReadDeps,
  { signal }: Abortable,
): Promise<MailEntry> {
  const { id, threadId, labelIds, internalDate, snippet } = message;
  const ref = id ?? '';
  const receivedAt = new Date(Number(internalDate ?? 0)).toISOString();
  const parsed = await workers.parse(
    { kind: 'bytes', bytes: mime.slice() },
    {
      ...{ id: ref, accountId, ownAddresses: [email], receivedAt, readsLabelHeaders: false },
      labels: await labels.namesOf(labelIds ?? [], { signal }),
      ...(threadId && { threadId }),
    },
    { signal },
  );
  const summary = JSON.parse(parsed.summary) as MailSummary;
  const isSent = labelIds?.includes('SENT') === true;
  return mailEntry(ref, { ...summary, snippet: summary.snippet || unescapeHtml(snippet ?? '') }, isSent);
}

/** The header block of a message that was requested with `format: metadata`. */
export function headerBlock({ payload }: gmail_v1.Schema$Message): Uint8Array {
  const lines = (payload?.headers ?? []).map(({ name, value }) => `${name}: ${oneLine(value ?? '')}\r\n`);
  return new TextEncoder().encode(`${lines.join('')}\r\n`);
}

/** The first header with that name, in any case; `''` where it is missing. */
export function headerOf({ payload }: gmail_v1.Schema$Message, name: string): string {
  const found = payload?.headers?.find((header) => header.name?.toLowerCase() === name.toLowerCase());
  return (found?.value ?? '').trim();
}

function oneLine(value: string): string {
  return value.replace(/[\r\n]+\s*/g, ' ');
}

const ENTITIES: Readonly<Record<string, string>> = { 'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', '#39': "'" };

/** Gmail's snippets are escaped for HTML. */
function unescapeHtml(snippet: string): string {
  return snippet.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
