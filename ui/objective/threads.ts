import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { ObjectiveView } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { shortName } from '../mail/sender.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { threadMails, threadsKey } from './objectives.ts';

/** The linked threads, each with its newest mails. */
export function Threads({ objective }: { readonly objective: ObjectiveView }) {
  const { threads } = objective;
  const key = threadsKey(objective);
  useEffect(() => threadMails.show(key), [key]);
  const { key: shown, data = [], error } = threadMails.state.value;
  return html`<section>
    <h2>${threads.length === 1 ? 'Thread' : 'Threads'}</h2>
    ${threads.length === 0 && html`<p class="muted">None yet: its first mail begins one.</p>`}
    ${shown === key && error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${threads.map(({ accountId, threadId }, i) => {
      const mails = (shown === key ? data[i] : undefined) ?? [];
      return html`<div key=${`${accountId} ${threadId}`} class="thread">
        <p class="muted">${accountId}</p>
        ${shown === key && data[i]?.length === 0 && html`<p class="muted">No mail of it was fetched yet.</p>`}
        <ul>
          ${mails.map(
            (mail) =>
              html`<li key=${mail.id}>
                <a href=${hrefOf('inbox', mail.id)}><${Shown} text=${mail.subject || '(no subject)'} /></a>
                <span class="muted"
                  ><${Shown} text=${shortName(mail.from)} /> · <${Age} at=${mail.date || mail.receivedAt}
                /></span>
              </li>`,
          )}
        </ul>
      </div>`;
    })}
  </section>`;
}
