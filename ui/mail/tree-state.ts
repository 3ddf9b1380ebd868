import { computed, signal } from '@preact/signals';
import { go, idsOn } from '../shell/route.ts';
import type { TreeModel } from '../widget/tree.ts';
import { now } from '../widget/time.ts';
import { allMails } from './mails.ts';
import { filter, viewOf } from './state/filter.ts';
import { blocksOf, hasText, type Row, rowKey, treeRows } from './tree-rows.ts';

/** Ids of the marked mails. */
export const marked = signal<ReadonlySet<string>>(new Set());
const open = signal<ReadonlyMap<string, boolean>>(new Map());

/** The mails that pass the filter. A snoozed one comes back when its time has come. */
export const shownMails = computed(() => {
  const { text, view } = filter.value;
  const { has } = viewOf(view);
  return allMails.value.filter((mail) => has(mail, now.value) && hasText(mail, text));
});
/** The visible rows. */
export const rows = computed(() => treeRows(shownMails.value, open.value));
/** The blocks that the rows are drawn in. */
export const blocks = computed(() => blocksOf(rows.value));
/** Key of the selected row, from the address. */
export const selectedKey = computed(() => rowKey(idsOn('inbox')));
const indexes = computed(() => new Map(rows.value.map((row, i) => [rowKey(row.ids), i])));
const selectedIndex = computed(() => indexes.value.get(selectedKey.value) ?? -1);

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

/**
 * Remembers what stands below mails that may leave the list. The returned function selects it if they have left; without a mail below
 * them the one above.
 */
export function selectBeside(ids: readonly string[]): () => void {
  const before = shownMails.value;
  const first = before.findIndex(({ id }) => ids.includes(id));
  const others = [...before.slice(first + 1), ...before.slice(0, Math.max(0, first)).toReversed()];
  return () => {
    const [selected] = idsOn('inbox');
    if (shownMails.value.some(({ id }) => id === selected)) return;
    const next = others.find(({ id }) => !ids.includes(id));
    go('inbox', next === undefined ? [] : [next.id], { replace: true });
  };
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
