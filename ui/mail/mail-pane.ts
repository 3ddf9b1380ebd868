import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { WorkspaceItem, MailEntry, RunView } from '../http/api-types.ts';
import { ItemCard } from '../item/card.ts';
import { workspaceItems } from '../item/items.ts';
import { hasReply } from '../reply/replies.ts';
import { ReplyBox } from '../reply/reply-box.ts';
import { useKeys } from '../shell/keys.ts';
import { hrefOf } from '../shell/route.ts';
import { ScriptedBadge, StatusChip } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { Empty } from '../widget/notice.ts';
import { fullTime } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { confirmDelete } from './delete.ts';
import { shortName } from './sender.ts';
import { isActive } from './tree-rows.ts';
import { marked } from './tree-state.ts';

/** All results of one mail, by director, or the reason why there are none. */
export function MailPane({ mailId, mail }: { mailId: string; mail: MailEntry | undefined }) {
  const spaces = (mail?.runs ?? []).map((run) => run.workspaceId).join(' ');
  const [isReplying, setIsReplying] = useState(hasReply(mailId));
  const [takesFocus, setTakesFocus] = useState(false);
  const toggleReply = () => {
    setIsReplying(!isReplying);
    setTakesFocus(true);
  };
  useEffect(() => workspaceItems.show(spaces), [spaces]);
  useKeys({ '#': () => void confirmDelete(marked.value.size > 0 ? [...marked.value] : [mailId]) });
  if (mail === undefined) return html`<${Empty} icon="mail" title="This e-mail was not found" />`;
  const full = new Map((workspaceItems.state.value.data ?? []).map((item) => [item.id, item]));
  return html`<header class="head">
      <div class="title">
        <h1><${Shown} text=${mail.subject || '(no subject)'} /></h1>
        <p class="sub">
          <span title=${visible(mail.from[0]?.address ?? '')}><${Shown} text=${shortName(mail.from)} /></span>
          <span>${fullTime(mail.date || mail.receivedAt)}</span>
          <span>${mail.accountId}</span>
          ${mail.list && html`<span class="chip quiet">mailing list</span>`}
          ${mail.autoSubmitted && html`<span class="chip quiet">sent automatically</span>`}
        </p>
      </div>
      <div class="row">
        <button aria-pressed=${isReplying ? 'true' : 'false'} onClick=${toggleReply}>
          <${Icon} name="mail" />Reply
        </button>
        <button class="danger" title="Delete (#)" onClick=${() => void confirmDelete([mailId])}>
          <${Icon} name="trash" />Delete
        </button>
      </div>
    </header>
    ${
      isReplying
        ? html`<div class="body">
            <${ReplyBox}
              mail=${mail}
              draftKey=${mailId}
              takesFocus=${takesFocus}
              onClose=${() => setIsReplying(false)}
            />
          </div>`
        : html`<div class="body pad">
            ${mail.runs.length === 0 ? html`<${NotRouted} mail=${mail} />` : mail.note !== '' && html`<p class="notice">${upperFirst(mail.note)}.</p>`}
            ${mail.runs.map((run) => html`<${RunCards} key=${run.id} mailId=${mailId} run=${run} full=${full} />`)}
          </div>`
    }`;
}

function NotRouted({ mail }: { mail: MailEntry }) {
  return html`<div class="notice">
    <${Icon} name="unrouted" />
    <div>
      <p><b>${mail.routed ? 'The runs of this e-mail were deleted' : 'Not routed: no director took this e-mail'}</b></p>
      ${mail.note !== '' && html`<p>${upperFirst(mail.note)}.</p>`}
      ${!mail.routed && html`<p class="muted">To see how each filter decides: <code>callsheet filters try FILE.eml</code></p>`}
    </div>
  </div>`;
}

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

function noResults({ status }: RunView): string {
  if (isActive(status)) return 'No results yet.';
  return status === 'completed' ? 'Completed without a result.' : 'No results.';
}

function RunCards({ mailId, run, full }: { mailId: string; run: RunView; full: ReadonlyMap<string, WorkspaceItem> }) {
  return html`<section class="run-cards">
    <h2>
      <${Icon} name="director" /><a href=${hrefOf('results', mailId, run.id)}>${run.directorName}</a>
      <${StatusChip} status=${run.status} waitingFor=${run.waitingFor} />${run.scripted && html`<${ScriptedBadge} />`}
    </h2>
    ${run.error !== undefined && html`<p class="bad-text"><${Shown} text=${run.error.message} /> <code>${run.error.code}</code></p>`}
    ${run.items.length === 0 && html`<p class="muted">${noResults(run)}</p>`}
    <div class="cards">
      ${run.items.map((item) => {
        const href = hrefOf('results', mailId, run.id, item.id);
        return html`<${ItemCard}
          key=${item.id}
          item=${item}
          maker=${item.agentName ?? item.createdBy}
          full=${full.get(item.id)}
          href=${href}
        />`;
      })}
    </div>
  </section>`;
}
