import { isoTime } from '../base/clock.ts';
import type { RoutingDecision } from '../filter/filter.ts';
import type { MailContent, MailSummary, ParsedMail } from '../mail/mail.ts';
import { isOnThread, mailOf } from '../mail/mail-store.ts';
import { mailDate } from '../mail/parse/date.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { ifStill, isOpenRow, objectiveOf, objectivesOn } from '../run/objective/objective-rows.ts';
import type { Objective } from '../run/objective/objective.ts';
import { hasWoken, orderChanges, wakeChanges } from '../run/objective/wake.ts';
import { readableRows } from '../store/readable-rows.ts';
import type { Change, Reader, Store } from '../store/store.ts';
import { directorsStartedBy } from './label-starts.ts';

type Starts = RoutingDecision['directors'];
type StoreAndClock = Pick<Dependencies, 'store' | 'clock'>;

/** What a new mail, or a change of labels, means for the objectives on its thread. */
interface ObjectiveMail {
  /** The directors that the mail starts all the same. */
  readonly directors: Starts;
  /** Wakes, and orders to pause and to resume. */
  readonly changes: readonly Change[];
}

/**
 * What a new mail means for the open objectives that watch its thread: it wakes each of them once, and starts no second objective of
 * the same director. An automatic answer (out of office) wakes nothing. A mail from the user's own address wakes nothing either:
 * anybody can write that address into From. The words of the user count where the mailbox holds the mail as sent. No reply is a
 * second copy of a mail that is stored on the thread, and a mail that is older than the objective (`isOlder`) but fetched late. `woken`
 * names the directors of the objectives that wake. The commit of the changes fails with `STORE_CONFLICT` where one of the objectives
 * has gone on meanwhile: then this is to be asked again.
 */
export async function wakeByMail(
  { store, clock }: StoreAndClock,
  thread: string,
  directors: Starts,
  parsed: Pick<ParsedMail, 'summary' | 'content'>,
): Promise<ObjectiveMail & { readonly woken: readonly string[] }> {
  const open = (
    await objectivesOn(
      readableRows(store, () => {}),
      thread,
    )
  ).filter(isOpenRow);
  if (open.length === 0) return { directors, changes: [], woken: [] };
  const own = new Set(open.map(({ director }) => director));
  const others = directors.filter(({ directorId }) => !own.has(directorId));
  const mail = JSON.parse(parsed.summary) as MailSummary;
  const { id, accountId, threadId, messageId, from, snippet } = mail;
  const isReply = !mail.autoSubmitted && !mail.own && !(await isOnThread(store, thread, accountId, messageId));
  // One that ends before the mail is stored would hear of it no more, and its director would not start either.
  const changes: Change[] = open.map(ifStill);
  if (!isReply) return { directors: others, changes, woken: [] };
  const now = clock.now();
  const woken = new Set<string>();
  for (const row of open) {
    // Two lanes may read copies of the same mail at once: they are the same reply.
    const key = `reply\0${accountId}\0${messageId || id}`;
    if ((await hasWoken(store, row.id, key)) || isOlder(mail.date, parsed, objectiveOf(row))) continue;
    const note = {
      ...{ why: 'reply' as const, at: isoTime(now), mailId: id, accountId, threadId, text: snippet },
      ...(from[0] !== undefined && { from: from[0].address }),
    };
    changes.push(...wakeChanges(row.id, key, note, now));
    woken.add(row.director);
  }
  return { directors: others, changes, woken: [...woken] };
}

/** How far clocks of servers may be apart, in ms: a mail that is older by less counts as new. */
const CLOCK_DIFFERENCE = 10 * 60_000;

/**
 * Whether a mail was there before an objective began. Where that is not sure it was not, since a reply that wakes nothing is lost: all
 * its dates must be earlier, also those of the servers that it passed (Received), for Date may be the time at which the user of a
 * wrong clock began to write. Earlier also than the newest mail that was stored on the thread then: a reply may arrive while
 * Callsheet is down, before the label is seen. A mail with an unreadable date is never older. Threads that are linked later count from the beginning
 * too: their link comes some time after the mail that began them. An objective that goes on with an earlier one (`follows`) may have
 * missed mails between the two, so no mail is too old for it.
 */
function isOlder(
  date: string,
  { content }: Pick<ParsedMail, 'content'>,
  { createdAt, newestMailAt, follows }: Pick<Objective, 'createdAt' | 'newestMailAt' | 'follows'>,
): boolean {
  const began = Date.parse(createdAt);
  const limit = Math.min(began, newestMailAt === undefined ? began : Date.parse(newestMailAt)) - CLOCK_DIFFERENCE;
  // NaN is not earlier than anything.
  if (follows !== undefined || !(Date.parse(date) < limit)) return false;
  const { headers } = JSON.parse(content) as MailContent;
  return headers
    .filter(({ name }) => name.toLowerCase() === 'received')
    .every(({ value }) => Date.parse(mailDate(value.slice(value.lastIndexOf(';') + 1))) < limit);
}

/** A known mail whose labels have changed, and the directors that its added labels would start. */
interface Relabelled {
  readonly thread: string;
  readonly mailId: string;
  readonly removed: readonly string[];
  readonly directors: Starts;
}

/**
 * What a change of labels means for the objectives on the thread of a mail. Where the label that started one is on no mail of the
 * thread any more, the objective pauses. The label put on again resumes it; where it is over, its director starts `again`.
 */
export async function orderByLabels(
  { store, clock }: StoreAndClock,
  { thread, mailId, removed, directors }: Relabelled,
): Promise<ObjectiveMail & { readonly again: ReadonlySet<string> }> {
  const again = new Set<string>();
  const rows = await objectivesOn(
    readableRows(store, () => {}),
    thread,
  );
  if (rows.length === 0) return { directors, changes: [], again };
  const now = clock.now();
  const elsewhere = await labelsOfOthers(store, thread, mailId);
  const lastOf = (directorId: string) => rows.findLast(({ director }) => director === directorId);
  const changes: Change[] = [];
  const started = directors.filter(({ directorId, labels = [] }) => {
    const last = lastOf(directorId);
    if (last === undefined) return true;
    // The label is on another mail of the thread already: it is not put on again, it only spreads.
    if (labels.every((label) => elsewhere.has(label))) return false;
    if (!isOpenRow(last)) again.add(directorId);
    else if (last.paused === 1) changes.push(...orderChanges(last.id, { type: 'RESUME', by: 'label' }, now));
    return !isOpenRow(last);
  });
  const gone = removed.filter((label) => !elsewhere.has(label));
  for (const directorId of await directorsStartedBy(store, thread, gone)) {
    const last = lastOf(directorId);
    if (last !== undefined && isOpenRow(last) && last.paused === 0)
      changes.push(...orderChanges(last.id, { type: 'PAUSE', by: 'label' }, now));
  }
  return { directors: started, changes, again };
}

/** Labels of the other mails of a thread that are at their source. */
async function labelsOfOthers(store: Store, thread: string, mailId: string): Promise<ReadonlySet<string>> {
  const reader: Reader = readableRows(store, () => {});
  const rows = await reader.list('mail', {
    where: [
      ['threadKey', '=', thread],
      ['state', '=', 'kept'],
      ['id', '!=', mailId],
    ],
  });
  const mails = rows.map(mailOf).filter(({ removedAt }) => removedAt === undefined);
  return new Set(mails.flatMap(({ summary }) => summary.labels));
}
