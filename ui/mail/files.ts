import { html } from 'htm/preact';
import { path } from '../http/request.ts';
import type { FullMail } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { bytes } from '../widget/number.ts';
import { Shown, visible } from '../widget/visible.ts';

/** The attachments of a mail as download links. */
export function MailFiles({ mail }: { mail: Pick<FullMail, 'id' | 'attachments'> }) {
  if (mail.attachments.length === 0) return null;
  return html`<ul class="files">
    ${mail.attachments.map(
      ({ index, name, size }) =>
        html`<li key=${index}>
          <a
            class="file"
            href=${path`/api/emails/${mail.id}/attachments/${index}`}
            download=${visible(name).replaceAll('\\', '_') || `attachment-${index}`}
          >
            <${Icon} name="clip" /><${Shown} text=${name || `attachment ${index + 1}`} /><span class="muted"
              >${bytes(size)}</span
            >
          </a>
        </li>`,
    )}
  </ul>`;
}
