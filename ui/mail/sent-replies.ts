import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { FullMail, MailEntry } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';

type SentReply = NonNullable<MailEntry['replies']>[number];

/** The list cuts the text of replies at this length. */
const CUT_CHARS = 200;

/** The mail with the whole text of its replies. */
const whole = createResource((id, signal) => request<FullMail>('GET', path`/api/emails/${id}`, { signal }));

/** The replies that were sent to a mail: by whom, when, and the text. */
export function SentReplies({ mail }: { mail: MailEntry }) {
  const { id, replies = [] } = mail;
  return html`${replies.map((reply, i) => html`<${Reply} key=${reply.messageId} mailId=${id} reply=${reply} index=${i} />`)}`;
}

function Reply({ mailId, reply, index }: { mailId: string; reply: SentReply; index: number }) {
  const [isWhole, setIsWhole] = useState(false);
  useEffect(() => {
    if (isWhole) whole.reload(mailId);
  }, [isWhole, mailId]);
  const { key, data } = whole.state.value;
  const text = (isWhole && key === mailId ? data?.replies?.[index]?.text : undefined) ?? reply.text;
  const isCut = reply.text.length >= CUT_CHARS && !isWhole;
  return html`<section class="notice reply">
    <${Icon} name="mail" />
    <div>
      <p>
        <b>${senderOf(reply)} replied</b> <span class="muted">${fullTime(reply.at)}, from ${reply.accountId}</span>
        ${reply.runId !== undefined && html` <a href=${hrefOf('results', mailId, reply.runId)}>Open run</a>`}
      </p>
      <p class="words"><${Shown} text=${text} /></p>
      ${isCut && html`<button class="bare" onClick=${() => setIsWhole(true)}>Show all</button>`}
    </div>
  </section>`;
}

function senderOf({ by, director, agent }: SentReply): string {
  if (by === 'user') return 'You';
  const maker = by === 'agent' ? agent : director;
  return maker?.name ?? maker?.id ?? `The ${by}`;
}
