import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from '../shell/keys.ts';
import { TraceLine } from './trace-line.ts';
import { entryIds } from './trace-rows.ts';
import { marked, rows, select, selectedId, selectedIndex, setOpen, toggleMarks } from './traces.ts';

const current = () => rows.value[selectedIndex.value];

function toggle(): void {
  const row = current();
  if (row !== undefined && !row.isLeaf) setOpen(row.node.id, !row.isOpen);
}

/** As the WAI-ARIA tree pattern wants: right opens, then goes in. */
function enter(): void {
  const row = current();
  if (row === undefined || row.isLeaf) return;
  if (row.isOpen) select(selectedIndex.value + 1);
  else setOpen(row.node.id, true);
}

/** Left closes, then goes out. */
function leave(): void {
  const row = current();
  if (row === undefined) return;
  if (row.isOpen && !row.isLeaf) return setOpen(row.node.id, false);
  const parent = rows.value.findLastIndex(({ depth }, i) => i < selectedIndex.value && depth === row.depth - 1);
  if (parent >= 0) select(parent);
}

/** Fetches, runs, agents and what they did. One tab stop; the selected row is the active one. */
export function TraceTree() {
  const tree = useRef<HTMLDivElement>(null);
  useKeys({
    j: () => select(selectedIndex.value + 1),
    k: () => select(selectedIndex.value - 1),
    o: toggle,
    Enter: toggle,
    u: leave,
    x: () => {
      const row = current();
      if (row !== undefined) toggleMarks(entryIds(row.node));
    },
  });
  const index = selectedIndex.value;
  useEffect(() => {
    tree.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selectedId.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => select(index + 1),
      ArrowUp: () => select(index - 1),
      ArrowRight: enter,
      ArrowLeft: leave,
      Home: () => select(0),
      End: () => select(rows.value.length - 1),
    };
    const action = moves[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };
  return html`<div
    ref=${tree}
    class="tree trace"
    role="tree"
    tabindex="0"
    aria-label="What happened"
    aria-activedescendant=${index < 0 ? undefined : `trace-${index}`}
    onKeyDown=${onKeyDown}
  >
    ${rows.value.map(
      (row, i) =>
        html`<${TraceLine}
          key=${row.node.id}
          id=${`trace-${i}`}
          row=${row}
          isSelected=${i === index}
          isMarked=${row.node.kind === 'entry' && marked.value.has(row.node.id)}
        />`,
    )}
  </div>`;
}
