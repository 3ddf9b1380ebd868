import { html } from 'htm/preact';
import { Tree } from '../widget/tree.ts';
import { rowKey } from './tree-rows.ts';
import { MailTreeRow } from './tree-row.ts';
import { marked, rows, selectedKey, treeModel } from './tree-state.ts';

/** The tree of e-mails, their runs and their items. */
export function MailTree() {
  return html`<${Tree} model=${treeModel} label="E-mails and their results" selected=${selectedKey.value}>
    ${rows.value.map(
      (row, i) =>
        html`<${MailTreeRow}
          key=${rowKey(row.ids)}
          index=${i}
          row=${row}
          isSelected=${i === treeModel.index.value}
          isMarked=${marked.value.has(row.mail.id)}
        />`,
    )}
  <//>`;
}
