import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from '../shell/keys.ts';
import { route } from '../shell/route.ts';
import { rowKey } from './tree-rows.ts';
import { TreeRow } from './tree-row.ts';
import {
  enter,
  leave,
  move,
  retreat,
  rows,
  select,
  selectedIndex,
  selectedKey,
  ticked,
  toggleCurrent,
  toggleTicked,
} from './tree-state.ts';

/** E-mails, their directors, their items. One tab stop; the selected row is the active one. */
export function Tree() {
  const tree = useRef<HTMLDivElement>(null);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    o: toggleCurrent,
    Enter: toggleCurrent,
    u: leave,
    x: () => {
      const id = route.value.ids[0];
      if (id !== undefined) toggleTicked(id);
    },
  });
  const index = selectedIndex.value;
  useEffect(() => {
    tree.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selectedKey.value]);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = rows.value.length - 1;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      ArrowRight: enter,
      ArrowLeft: retreat,
      Home: () => select(rows.value[0]),
      End: () => select(rows.value[last]),
    };
    const action = moves[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };

  return html`<div
    ref=${tree}
    class="tree"
    role="tree"
    tabindex="0"
    aria-label="E-mails and their results"
    aria-activedescendant=${index < 0 ? undefined : `row-${index}`}
    onKeyDown=${onKeyDown}
  >
    ${rows.value.map(
      (row, i) =>
        html`<${TreeRow}
          key=${rowKey(row.ids)}
          id=${`row-${i}`}
          row=${row}
          isSelected=${i === index}
          isTicked=${ticked.value.has(row.mail.id)}
        />`,
    )}
  </div>`;
}
