import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { FileTextView } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';
import { nearKeyed } from '../shell/keys.ts';

const FORMS: Readonly<Partial<Record<FileTextView['form'], string>>> = { pdf: 'PDF', docx: 'DOCX' };

interface Props {
  /** API address of the text of the file. */
  readonly url: string;
  /** Downloads the file, which has the layout and the pictures. */
  readonly onSave: () => void;
  /** Shown below the error when the API cannot read the file. */
  readonly children?: ComponentChildren;
}

/** A PDF or DOCX file as its text, with the file beside it. The browser never opens the file itself. */
export function FileText({ url, onSave, children }: Props) {
  const [preview] = useState(() => createResource((key, signal) => request<FileTextView>('GET', key, { signal })));
  useEffect(() => preview.show(url), [url]);
  const { key, data, error } = preview.state.value;
  if (key !== url || (data === undefined && error === undefined)) return null;
  if (data === undefined) return html`<${ErrorNotice} error=${error} />${children}`;
  const { form, text, pages, note } = data;
  return html`<article class="file-text" aria-label="The text of this file">
    <div class="row">
      <span class="muted grow"
        >Text of a ${FORMS[form] ?? 'file'}${pages !== undefined && ` of ${pages} ${pages === 1 ? 'page' : 'pages'}`}.
        Layout and pictures are only in the file.</span
      >
      <button ...${nearKeyed('d', 'Download')} onClick=${onSave}><${Icon} name="download" />Download</button>
    </div>
    ${note !== undefined && html`<p class="notice"><${Shown} text=${note} /></p>`}
    ${text !== '' && html`<${LongText} className="prose" text=${text} />`}
  </article>`;
}
