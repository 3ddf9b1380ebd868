import { computed, signal } from '@preact/signals';
import type { MailEntry } from '../http/api-types.ts';
import { go, idsOn } from '../shell/route.ts';
import type { TreeModel } from '../widget/tree.ts';
import { now } from '../widget/time.ts';
import { allMails } from './mails.ts';
import { filter, viewOf } from './state/filter.ts';
import { hasText, type OpenRows, type Row, rowKey, treeRows } from './tree-rows.ts';

/** Ids of the marked mails. */
export const marked = signal<ReadonlySet<string>>(new Set());
const open = signal<OpenRows>({ everyMail: false, byKey: new Map() });

/** The mails that pass the filter. A snoozed one comes back when its time has come. */
export const shownMails = computed(() => {
  const { text, view } = filter.value;
  const { has } = viewOf(view);
  const at = now.value;
  const isSearch = text.trim() !== '';
  return allMails.value.filter((mail) => has(mail, at) && (!isSearch || hasText(mail, text)));
});
/** The visible rows. */
export const rows = computed(() => treeRows(shownMails.value, open.value));
/** Key of the selected row, from the address. */
export const selectedKey = computed(() => rowKey(idsOn('inbox')));
const selectedIndex = computed(() => rows.value.indexOf(selectedKey.value.split('/')));

/** Opens or closes a row. If the selected row is below a row that closes, the closed row becomes selected. */
export function setOpen(ids: readonly string[], isOpen: boolean): void {
  const { everyMail, byKey } = open.value;
  open.value = { everyMail, byKey: new Map(byKey).set(rowKey(ids), isOpen) };
  if (!isOpen && selectedKey.value.startsWith(`${rowKey(ids)}/`)) go('inbox', ids, { replace: true });
}

/** Opens or closes every mail; opens every run. */
export function setAllOpen(isOpen: boolean): void {
  open.value = { everyMail: isOpen, byKey: new Map() };
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
  const leaving = new Set(ids);
  const first = before.findIndex(({ id }) => leaving.has(id));
  const stays = ({ id }: MailEntry, n: number) => n > first && !leaving.has(id);
  const next = before.find(stays) ?? before.slice(0, Math.max(0, first)).findLast(({ id }) => !leaving.has(id));
  return () => {
    const [selected] = idsOn('inbox');
    if (shownMails.value.some(({ id }) => id === selected)) return;
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
