import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import type { GmailLabels } from './labels.ts';
import type { MailParser, MailSummary } from '../mail.ts';
import { mailEntry } from '../mail-match.ts';
import type { MailEntry } from '../mailbox.ts';

/** Headers that are asked for where only what a search shows is wanted. */
export const LISTED_HEADERS = ['From', 'To', 'Cc', 'Subject', 'Date', 'Message-ID'];

/** What reading a mail of Gmail takes. */
export interface GmailReadDeps {
  readonly accountId: string;
  readonly email: string;
  readonly labels: GmailLabels;
  readonly workers: MailParser;
}

/**
 * What a search shows of a mail. `mime` is all of it, or its header block: the same parser as for fetched mail reads it, in a
 * worker. Rejects on abort.
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
  return mailEntry(ref, { ...summary, snippet: summary.snippet || unescaped(snippet ?? '') });
}

/** The header block of a mail that was asked for with `format: metadata`. */
export function headerBlock({ payload }: gmail_v1.Schema$Message): Uint8Array {
  const lines = (payload?.headers ?? []).map(({ name, value }) => `${name}: ${oneLine(value ?? '')}\r\n`);
  return new TextEncoder().encode(`${lines.join('')}\r\n`);
}

/** The first header of that name, in any case; `''` where there is none. */
export function headerOf({ payload }: gmail_v1.Schema$Message, name: string): string {
  const found = payload?.headers?.find((header) => header.name?.toLowerCase() === name.toLowerCase());
  return (found?.value ?? '').trim();
}

function oneLine(value: string): string {
  return value.replace(/[\r\n]+\s*/g, ' ');
}

const ENTITIES: Readonly<Record<string, string>> = { 'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', '#39': "'" };

/** Gmail's snippets are text that was made ready for a page. */
function unescaped(snippet: string): string {
  return snippet.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
