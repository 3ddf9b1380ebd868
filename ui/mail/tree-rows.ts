import type { ItemView, MailEntry, RunStatus, RunView } from '../http/api-types.ts';
import type { TreeEntry } from '../widget/tree.ts';

/** A row of the tree of the Inbox. `ids` are the ids of its mail, run and item. */
export type Row = TreeEntry & { readonly ids: readonly string[] } & (
    | { readonly kind: 'mail'; readonly mail: MailEntry }
    | { readonly kind: 'run'; readonly mail: MailEntry; readonly run: RunView }
    | { readonly kind: 'item'; readonly mail: MailEntry; readonly run: RunView; readonly item: ItemView }
  );

const ACTIVE: ReadonlySet<RunStatus> = new Set(['queued', 'running', 'waiting']);

/** The key of a row, from its ids. */
export const rowKey = (ids: readonly string[]) => ids.join('/');

/** Whether a run has not ended. */
export function isActive(status: RunStatus): boolean {
  return ACTIVE.has(status);
}

/** The newest run of each director. Earlier ones were repeated. */
export function latestRuns({ runs }: MailEntry): readonly RunView[] {
  return runs.filter((run) => run.latest);
}

/** Whether a mail has a result. */
export function hasResults(mail: MailEntry): boolean {
  return latestRuns(mail).some((run) => run.items.length > 0);
}

/** The state shown for a mail: active runs come before failed ones, then ended ones. Undefined without a run. */
export function mailStatus(mail: MailEntry): RunStatus | undefined {
  const states = latestRuns(mail).map((run) => run.status);
  const order: readonly RunStatus[] = ['waiting', 'running', 'queued', 'failed', 'cancelled', 'completed'];
  return order.find((state) => states.includes(state));
}

/** Whether one of the newest runs of a mail is at work, or failed. */
export function hasStatus(mail: MailEntry, status: 'running' | 'failed'): boolean {
  return latestRuns(mail).some((run) => (status === 'running' ? isActive(run.status) : run.status === 'failed'));
}

/** Whether every word occurs in a mail: its addresses, subject, snippet, account, directors or item labels. */
export function hasText(mail: MailEntry, text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return true;
  const haystack = searchable(mail);
  return words.every((word) => haystack.includes(word));
}

/** The searched text of each mail, for the next key of a search in a long list. */
const texts = new WeakMap<MailEntry, string>();

function searchable(mail: MailEntry): string {
  const known = texts.get(mail);
  if (known !== undefined) return known;
  const text = [
    mail.subject,
    mail.snippet,
    mail.accountId,
    ...[...mail.from, ...mail.to].flatMap((address) => [address.name, address.address]),
    ...mail.runs.flatMap((run) => [run.directorId, run.directorName, ...run.items.map((item) => item.label ?? '')]),
  ]
    .join('\n')
    .toLowerCase();
  texts.set(mail, text);
  return text;
}

/**
 * The visible rows of some mails, top to bottom, made when they are read: only the open mails cost something, so a list of
 * 100,000 changes within a frame.
 */
export interface Rows {
  readonly length: number;
  /** The row at an index; undefined beyond the rows. */
  at(index: number): Row | undefined;
  slice(from: number, to: number): readonly Row[];
  /** Index of the row with these ids, or -1. */
  indexOf(ids: readonly string[]): number;
  /** Index of the row of the n-th mail; the number of rows for one beyond the last. */
  ofMail(n: number): number;
}

/** Which mails and runs are open. */
export interface OpenRows {
  /** Whether a mail is open that `byKey` does not name. */
  readonly everyMail: boolean;
  /** By row key. Without an entry, the newest run of each director is open. */
  readonly byKey: ReadonlyMap<string, boolean>;
}

/** The visible rows of these mails. */
export function treeRows(shown: readonly MailEntry[], open: OpenRows): Rows {
  // The places of the open mails, and for each how many rows the open mails above it add.
  const opened: number[] = [];
  const added: number[] = [0];
  if (open.everyMail || open.byKey.size > 0)
    shown.forEach((mail, n) => {
      if (open.byKey.get(mail.id) ?? open.everyMail)
        added[opened.push(n)] = (added.at(-1) ?? 0) + rowsBelow(mail, open);
    });
  const addedAbove = (n: number) => added[countUntil(opened.length, (k) => (opened[k] ?? 0) < n)] ?? 0;
  const length = shown.length + (added.at(-1) ?? 0);
  const ofMail = (n: number) => Math.min(n, shown.length) + addedAbove(n);
  /** The last mail whose row is at or above this index. */
  const mailAt = (index: number) => countUntil(shown.length, (n) => ofMail(n) <= index) - 1;
  const rowsOf = (n: number): readonly Row[] => {
    const mail = shown[n];
    return mail === undefined ? [] : mailRows(mail, n, shown.length, open);
  };
  const slice = (from: number, to: number) => {
    const rows: Row[] = [];
    const first = mailAt(from);
    for (let n = first; n < shown.length && ofMail(n) < to; n++) rows.push(...rowsOf(n));
    return rows.slice(from - ofMail(first), to - ofMail(first));
  };
  return {
    ...{ length, ofMail, slice },
    at: (index) => (index < 0 || index >= length ? undefined : slice(index, index + 1)[0]),
    indexOf(ids) {
      const n = shown.findIndex(({ id }) => id === ids[0]);
      if (n < 0) return -1;
      const key = rowKey(ids);
      const below = ids.length === 1 ? 0 : rowsOf(n).findIndex((row) => rowKey(row.ids) === key);
      return below < 0 ? -1 : ofMail(n) + below;
    },
  };
}

/** How many of the numbers below `count` pass a test that all up to some number pass, and none after it. */
function countUntil(count: number, passes: (n: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isRunOpen = (mail: MailEntry, run: RunView, { byKey }: OpenRows) =>
  (byKey.size === 0 ? undefined : byKey.get(rowKey([mail.id, run.id]))) ?? run.latest;

function rowsBelow(mail: MailEntry, open: OpenRows): number {
  return mail.runs.reduce((sum, run) => sum + 1 + (isRunOpen(mail, run, open) ? run.items.length : 0), 0);
}

/** The visible rows of one mail. */
function mailRows(mail: MailEntry, n: number, siblings: number, open: OpenRows): readonly Row[] {
  const isOpen = open.byKey.get(mail.id) ?? open.everyMail;
  const entry = { level: 1, position: n + 1, siblings, isOpen, isLeaf: false };
  const rows: Row[] = [{ kind: 'mail', ids: [mail.id], mail, ...entry }];
  if (isOpen) mail.runs.forEach((run, i) => addRun(rows, mail, run, i, open));
  return rows;
}

/** Whether two rows look the same, selection and marks apart. */
export function isSameRow(a: Row, b: Row): boolean {
  const isSame = (key: 'kind' | 'mail' | 'isOpen' | 'position' | 'siblings') => a[key] === b[key];
  return (
    (['kind', 'mail', 'isOpen', 'position', 'siblings'] as const).every(isSame) &&
    (a.kind === 'mail' || b.kind === 'mail' || a.run === b.run) &&
    (a.kind !== 'item' || b.kind !== 'item' || a.item === b.item)
  );
}

function addRun(rows: Row[], mail: MailEntry, run: RunView, index: number, open: OpenRows): void {
  const ids = [mail.id, run.id];
  const isOpen = isRunOpen(mail, run, open);
  const entry = { level: 2, position: index + 1, siblings: mail.runs.length, isOpen, isLeaf: false };
  rows.push({ kind: 'run', ids, mail, run, ...entry });
  if (!isOpen) return;
  run.items.forEach((item, i) => {
    const leaf = { level: 3, position: i + 1, siblings: run.items.length, isOpen: false, isLeaf: true };
    rows.push({ kind: 'item', ids: [...ids, item.id], mail, run, item, ...leaf });
  });
}
