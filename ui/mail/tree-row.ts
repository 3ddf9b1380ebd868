import { html } from 'htm/preact';
import { drafts } from '../item/drafts.ts';
import { itemKey } from '../item/items.ts';
import { go } from '../shell/route.ts';
import { StatusDot } from '../widget/chip.ts';
import { Icon, mimeIcon } from '../widget/icon.ts';
import { Age } from '../widget/time.ts';
import { shortName } from './sender.ts';
import { type Row, mailStatus } from './tree-rows.ts';
import { setOpen, toggleTicked } from './tree-state.ts';

interface Props {
  readonly id: string;
  readonly row: Row;
  readonly isSelected: boolean;
  readonly isTicked: boolean;
}

/** One line of the tree. A click selects and opens it; another, or one on the arrow, closes it. */
export function TreeRow({ id, row, isSelected, isTicked }: Props) {
  return html`<div
    id=${id}
    class=${`tree-row ${row.kind}${row.kind === 'mail' && isTicked ? ' ticked' : ''}`}
    role="treeitem"
    aria-level=${row.ids.length}
    aria-posinset=${row.position}
    aria-setsize=${row.siblings}
    aria-selected=${isSelected ? 'true' : 'false'}
    aria-expanded=${row.kind === 'item' ? undefined : row.isOpen ? 'true' : 'false'}
    onClick=${() => {
      if (row.kind !== 'item' && (row.kind === 'mail' || isSelected)) setOpen(row.ids, isSelected ? !row.isOpen : true);
      go('results', row.ids);
    }}
  >
    ${row.kind !== 'item' && html`<${Arrow} row=${row} />`} ${body(row, isTicked)}
  </div>`;
}

function Arrow({ row }: { row: Exclude<Row, { kind: 'item' }> }) {
  const isLeaf = (row.kind === 'mail' ? row.mail.runs : row.run.items).length === 0;
  const onClick = (event: MouseEvent) => {
    event.stopPropagation();
    setOpen(row.ids, !row.isOpen);
  };
  // Not a button: the tree is one tab stop, and keys open and close the row.
  return html`<span class=${`arrow${row.isOpen ? ' open' : ''}${isLeaf ? ' leaf' : ''}`} onClick=${onClick}
    ><${Icon} name="chevron"
  /></span>`;
}

function body(row: Row, isTicked: boolean) {
  switch (row.kind) {
    case 'mail': {
      const { mail } = row;
      const status = mailStatus(mail);
      const items = mail.runs.reduce((sum, run) => sum + run.items.length, 0);
      return html`<div class="mail-line">
        <div class="line">
          <input
            type="checkbox"
            class="tick"
            tabindex="-1"
            aria-label=${`Mark ${mail.subject || 'this e-mail'}`}
            checked=${isTicked}
            onClick=${(event: MouseEvent) => event.stopPropagation()}
            onChange=${() => toggleTicked(mail.id)}
          />
          <span class="from">${shortName(mail.from)}</span>
          ${mail.attachments.length > 0 && html`<${Icon} name="clip" className="muted" />`}
          <${Age} at=${mail.receivedAt} />
        </div>
        <div class="line">
          <span class="subject">${mail.subject || '(no subject)'}</span>
          ${items > 0 && html`<span class="count" title=${`${items} ${items === 1 ? 'result' : 'results'}`}>${items}</span>`}
          ${
            status === undefined
              ? html`<span class="dot quiet" role="img" aria-label="not routed" title="not routed"
                  ><${Icon} name="unrouted"
                /></span>`
              : html`<${StatusDot} status=${status} />`
          }
        </div>
      </div>`;
    }
    case 'run': {
      const { run } = row;
      return html`<${Icon} name="director" className="muted" />
        <span class="label">${run.directorName}</span>
        ${run.scripted && html`<span class="hint">scripted</span>`}
        <${StatusDot} status=${run.status} waitingFor=${run.waitingFor} />`;
    }
    case 'item': {
      const { item, run } = row;
      return html`<${Icon} name=${mimeIcon(item.mimeType)} className="muted" />
        <span class="label">${item.label || item.mimeType}</span>
        ${drafts.value.has(itemKey(run.workspaceId, item.id)) && html`<${Icon} name="edit" />`}
        <span class="hint">${item.agentName ?? (item.createdBy === 'agent' ? '' : item.createdBy)}</span>`;
    }
    default:
      return row satisfies never;
  }
}
