import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { ApprovalView } from '../http/api-types.ts';
import { formatValue } from '../http/json.ts';
import { path } from '../http/request.ts';
import type { Tone } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Age, fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { ApprovalHead } from './approval-head.ts';
import { ended, showsEnded } from './approvals.ts';
import { CallPreview } from './call-preview.ts';
import { readPreview } from './preview.ts';

type Status = ApprovalView['status'];

const STYLES: Readonly<Record<Status, readonly [tone: Tone, icon: string]>> = {
  pending: ['wait', 'clock'],
  allowed: ['ok', 'check'],
  denied: ['bad', 'cross'],
  answered: ['ok', 'check'],
  lapsed: ['quiet', 'refresh'],
  expired: ['quiet', 'clock'],
};

const MEANING: Readonly<Record<Status, string>> = {
  pending: 'It waits for a person.',
  allowed: 'The call was made.',
  denied: 'The call was not made.',
  answered: 'The question was answered.',
  lapsed: 'The call was no longer what was asked, or its run was over: it was not made.',
  expired: 'Nobody answered in time: the call was not made.',
};

/** The approvals that were answered, lapsed or expired, newest first. */
export function History() {
  useEffect(() => {
    showsEnded.value = true;
    void ended.load();
    return () => {
      showsEnded.value = false;
    };
  }, []);
  const error = ended.error.value;
  const list = ended.items.value;
  return html`${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${list.length === 0 && error === undefined && html`<${Empty} icon="shield" title="Nothing was decided yet." />`}
    <ul class="ended-list">
      ${list.map((entry) => html`<li key=${entry.id}><${Ended} approval=${entry} /></li>`)}
    </ul>
    ${ended.nextCursor.value !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void ended.load({ more: true })}>Load more</button></div>`}`;
}

/** An ended approval on one line, which opens to show what was asked. */
function Ended({ approval }: { approval: ApprovalView }) {
  const { title, status, createdAt, decidedAt = createdAt } = approval;
  return html`<details class="ended">
    <summary>
      <${Icon} name="chevron" className="turn" /><${ApprovalStatusChip} status=${status} />
      <span class="what"
        >${title.action}${title.target !== undefined && html` <span class="muted"><${Shown} text=${title.target} /></span>`}</span
      >
      <span class="decided-by">${byWhom(approval)} <${Age} at=${decidedAt} /></span>
    </summary>
    <${EndedCall} approval=${approval} />
  </details>`;
}

/** What was asked, and how it ended. */
export function EndedCall({ approval }: { approval: ApprovalView }) {
  const { id, status, decidedAt, decisionReason, remembered } = approval;
  const preview = readPreview(approval.preview);
  return html`<article class="approval" aria-labelledby=${`title-${id}`}>
    <${ApprovalHead} approval=${approval} titleId=${`title-${id}`} />
    <p class="outcome">
      <${ApprovalStatusChip} status=${status} /> <span>${MEANING[status]}</span>
      <span class="muted"
        >${[byWhom(approval), decidedAt === undefined ? '' : fullTime(decidedAt)].filter((text) => text !== '').join(' · ')}</span
      >
      ${remembered !== undefined && html`<span class="chip">${remembered === 'run' ? 'the same for this run' : 'always'}</span>`}
    </p>
    ${
      approval.answer !== undefined &&
      html`<blockquote class="answer-text"><${Shown} text=${approval.answer} /></blockquote>`
    }
    ${decisionReason !== undefined && decisionReason !== '' && html`<p>Reason: <${Shown} text=${decisionReason} /></p>`}
    ${preview !== undefined && html`<${CallPreview} preview=${preview} bodyUrl=${path`/api/approvals/${id}/body.html`} />`}
    <details class="exact" open=${preview === undefined && approval.answer === undefined}>
      <summary><${Icon} name="chevron" className="turn" />Exact arguments</summary>
      <pre
        class="mono"
        tabindex="0"
        role="region"
        aria-label="Exact arguments"
      ><${Shown} text=${formatValue(approval.arguments)} /></pre>
    </details>
  </article>`;
}

function ApprovalStatusChip({ status }: { status: Status }) {
  const [tone, icon] = STYLES[status];
  return html`<span class=${`chip ${tone}`}><${Icon} name=${icon} />${status}</span>`;
}

/** Who decided. The holder of the token is the person who looks at this page. */
function byWhom({ decidedBy, decidedByName }: ApprovalView): string {
  if (decidedBy === undefined) return '';
  if (decidedByName !== undefined) return `by ${decidedByName}`;
  return decidedBy === 'user' || decidedBy === 'local' ? 'by you' : `by ${decidedBy}`;
}
