import { html } from 'htm/preact';
import { useMemo } from 'preact/hooks';
import type { ItemView, MailEntry } from '../http/api-types.ts';
import { drafts } from '../item/drafts.ts';
import { itemKey } from '../item/items.ts';
import { hasReply } from '../reply/replies.ts';
import { go } from '../shell/route.ts';
import { StatusDot } from '../widget/chip.ts';
import { Icon, mimeIcon } from '../widget/icon.ts';
import { Age, fullTime } from '../widget/time.ts';
import { TreeArrow, TreeItem, TreeMark } from '../widget/tree.ts';
import { Shown, visible } from '../widget/visible.ts';
import { STATES } from './state/mail-state.ts';
import { shortName } from './sender.ts';
import { type Row, latestRuns, mailStatus } from './tree-rows.ts';
import { setOpen, toggleMark } from './tree-state.ts';

interface Props {
  readonly index: number;
  readonly row: Row;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
}

/** One row of the tree. A click selects and opens it; a second click, or one on the arrow, closes it. */
export function MailTreeRow({ index, row, isSelected, isMarked }: Props) {
  const onClick = () => {
    if (row.kind !== 'item' && (row.kind === 'mail' || isSelected)) setOpen(row.ids, isSelected ? !row.isOpen : true);
    go('inbox', row.ids);
  };
  const isUnread = row.kind === 'mail' && row.mail.state.unread;
  // The place of a row changes with each mail that comes or goes above it; its content stays.
  const content = useMemo(
    () => body(row, isMarked),
    [row.kind === 'mail' ? row.mail : row.kind === 'run' ? row.run : row.item, isMarked],
  );
  const className = `${row.kind}${row.kind === 'mail' && isMarked ? ' marked' : ''}${isUnread ? ' unread' : ''}`;
  return html`<${TreeItem}
    index=${index}
    entry=${row}
    isSelected=${isSelected}
    className=${className}
    onClick=${onClick}
  >
    ${row.kind !== 'item' && html`<${TreeArrow} isOpen=${row.isOpen} isEmpty=${isEmpty(row)} onToggle=${() => setOpen(row.ids, !row.isOpen)} />`}
    ${content}
  <//>`;
}

function isEmpty(row: Exclude<Row, { kind: 'item' }>): boolean {
  return (row.kind === 'mail' ? row.mail.runs : row.run.items).length === 0;
}

function body(row: Row, isMarked: boolean) {
  switch (row.kind) {
    case 'mail':
      return html`<${MailBody} mail=${row.mail} isMarked=${isMarked} />`;
    case 'run':
      return html`<${Icon} name="director" className="muted" />
        <span class="label">${row.run.directorName}</span>
        ${!row.run.latest && html`<span class="hint">earlier · <${Age} at=${row.run.createdAt} /></span>`}
        ${row.run.scripted && html`<span class="hint">scripted</span>`}
        <${StatusDot} status=${row.run.status} waitingFor=${row.run.waitingFor} />`;
    case 'item':
      return html`<${ItemBody} item=${row.item} workspaceId=${row.run.workspaceId} />`;
    default:
      return row satisfies never;
  }
}

function MailBody({ mail, isMarked }: { mail: MailEntry; isMarked: boolean }) {
  const status = mailStatus(mail);
  const items = latestRuns(mail).reduce((sum, run) => sum + run.items.length, 0);
  const label = `Mark ${visible(mail.subject) || 'this e-mail'}`;
  return html`<div class="mail-line">
    <div class="line">
      <${TreeMark} label=${label} isMarked=${isMarked} onMark=${() => toggleMark(mail.id)} />
      ${mail.state.unread && html`<span class="unread-dot" role="img" aria-label="unread" title="unread"></span>`}
      <span class="from"><${Shown} text=${shortName(mail.from)} /></span>
      ${mail.attachments.length > 0 && html`<${Icon} name="clip" className="muted" />`}
      ${hasReply(mail.id) && html`<${Icon} name="edit" className="muted" />`}<${Age}
        at=${mail.date || mail.receivedAt}
      />
    </div>
    <div class="line">
      <span class="subject"><${Shown} text=${mail.subject || '(no subject)'} /></span>
      <${StateChip} mail=${mail} />
      ${items > 0 && html`<span class="count" title=${`${items} ${items === 1 ? 'result' : 'results'}`}>${items}</span>`}
      ${
        status === undefined
          ? html`<span class="dot quiet" role="img" aria-label="not routed" title="not routed"
              ><${Icon} name="unrouted"
            /></span>`
          : html`<${StatusDot} status=${status} />`
      }
    </div>
    ${
      mail.snippet !== '' &&
      html`<div class="line">
        <span class="snippet"><${Shown} text=${mail.snippet} /></span>
      </div>`
    }
  </div>`;
}

const TONES = { needsMe: 'wait', waiting: 'busy', replied: 'ok', done: 'quiet' } as const;

/** The state of the mail, and until when it is snoozed. */
function StateChip({ mail: { state } }: { mail: MailEntry }) {
  const { value, snoozedUntil } = state;
  const label = STATES.find(([name]) => name === value)?.[1];
  return html`${
    snoozedUntil !== undefined &&
    html`<span class="chip small quiet" title=${`Snoozed until ${fullTime(snoozedUntil)}`}
      ><${Icon} name="clock"
    /></span>`
  }${value !== null && html`<span class=${`chip small ${TONES[value]}`}>${label}</span>`}`;
}

function ItemBody({ item, workspaceId }: { item: ItemView; workspaceId: string }) {
  return html`<${Icon} name=${mimeIcon(item.mimeType)} className="muted" />
    <span class="label"><${Shown} text=${item.label || item.mimeType} /></span>
    ${drafts.value.has(itemKey(workspaceId, item.id)) && html`<${Icon} name="edit" />`}
    <span class="hint">${item.agentName ?? (item.createdBy === 'user' ? 'you' : '')}</span>`;
}
