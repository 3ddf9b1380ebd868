import { html } from 'htm/preact';
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
  return html`<${Tree} model=${treeModel} label="E-mails and their results" selected=${selectedKey.value}>
    ${blocks.value.map((block, n) => html`<${MailBlock} key=${n} ...${block} />`)}
  <//>`;
}

function MailBlock({ from, to, mails }: Block) {
  const selected = treeModel.index.value;
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
    isKept=${selected >= from && selected < to}
    draw=${draw}
  />`;
}
