import type { ReadonlySignal } from '@preact/signals';
import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from '../shell/keys.ts';
import { Icon } from './icon.ts';

/** Position and state of a row, in the terms of WAI-ARIA. Numbers count from 1. */
export interface TreeEntry {
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly isOpen: boolean;
  /** Never opens. */
  readonly isLeaf: boolean;
}

/** The state of a tree, for its keys. */
export interface TreeModel<R extends TreeEntry = TreeEntry> {
  /** The visible rows, top to bottom. */
  readonly rows: ReadonlySignal<{ readonly length: number; at(index: number): R | undefined }>;
  /** Index of the selected row among the visible ones, or -1. */
  readonly index: ReadonlySignal<number>;
  select(row: R): void;
  setOpen(row: R, isOpen: boolean): void;
  /** Marks the selected row, or removes its mark. */
  mark(): void;
}

interface TreeProps {
  readonly model: TreeModel;
  readonly label: string;
  /** Key of the selected row. When it changes, the row scrolls into view. */
  readonly selected: string;
  /** Whether `u` closes an open row before it goes to the parent, as the left arrow does. */
  readonly closesFirst?: boolean;
  readonly className?: string;
  readonly children: ComponentChildren;
}

/**
 * A tree with the keys of the WAI-ARIA pattern (https://www.w3.org/WAI/ARIA/apg/patterns/treeview/) and with `j`, `k`,
 * `o`, `u` and `x`. It is one tab stop; the selected row is the active one. Its rows have the ids of `rowId`.
 */
export function Tree({ model, label, selected, closesFirst = false, className = '', children }: TreeProps) {
  const element = useRef<HTMLDivElement>(null);
  const { move, select, toggle, enter, retreat, leave } = actionsOf(model);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    o: toggle,
    Enter: toggle,
    u: closesFirst ? retreat : leave,
    x: () => model.mark(),
  });
  useEffect(() => {
    element.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ArrowRight: enter,
    ArrowLeft: retreat,
    Home: () => select(0),
    End: () => select(model.rows.value.length - 1),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keys[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };
  const index = model.index.value;
  return html`<div
    ref=${element}
    class=${`tree ${className}`}
    role="tree"
    tabindex="0"
    aria-label=${label}
    aria-activedescendant=${index < 0 ? undefined : rowId(index)}
    onKeyDown=${onKeyDown}
  >
    ${children}
  </div>`;
}

const rowId = (index: number) => `row-${index}`;

/** Each action reads the signals when it runs: two keys may come before the next render. */
function actionsOf(model: TreeModel) {
  const { rows, index } = model;
  const current = () => (index.value < 0 ? undefined : rows.value.at(index.value));
  const select = (to: number) => {
    const row = rows.value.at(Math.max(0, Math.min(rows.value.length - 1, to)));
    if (row !== undefined) model.select(row);
  };
  const move = (step: number) => select(index.value + step);
  const toggle = () => {
    const row = current();
    if (row !== undefined && !row.isLeaf) model.setOpen(row, !row.isOpen);
  };
  /** Opens a closed row; from an open one goes to its first child. */
  const enter = () => {
    const row = current();
    if (row === undefined || row.isLeaf) return;
    if (row.isOpen) move(1);
    else model.setOpen(row, true);
  };
  const goToParent = (row: TreeEntry) => {
    let to = index.value - 1;
    while (to > 0 && rows.value.at(to)?.level !== row.level - 1) to--;
    select(to);
  };
  /** Goes to the parent; a row of the first level closes. */
  const leave = () => {
    const row = current();
    if (row === undefined) return;
    if (row.level > 1) goToParent(row);
    else if (!row.isLeaf) model.setOpen(row, false);
  };
  /** Closes an open row, or goes to the parent. */
  const retreat = () => {
    const row = current();
    if (row === undefined) return;
    if (row.isOpen && !row.isLeaf) model.setOpen(row, false);
    else if (row.level > 1) goToParent(row);
  };
  return { select, move, toggle, enter, leave, retreat };
}

interface TreeItemProps {
  readonly index: number;
  readonly entry: TreeEntry;
  readonly isSelected: boolean;
  readonly className: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** The frame of one row. */
export function TreeItem({ index, entry, isSelected, className, onClick, children }: TreeItemProps) {
  return html`<div
    id=${rowId(index)}
    class=${`tree-row ${className}`}
    role="treeitem"
    aria-level=${entry.level}
    aria-posinset=${entry.position}
    aria-setsize=${entry.siblings}
    aria-selected=${isSelected ? 'true' : 'false'}
    aria-expanded=${entry.isLeaf ? undefined : entry.isOpen ? 'true' : 'false'}
    onClick=${onClick}
  >
    ${children}
  </div>`;
}

/** The arrow that opens and closes a row. Not a button: the tree is one tab stop, and keys do the same. */
export function TreeArrow({ isOpen, isEmpty, onToggle }: { isOpen: boolean; isEmpty: boolean; onToggle: () => void }) {
  const onClick = (event: MouseEvent) => {
    event.stopPropagation();
    onToggle();
  };
  return html`<span class=${`arrow${isOpen ? ' open' : ''}${isEmpty ? ' leaf' : ''}`} onClick=${onClick}
    ><${Icon} name="chevron"
  /></span>`;
}

/** The box that marks a row. Hidden from the tab order: `x` does the same. */
export function TreeMark({ label, isMarked, onMark }: { label: string; isMarked: boolean; onMark: () => void }) {
  return html`<input
    type="checkbox"
    class="tick"
    tabindex="-1"
    aria-label=${label}
    checked=${isMarked}
    onClick=${(event: MouseEvent) => event.stopPropagation()}
    onChange=${onMark}
  />`;
}
