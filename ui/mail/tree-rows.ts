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
  const haystack = [
    mail.subject,
    mail.snippet,
    mail.accountId,
    ...[...mail.from, ...mail.to].flatMap((address) => [address.name, address.address]),
    ...mail.runs.flatMap((run) => [run.directorId, run.directorName, ...run.items.map((item) => item.label ?? '')]),
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => haystack.includes(word));
}

/** The visible rows of these mails, top to bottom. By default only the newest run of each director is open; `open` overrides this by row key. */
export function treeRows(shown: readonly MailEntry[], open: ReadonlyMap<string, boolean>): readonly Row[] {
  const rows: Row[] = [];
  shown.forEach((mail, mailIndex) => {
    const isOpen = open.get(mail.id) ?? false;
    const entry = { level: 1, position: mailIndex + 1, siblings: shown.length, isOpen, isLeaf: false };
    rows.push({ kind: 'mail', ids: [mail.id], mail, ...entry });
    if (isOpen) mail.runs.forEach((run, runIndex) => addRun(rows, mail, run, runIndex, open));
  });
  return rows;
}

/** Neighbouring rows that are drawn together: those of some mails. */
export interface Block {
  /** Index of its first row, and of the first row after it. */
  readonly from: number;
  readonly to: number;
  readonly mails: number;
}

/** Mails of a block. */
const BLOCK = 50;

/** The blocks of these rows, top to bottom. */
export function blocksOf(rows: readonly Row[]): readonly Block[] {
  const starts = rows.flatMap(({ level, position }, i) => (level === 1 && position % BLOCK === 1 ? [i] : []));
  return starts.map((from, n) => {
    const to = starts[n + 1] ?? rows.length;
    return { from, to, mails: rows.slice(from, to).filter(({ level }) => level === 1).length };
  });
}

function addRun(rows: Row[], mail: MailEntry, run: RunView, index: number, open: ReadonlyMap<string, boolean>): void {
  const ids = [mail.id, run.id];
  const isOpen = open.get(rowKey(ids)) ?? run.latest;
  const entry = { level: 2, position: index + 1, siblings: mail.runs.length, isOpen, isLeaf: false };
  rows.push({ kind: 'run', ids, mail, run, ...entry });
  if (!isOpen) return;
  run.items.forEach((item, i) => {
    const leaf = { level: 3, position: i + 1, siblings: run.items.length, isOpen: false, isLeaf: true };
    rows.push({ kind: 'item', ids: [...ids, item.id], mail, run, item, ...leaf });
  });
}
