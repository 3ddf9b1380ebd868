import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { useKeys } from '../shell/keys.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { ApprovalCard } from './approval-card.ts';
import { approvals } from './approvals.ts';

/** All tool calls that wait for a person, oldest first. */
export function ApprovalsScreen() {
  const [currentId, setCurrentId] = useState('');
  const list = approvals.items.value;
  const error = approvals.error.value;
  const index = Math.max(
    0,
    list.findIndex((entry) => entry.id === currentId),
  );
  const move = (step: number) => setCurrentId(list[Math.min(list.length - 1, Math.max(0, index + step))]?.id ?? '');
  useKeys({ j: () => move(1), k: () => move(-1), r: () => void approvals.load() });
  useEffect(() => {
    document.querySelector('.approval.current')?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  return html`<div class="page">
    <h1>Approvals</h1>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${
      list.length === 0 &&
      error === undefined &&
      html`<${Empty} icon="shield" title="No pending approvals.">
        <p>
          Tools that a director or agent lists under <code>ask</code> in its permissions wait here for your decision.
        </p>
      <//>`
    }
    ${list.map(
      (entry, i) =>
        html`<${ApprovalCard}
          key=${entry.id}
          approval=${entry}
          isCurrent=${i === index}
          onFocus=${() => setCurrentId(entry.id)}
        />`,
    )}
    ${approvals.nextCursor.value !== null && html`<div class="more"><button onClick=${() => void approvals.load({ more: true })}>Load more</button></div>`}
  </div>`;
}
