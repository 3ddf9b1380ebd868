import { html } from 'htm/preact';
import { Tree } from '../widget/tree.ts';
import { TraceLine } from './trace-line.ts';
import { marked, rows, selectedId, treeModel } from './traces.ts';

/** The tree of fetches, runs, agents and their entries. */
export function TraceTree() {
  return html`<${Tree}
    model=${treeModel}
    label="Audit trail"
    selected=${selectedId.value}
    closesFirst=${true}
    className="trace"
  >
    ${rows.value.map(
      (row, i) =>
        html`<${TraceLine}
          key=${row.node.id}
          index=${i}
          row=${row}
          isSelected=${i === treeModel.index.value}
          isMarked=${row.node.kind === 'entry' && marked.value.has(row.node.id)}
        />`,
    )}
  <//>`;
}
