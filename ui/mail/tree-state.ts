import { computed, signal } from '@preact/signals';
import { go, idsOn } from '../shell/route.ts';
import { allMails } from './mails.ts';
import { type Row, type TreeFilter, rowKey, treeRows } from './tree-rows.ts';

/** What the tree is narrowed to. */
export const filter = signal<TreeFilter>({ text: '', status: 'all' });
/** Mails ticked for deletion. */
export const ticked = signal<ReadonlySet<string>>(new Set());
const open = signal<ReadonlyMap<string, boolean>>(new Map());

/** The lines that show. */
export const rows = computed(() => treeRows(allMails.value, filter.value, open.value));
/** Where the address points, as the key of a row. */
export const selectedKey = computed(() => rowKey(idsOn('results')));
/** Place of the selected row among those that show, -1 where it does not. */
export const selectedIndex = computed(() => rows.value.findIndex((row) => rowKey(row.ids) === selectedKey.value));

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
export function toggleTicked(mailId: string): void {
  const next = new Set(ticked.value);
  if (!next.delete(mailId)) next.add(mailId);
  ticked.value = next;
}

/** Goes to a row; moving along the tree leaves no trail in the history. */
export function select(row: Row | undefined): void {
  if (row !== undefined) go('results', row.ids, { replace: true });
}

/** Selects the row so many places down. */
export function move(step: number): void {
  const from = selectedIndex.value;
  select(rows.value[from < 0 ? 0 : Math.min(rows.value.length - 1, Math.max(0, from + step))]);
}

/** The selected row, if it shows. */
const current = () => rows.value[selectedIndex.value];

/** Opens what is selected, or closes it where it is open. */
export function toggleCurrent(): void {
  const row = current();
  if (row !== undefined && row.kind !== 'item') setOpen(row.ids, !row.isOpen);
}

/** One level up: to the parent, or a mail closes. */
export function leave(): void {
  const row = current();
  if (row === undefined) return;
  if (row.ids.length > 1) go('results', row.ids.slice(0, -1), { replace: true });
  else setOpen(row.ids, false);
}

/** As the WAI-ARIA tree pattern wants: right opens, then goes in; left closes, then goes out. */
export function enter(): void {
  const row = current();
  if (row === undefined || row.kind === 'item') return;
  if (!row.isOpen) setOpen(row.ids, true);
  else move(1);
}

/** The other way round. */
export function retreat(): void {
  const row = current();
  if (row !== undefined && row.kind !== 'item' && row.isOpen) setOpen(row.ids, false);
  else leave();
}
