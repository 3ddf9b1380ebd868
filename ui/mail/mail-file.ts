import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { MailFileView } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { bytes } from '../widget/number.ts';
import { Shown } from '../widget/visible.ts';
import { MailHead } from './mail-head.ts';

interface Props {
  /** API address of the mail in the file. */
  readonly url: string;
  /** Shown below the error when the API cannot read the file. */
  readonly children?: ComponentChildren;
}

/** A mail that is a file, with its headers and its text. Its own attachments are only named: they are in the file. */
export function MailFile({ url, children }: Props) {
  const [preview] = useState(() => createResource((key, signal) => request<MailFileView>('GET', key, { signal })));
  useEffect(() => preview.show(url), [url]);
  const { key, data, error } = preview.state.value;
  if (key !== url || (data === undefined && error === undefined)) return null;
  if (data === undefined) return html`<${ErrorNotice} error=${error} />${children}`;
  return html`<article class="mail-file" aria-label="The e-mail in this file">
    <${MailHead} ...${data} />
    ${
      data.attachments.length > 0 &&
      html`<ul class="files" aria-label="Files in this e-mail">
        ${data.attachments.map(
          ({ name, mimeType, size }, i) =>
            html`<li key=${i} class="chip quiet" title=${mimeType}>
              <${Icon} name="clip" /><${Shown} text=${name || `attachment ${i + 1}`} /> ${bytes(size)}
            </li>`,
        )}
      </ul>`
    }
    <${LongText} className="mail-text" text=${data.bodyText || 'This e-mail has no text.'} />
  </article>`;
}
