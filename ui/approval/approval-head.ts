import { html } from 'htm/preact';
import type { ApprovalView } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Age, fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';

/** Who asks for what, why, and about which mail. */
export function ApprovalHead({ approval, titleId }: { readonly approval: ApprovalView; readonly titleId: string }) {
  const { title, tool, createdAt, email, reason } = approval;
  return html`<header>
      <${Icon} name="shield" />
      <h2 id=${titleId}>
        ${title.action}${title.target !== undefined && html`${' '}<span class="target"><${Shown} text=${title.target} /></span>`}
      </h2>
      <${Age} at=${createdAt} />
    </header>
    <dl class="approval-facts">
      <dt>Asked by</dt>
      <dd>
        <${Requester} approval=${approval} />${' '}<span class="muted"
          >with${' '}<code><${Shown} text=${tool} /></code
        ></span>
      </dd>
      ${
        email !== undefined &&
        html`<dt>About</dt>
          <dd>
            <a href=${hrefOf('inbox', email.id)}><${Shown} text=${email.subject || '(no subject)'} /></a>
            <span class="muted"> from <${Shown} text=${email.from} /></span>
          </dd>`
      }
      <dt>Why</dt>
      <dd>
        ${reason !== '' && html`<span class="reason-text"><${Shown} text=${reason} /></span>${' · '}`}<a
          href=${transcriptHref(approval)}
          >See the call in the transcript</a
        >
      </dd>
    </dl>`;
}

function Requester({ approval: { requestedBy, agentName, chatId } }: { readonly approval: ApprovalView }) {
  const { directorId, agentId } = requestedBy;
  if (agentId === undefined) return html`director${' '}<b>${directorId}</b>`;
  if (chatId !== undefined)
    return html`<b><${Shown} text=${agentName ?? agentId} /></b>${' in a '}<a href=${hrefOf('chats', chatId)}>chat</a>`;
  const whose = directorId === '' ? 'in your session' : html`for director${' '}<b>${directorId}</b>`;
  return html`agent${' '}<b>${agentId}</b>${' '}${whose}`;
}

/** The place in the transcript of the run that contains the call. */
function transcriptHref({ runId, place, callId }: ApprovalView): string {
  if (place === undefined) return hrefOf('runs', runId);
  return hrefOf('runs', runId, 'transcript', place.threadId, String(place.message), callId);
}

/** When an approval expires, and whether it was escalated. Nothing where neither is so. */
export function ApprovalTimes({ approval: { expiresAt, escalatedAt } }: { readonly approval: ApprovalView }) {
  if (expiresAt === undefined && escalatedAt === undefined) return null;
  return html`<p class="approval-times">
    ${escalatedAt !== undefined && html`<span class="chip wait"><${Icon} name="bell" />escalated ${fullTime(escalatedAt)}</span>`}
    ${expiresAt !== undefined && html`<span class="muted"><${Icon} name="clock" /> Expires ${fullTime(expiresAt)} if nobody answers.</span>`}
  </p>`;
}
