import { computed, signal } from '@preact/signals';
import { go, idsOn } from '../shell/route.ts';
import type { TreeModel } from '../widget/tree.ts';
import { allMails } from './mails.ts';
import { type Row, type TreeFilter, rowKey, treeRows } from './tree-rows.ts';

/** What the tree is narrowed to. */
export const filter = signal<TreeFilter>({ text: '', status: 'all' });
/** Mails marked for deletion. */
export const marked = signal<ReadonlySet<string>>(new Set());
const open = signal<ReadonlyMap<string, boolean>>(new Map());

/** The lines that show. */
export const rows = computed(() => treeRows(allMails.value, filter.value, open.value));
/** Where the address points, as the key of a row. */
export const selectedKey = computed(() => rowKey(idsOn('results')));
const selectedIndex = computed(() => rows.value.findIndex((row) => rowKey(row.ids) === selectedKey.value));

/** Opens or closes a row with children. What was selected below a closed row gives way to the row. */
export function setOpen(ids: readonly string[], isOpen: boolean): void {
  open.value = new Map(open.value).set(rowKey(ids), isOpen);
  if (!isOpen && selectedKey.value.startsWith(`${rowKey(ids)}/`)) go('results', ids, { replace: true });
}

/** Opens or closes every mail, and opens every director. */
export function setAllOpen(isOpen: boolean): void {
  open.value = new Map(allMails.value.map((mail) => [mail.id, isOpen]));
}

/** Marks a mail, or takes the mark off. */
export function toggleMark(mailId: string): void {
  const next = new Set(marked.value);
  if (!next.delete(mailId)) next.add(mailId);
  marked.value = next;
}

/** What the keys of the tree do. Moving along the tree leaves no trail in the history. */
export const treeModel: TreeModel<Row> = {
  rows,
  index: selectedIndex,
  select: (row) => go('results', row.ids, { replace: true }),
  setOpen: (row, isOpen) => setOpen(row.ids, isOpen),
  mark() {
    const [mailId] = idsOn('results');
    if (mailId !== undefined) toggleMark(mailId);
  },
};
