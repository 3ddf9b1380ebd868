import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { formatValue } from '../http/json.ts';
import { MailFiles } from '../mail/files.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';
import { shownMail } from './traces.ts';
import { keyed } from '../shell/keys.ts';

/** The e-mail that started a run: headers, first words and attachments, or all of it as JSON. */
export function EmailTab({ emailId }: { emailId: string | undefined }) {
  const [isRaw, setIsRaw] = useState(false);
  useEffect(() => {
    if (emailId !== undefined) shownMail.show(emailId);
  }, [emailId]);
  if (emailId === undefined) return html`<p class="muted">No e-mail started this run.</p>`;
  const { key, data: mail, error } = shownMail.state.value;
  if (key !== emailId || (mail === undefined && error === undefined)) return html`<p class="muted">Loading…</p>`;
  if (mail === undefined) return error !== undefined && html`<${ErrorNotice} error=${error} />`;
  return html`<p class="row">
      <a href=${hrefOf('inbox', mail.id)}>Open e-mail</a>
      <button ...${keyed('J', 'Raw JSON')} aria-pressed=${isRaw ? 'true' : 'false'} onClick=${() => setIsRaw(!isRaw)}>
        <${Icon} name="code" />Raw JSON
      </button>
    </p>
    ${
      isRaw
        ? html`<${LongText} className="json" text=${formatValue(mail)} />`
        : html`<dl class="mail-head">
              ${mail.headers.map(
                ({ name, value }, i) =>
                  html`<dt key=${`n${i}`}><${Shown} text=${name} /></dt>
                    <dd key=${`v${i}`}><${Shown} text=${value} /></dd>`,
              )}
            </dl>
            <p class="snippet"><${Shown} text=${mail.snippet} /></p>
            <${MailFiles} mail=${mail} />`
    }`;
}
