import { isoTime } from '../../base/clock.ts';
import { threadKey } from '../../mail/mail-store.ts';
import type { Store } from '../../store/store.ts';
import type { Objective, ReadingMails } from '../objective/objective.ts';
import { longestSummary, tooLongNote } from './summary-length.ts';
import { MAX_MAILS, MAX_TEXT, type ThreadMail, threadsText, type Unfetched } from './thread-mails.ts';

/** Most parts in which intake reads what is new on the threads; older mails are left out, and the summary says so. */
const MAX_PARTS = 10;

/** What intake reads in one piece of work. */
interface IntakePart {
  /** The mails in envelopes, oldest first; `''` where there are none. */
  readonly text: string;
  /** What intake must know of it; `''` where it reads the whole threads. */
  readonly note: string;
  readonly reading: ReadingMails;
}

/**
 * What intake reads next: the whole linked threads, where they are short enough for that. Else the mails that it has not read yet, in
 * parts of up to 60,000 characters, oldest first: the summary has the others. `mails` are those of the threads, oldest first;
 * `skipped` are in their mailboxes and nobody reads them, which the summary says once.
 */
export async function intakePart(
  store: Store,
  objective: Pick<Objective, 'threads' | 'summary' | 'readMails' | 'tooLong'>,
  mails: readonly ThreadMail[],
  skipped: Unfetched['skipped'] = [],
): Promise<IntakePart> {
  const uncounted = objective.summary === null ? await unlisted(store, objective) : 0;
  const { text, isWhole } = await threadsText(mails);
  const most = longestSummary(text.length);
  const length = most !== undefined && { maxSummary: most };
  const again = most !== undefined && objective.tooLong !== undefined ? tooLongNote(objective.tooLong, most) : '';
  const known = new Set(objective.readMails);
  const unsaid = skipped.filter(({ messageId }) => !known.has(messageId));
  const unsaidIds = unsaid.map(({ messageId }) => messageId);
  if (isWhole && uncounted === 0) {
    const notRead = unsaid.length > 0 && { notRead: skippedOf(unsaid) };
    const reading = { ids: [...unsaidIds, ...mails.map(({ id }) => id)], left: 0, ...length, ...notRead };
    return { text, note: again, reading };
  }
  const unread = mails.filter(({ id, messageId }) => !known.has(id) && !known.has(messageId));
  const { parts, leftOut } = await partsOf(unread);
  const [part = [], ...later] = parts;
  const left = later.flat().length;
  const missing = leftOut.length + uncounted;
  const [first] = part;
  const notRead = [
    ...(missing > 0 && first !== undefined ? [notReadOf(missing, first.mail.at)] : []),
    ...(unsaid.length > 0 ? [skippedOf(unsaid)] : []),
  ];
  return {
    text: part.map((mail) => mail.text).join('\n\n'),
    note: [again, noteOf(part.length, left, unread.length < mails.length)].filter((one) => one !== '').join(' '),
    reading: {
      ids: [...unsaidIds, ...[...leftOut, ...part.map(({ mail }) => mail)].map(({ id }) => id)],
      left,
      ...length,
      ...(notRead.length > 0 && { notRead: notRead.join(' ') }),
    },
  };
}

interface PartMail {
  readonly mail: ThreadMail;
  readonly text: string;
}

/** The mails in parts, and the older ones for which there is no part. The newest part is filled first. */
async function partsOf(mails: readonly ThreadMail[]): Promise<{ parts: PartMail[][]; leftOut: readonly ThreadMail[] }> {
  const parts: PartMail[][] = [];
  let chars = 0;
  for (const [n, mail] of [...mails.entries()].toReversed()) {
    const text = (await mail.read()).envelope(MAX_TEXT);
    const [part] = parts;
    if (part !== undefined && chars + text.length <= MAX_TEXT) {
      part.unshift({ mail, text });
      chars += text.length;
      continue;
    }
    if (parts.length === MAX_PARTS) return { parts, leftOut: mails.slice(0, n + 1) };
    parts.unshift([{ mail, text }]);
    chars = text.length;
  }
  return { parts, leftOut: [] };
}

/** Mails of the threads beyond those that are listed. */
async function unlisted(store: Store, { threads }: Pick<Objective, 'threads'>): Promise<number> {
  const counts = await Promise.all(
    threads.map(({ accountId, threadId }) =>
      store.count('mail', [
        ['threadKey', '=', threadKey(store, accountId, threadId)],
        ['state', '=', 'kept'],
      ]),
    ),
  );
  return counts.reduce((sum, count) => sum + Math.max(0, count - MAX_MAILS), 0);
}

function noteOf(mails: number, left: number, isBegun: boolean): string {
  const before = isBegun ? 'You have read the older mails of the linked threads: the summary has what they say.' : '';
  const after =
    left === 0
      ? ''
      : `The linked threads are too long to be read at once: ${left} newer mails follow after your answer. Sum up these, so that nothing of them is lost.`;
  if (before === '' && after === '') return '';
  return [before, after, mails === 0 ? 'There are no new ones.' : 'These come next:']
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function notReadOf(mails: number, at: number): string {
  return `Not read: ${mails === 1 ? 'a mail' : `${mails} mails`} from before ${isoTime(at)}.`;
}

/** Mails in mailboxes that are too many to be read, oldest first. */
function skippedOf(skipped: Unfetched['skipped']): string {
  const at = Date.parse(skipped.at(-1)?.date ?? '');
  const until = Number.isNaN(at) ? '' : ` up to ${isoTime(at)}`;
  return `Not read: ${skipped.length === 1 ? 'a mail' : `${skipped.length} mails`}${until} in the mailbox, never fetched.`;
}
