import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { MailEntry } from '../http/api-types.ts';
import { runItems } from '../item/items.ts';
import { isHeld, useReopened } from '../reply/held.ts';
import { hasReply } from '../reply/replies.ts';
import { ReplyBox } from '../reply/reply-box.ts';
import { useKeys } from '../shell/keys.ts';
import { Icon } from '../widget/icon.ts';
import { Empty } from '../widget/notice.ts';
import { fullTime } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { confirmDelete } from './delete.ts';
import { FilterTrace } from './filter-trace.ts';
import { RunSections } from './run-sections.ts';
import { SentReplies } from './sent-replies.ts';
import { StateBar } from './state/state-bar.ts';
import { shortName } from './sender.ts';
import { marked } from './tree-state.ts';

/** Most runs of a mail whose items are shown with the beginning of their text. */
const MAX_RUNS = 12;

/** All results of one mail, by director, or the reason why there are none. */
export function MailPane({ mailId, mail }: { mailId: string; mail: MailEntry | undefined }) {
  const shown = (mail?.runs ?? []).slice(0, MAX_RUNS).map((run) => `${run.workspaceId}/${run.id}`);
  const key = shown.join(' ');
  const [isReplying, setIsReplying] = useState(hasReply(mailId) && !isHeld(mailId));
  const [takesFocus, setTakesFocus] = useState(false);
  const toggleReply = () => {
    setIsReplying(!isReplying);
    setTakesFocus(true);
  };
  useEffect(() => runItems.show(key), [key]);
  useReopened(mailId, () => {
    setIsReplying(true);
    setTakesFocus(true);
  });
  useKeys({
    'a': () => isReplying || toggleReply(),
    '#': () => void confirmDelete(marked.value.size > 0 ? [...marked.value] : [mailId]),
  });
  if (mail === undefined) return html`<${Empty} icon="mail" title="This e-mail was not found" />`;
  const full = new Map((runItems.state.value.data ?? []).map((item) => [item.id, item]));
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
        <button
          class="for-admin"
          aria-pressed=${isReplying ? 'true' : 'false'}
          title="Reply (a)"
          onClick=${toggleReply}
        >
          <${Icon} name="mail" />${!isReplying && hasReply(mailId) && !isHeld(mailId) ? 'Continue reply' : 'Reply'}
        </button>
        <button class="danger for-admin" title="Delete (#)" onClick=${() => void confirmDelete([mailId])}>
          <${Icon} name="trash" />Delete
        </button>
      </div>
      <${StateBar} mail=${mail} />
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
            <${SentReplies} mail=${mail} />
            ${mail.runs.length === 0 ? html`<${NotRouted} mail=${mail} />` : mail.note !== '' && html`<p class="notice">${upperFirst(mail.note)}.</p>`}
            <${RunSections} mail=${mail} full=${full} />
            ${mail.routed && html`<${Why} mailId=${mail.id} />`}
          </div>`
    }`;
}

/** How the filters decide about a mail that a director took; `w` opens and closes it. */
function Why({ mailId }: { mailId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  useKeys({ w: () => setIsOpen(!isOpen) });
  return html`<div class="why">
    <button
      class="bare"
      aria-expanded=${isOpen ? 'true' : 'false'}
      title="Why this route (w)"
      onClick=${() => setIsOpen(!isOpen)}
    >
      <${Icon} name="unrouted" />Why this route?
    </button>
    ${isOpen && html`<${FilterTrace} mailId=${mailId} />`}
  </div>`;
}

function NotRouted({ mail }: { mail: MailEntry }) {
  return html`<div class="notice">
      <${Icon} name="unrouted" />
      <div>
        <p>
          <b>${mail.routed ? 'The runs of this e-mail were deleted' : 'Not routed: no director took this e-mail'}</b>
        </p>
        ${mail.note !== '' && html`<p>${upperFirst(mail.note)}.</p>`}
      </div>
    </div>
    ${!mail.routed && html`<${FilterTrace} mailId=${mail.id} />`}`;
}

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
