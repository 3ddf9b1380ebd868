import { isRecord } from '../../base/json.ts';
import { unwrapped } from '../../config/prompt/envelope.ts';
import { ownWords } from '../../guard/time/own-words.ts';
import type { MailSummary } from '../../mail/mail.ts';
import type { Tool, WorldTool } from '../../tool/tool.ts';
import type { LinkedThread, Objective } from '../objective/objective.ts';
import { addressOf } from '../objective/silent.ts';
import { sentAt, type Unfetched, type UnfetchedMail } from './thread-mails.ts';

type Context = Parameters<WorldTool['run']>[1];

/** The tools by which a wake reads in mailboxes. */
interface MailTools {
  readonly read: WorldTool;
  readonly search: WorldTool;
}

/** The tools by which a wake reads in mailboxes; undefined where they are not there. */
export function mailTools(tools: { get(name: string): Tool | undefined }): MailTools | undefined {
  const read = tools.get('mail_read');
  const search = tools.get('mail_search');
  return read?.effects === 'read' && search?.effects === 'read' ? { read, search } : undefined;
}

/** A thread as its mailbox has it. */
interface ReadThread extends Unfetched {
  /** Somebody else has written since, and no program. */
  readonly isAnswered: boolean;
  readonly accountId: unknown;
  readonly entries: readonly Readonly<Record<string, unknown>>[];
}

/** A linked thread of an objective, and its stored mails, oldest first. */
interface KnownThread {
  readonly thread: LinkedThread;
  readonly known: readonly MailSummary[];
  readonly objective: Objective;
}

/** Most mails of a thread that a wake reads in its mailbox: the newest. */
const MAX_READ = 10;

/** The mails of a thread that the store does not have; undefined where no mail is known by which to find it. Errors of the tools. */
export async function readUnfetched(
  { read, search }: MailTools,
  of: KnownThread,
  context: Context,
): Promise<ReadThread | undefined> {
  const { known } = of;
  const named = await mailOfThread(search, of, context);
  if (named === undefined) return undefined;
  const listing = await read.run({ ...named, thread: true }, context);
  const accountId = isRecord(listing) ? listing['accountId'] : undefined;
  const entries = listed(listing);
  const ids = new Set(known.map(({ messageId }) => messageId));
  const unknown = entries.filter(({ messageId }) => typeof messageId === 'string' && !ids.has(messageId));
  const mails: UnfetchedMail[] = [];
  const automatic = new Set<unknown>();
  for (const { ref, messageId, date } of unknown.slice(-MAX_READ)) {
    const mail = await read.run({ ref, accountId }, context);
    if (!isRecord(mail)) continue;
    if (mail['autoSubmitted'] === true) automatic.add(messageId);
    if (typeof mail['email'] === 'string')
      mails.push({ messageId: String(messageId), date: String(date), text: unwrapped(mail['email'], ['MAIL']) });
  }
  const newest = newestOf(of, entries);
  const others = othersOf(of);
  const isAnswered = unknown.some(
    ({ messageId, from, date }) =>
      !automatic.has(messageId) &&
      Date.parse(String(date)) > newest &&
      Array.isArray(from) &&
      from.filter(isRecord).some(({ address }) => typeof address === 'string' && others.has(addressOf(address))),
  );
  const skipped = unknown
    .slice(0, -MAX_READ)
    .map(({ messageId, date }) => ({ messageId: String(messageId), date: String(date) }));
  return { mails, skipped, isAnswered, accountId, entries };
}

/** How `mail_read` finds the thread: by a stored mail, else by the mail of the objective that began it. */
async function mailOfThread(search: WorldTool, { thread, known, objective }: KnownThread, context: Context) {
  const last = known.at(-1);
  if (last !== undefined) return { emailId: last.id };
  const { accountId, threadId } = thread;
  const { lastSent } = objective;
  if (isOn(thread, lastSent)) return { accountId, ref: lastSent.ref };
  // A thread without a name of its own has the Message-ID of its first mail.
  if (!threadId.startsWith('<')) return undefined;
  const [found] = listed(await search.run({ accountId, messageId: threadId, limit: 1 }, context));
  return found === undefined ? undefined : { accountId, ref: found['ref'] };
}

function isOn({ accountId, threadId }: LinkedThread, mail: Objective['lastSent']): mail is NonNullable<typeof mail> {
  return mail !== undefined && mail.accountId === accountId && mail.threadId === threadId;
}

/** Mails from then on are answers, in epoch milliseconds: the newest stored one; of a thread without any, the mail that began it. */
function newestOf({ thread, known, objective }: KnownThread, entries: ReadThread['entries']): number {
  if (known.length > 0) return Math.max(0, ...known.map(sentAt));
  const { lastSent } = objective;
  const sent = isOn(thread, lastSent) ? entries.find(({ ref }) => ref === lastSent.ref) : undefined;
  return Date.parse(String(sent?.['date'])) || 0;
}

/** Addresses of those whose mail is an answer: they have written on the thread, or got mail of the objective on it. */
function othersOf({ thread, known, objective: { silent = [] } }: KnownThread): ReadonlySet<string> {
  return new Set([
    ...known.filter(({ own }) => !own).flatMap(({ from }) => from.map(({ address }) => addressOf(address))),
    ...silent.filter(({ threadId }) => threadId === thread.threadId).map(({ address }) => address),
  ]);
}

/** The mails that a tool lists. */
function listed(listing: unknown): Readonly<Record<string, unknown>>[] {
  return isRecord(listing) && Array.isArray(listing['mails']) ? listing['mails'].filter(isRecord) : [];
}

/** What the user wrote in the newest mail of a thread that the mailbox holds as sent, and Callsheet did not write. No From counts. */
export async function lastWords(
  tool: WorldTool,
  { entries, accountId }: ReadThread,
  context: Context,
): Promise<string> {
  const sent = entries.findLast(
    ({ isSent, messageId }) => isSent === true && !String(messageId).startsWith('<callsheet.'),
  );
  if (sent === undefined) return '';
  const mail = await tool.run({ ref: sent['ref'], accountId }, context);
  if (!isRecord(mail) || typeof mail['email'] !== 'string') return '';
  const text = unwrapped(mail['email'], ['MAIL']);
  // The headers end at the first empty line, the words at the signature (RFC 3676 4.3).
  const body = text.slice(text.indexOf('\n\n') + 2).replace(/^-- ?\r?\n[\s\S]*/m, '');
  return ownWords(body).trim().slice(0, MAX_WORDS);
}

/** Most characters of what the user wants. */
const MAX_WORDS = 4000;
