import { computed, signal } from '@preact/signals';
import { go, idsOn } from '../shell/route.ts';
import type { TreeModel } from '../widget/tree.ts';
import { allMails } from './mails.ts';
import { type Row, type TreeFilter, rowKey, treeRows } from './tree-rows.ts';

/** The filter of the tree. */
export const filter = signal<TreeFilter>({ text: '', status: 'all' });
/** Ids of the marked mails. */
export const marked = signal<ReadonlySet<string>>(new Set());
const open = signal<ReadonlyMap<string, boolean>>(new Map());

/** The visible rows. */
export const rows = computed(() => treeRows(allMails.value, filter.value, open.value));
/** Key of the selected row, from the address. */
export const selectedKey = computed(() => rowKey(idsOn('inbox')));
const selectedIndex = computed(() => rows.value.findIndex((row) => rowKey(row.ids) === selectedKey.value));

/** Opens or closes a row. If the selected row is below a row that closes, the closed row becomes selected. */
export function setOpen(ids: readonly string[], isOpen: boolean): void {
  open.value = new Map(open.value).set(rowKey(ids), isOpen);
  if (!isOpen && selectedKey.value.startsWith(`${rowKey(ids)}/`)) go('inbox', ids, { replace: true });
}

/** Opens or closes every mail; opens every run. */
export function setAllOpen(isOpen: boolean): void {
  open.value = new Map(allMails.value.map((mail) => [mail.id, isOpen]));
}

/** Marks a mail, or removes the mark. */
export function toggleMark(mailId: string): void {
  const next = new Set(marked.value);
  if (!next.delete(mailId)) next.add(mailId);
  marked.value = next;
}

/** The model for the keys of the tree. Moving along the tree adds no entries to the browser's history. */
export const treeModel: TreeModel<Row> = {
  rows,
  index: selectedIndex,
  select: (row) => go('inbox', row.ids, { replace: true }),
  setOpen: (row, isOpen) => setOpen(row.ids, isOpen),
  mark() {
    const [mailId] = idsOn('inbox');
    if (mailId !== undefined) toggleMark(mailId);
  },
};
