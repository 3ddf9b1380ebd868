import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { FullMail, MailEntry } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { keyed } from '../shell/keys.ts';

type SentReply = NonNullable<MailEntry['replies']>[number];

/** A longer text is shown in full only after a click. */
const SHORT_LINES = 12;
const SHORT_CHARS = 1200;

/** The mail with the whole text of its replies; the list has only their first words. */
const whole = createResource((id, signal) => request<FullMail>('GET', path`/api/emails/${id}`, { signal }));

/** The replies that were sent to a mail: by whom, when, and the text. */
export function SentReplies({ mail }: { mail: MailEntry }) {
  const { id, replies = [] } = mail;
  useEffect(() => {
    if (replies.length > 0) whole.reload(id);
  }, [id, replies.length]);
  const { key, data } = whole.state.value;
  const texts = key === id ? (data?.replies ?? []) : [];
  return html`${replies.map((reply, i) => html`<${Reply} key=${reply.messageId} mailId=${id} reply=${texts[i] ?? reply} />`)}`;
}

function Reply({ mailId, reply }: { mailId: string; reply: SentReply }) {
  const [isOpen, setIsOpen] = useState(false);
  const isLong = reply.text.length > SHORT_CHARS || reply.text.split('\n').length > SHORT_LINES;
  return html`<section class="notice reply">
    <${Icon} name="mail" />
    <div>
      <p>
        <b>${senderOf(reply)} replied</b> <span class="muted">${fullTime(reply.at)}, from ${reply.accountId}</span>
        ${reply.runId !== undefined && html` <a href=${hrefOf('inbox', mailId, reply.runId)}>Open run</a>`}
      </p>
      <p class=${isLong && !isOpen ? 'words short' : 'words'}><${Shown} text=${reply.text.trim()} /></p>
      ${isLong && html`<button ...${keyed('M', 'Show all or less')} class="bare" onClick=${() => setIsOpen(!isOpen)}>${isOpen ? 'Show less' : 'Show all'}</button>`}
    </div>
  </section>`;
}

function senderOf({ by, director, agent }: SentReply): string {
  if (by === 'user') return 'You';
  const maker = by === 'agent' ? agent : director;
  return maker?.name ?? maker?.id ?? `The ${by}`;
}
