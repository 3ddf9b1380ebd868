import { computed } from '@preact/signals';
import { html } from 'htm/preact';
import { useMemo } from 'preact/hooks';
import { ListBlock } from '../widget/list-block.ts';
import { Tree } from '../widget/tree.ts';
import { type Block, rowKey } from './tree-rows.ts';
import { MailTreeRow } from './tree-row.ts';
import { blocks, marked, rows, selectedKey, treeModel } from './tree-state.ts';

/** About the height of a row in pixels, as in `list.css`. */
const MAIL_PX = 67;
const OTHER_PX = 27;

/** The tree of e-mails, their runs and their items. */
export function MailTree() {
  const all = blocks.value;
  // The same elements as long as the rows are the same: another selection draws the two blocks that it concerns.
  const drawn = useMemo(() => all.map((block, n) => html`<${MailBlock} key=${n} ...${block} />`), [all]);
  return html`<${Tree} model=${treeModel} label="E-mails and their results" selected=${selectedKey.value}>
    ${drawn}
  <//>`;
}

function MailBlock({ from, to, mails }: Block) {
  const own = useMemo(
    () => computed(() => (treeModel.index.value >= from && treeModel.index.value < to ? treeModel.index.value : -1)),
    [from, to],
  );
  const selected = own.value;
  const draw = () =>
    rows.value
      .slice(from, to)
      .map(
        (row, i) =>
          html`<${MailTreeRow}
            key=${rowKey(row.ids)}
            index=${from + i}
            row=${row}
            isSelected=${from + i === selected}
            isMarked=${marked.value.has(row.mail.id)}
          />`,
      );
  return html`<${ListBlock}
    estimate=${mails * MAIL_PX + (to - from - mails) * OTHER_PX}
    isFirst=${from === 0}
    isKept=${selected >= 0}
    draw=${draw}
  />`;
}
