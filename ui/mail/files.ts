import { html } from 'htm/preact';
import { path, requestBytes } from '../http/request.ts';
import type { FullMail } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { saveFile } from '../widget/copy.ts';
import { bytes } from '../widget/number.ts';
import { attempt } from '../widget/toast.ts';
import { Shown, visible } from '../widget/visible.ts';
import { nearKeyed } from '../shell/keys.ts';

/** The attachments of a mail, each as a button that downloads it. */
export function MailFiles({ mail }: { mail: Pick<FullMail, 'id' | 'attachments'> }) {
  if (mail.attachments.length === 0) return null;
  return html`<ul class="files">
    ${mail.attachments.map(
      ({ index, name, size }) =>
        html`<li key=${index}>
          <button ...${nearKeyed('d', 'Download')} class="file" onClick=${() => download(mail.id, index, name)}>
            <${Icon} name="clip" /><${Shown} text=${name || `attachment ${index + 1}`} /><span class="muted"
              >${bytes(size)}</span
            >
          </button>
        </li>`,
    )}
  </ul>`;
}

/** Downloads an attachment. Not a link: it would need the key of the page in its address, which browsers note beside the file. */
export function download(mailId: string, index: number, name: string): void {
  const fileName = visible(name).replaceAll('\\', '_') || `attachment-${index}`;
  void attempt(async () => saveFile(fileName, await requestBytes(path`/api/emails/${mailId}/attachments/${index}`)));
}
