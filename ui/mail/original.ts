import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { path, request, requestBytes } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { FullMail, MailEntry } from '../http/api-types.ts';
import { Events } from '../item/events.ts';
import { RASTER } from '../item/preview.ts';
import { FileText } from '../item/file-text.ts';
import { useKeys } from '../shell/keys.ts';
import { Choice } from '../widget/choice.ts';
import { SafeFrame } from '../widget/frame.ts';
import { Icon, mimeIcon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { fullTime } from '../widget/time.ts';
import { attempt } from '../widget/toast.ts';
import { Shown, visible } from '../widget/visible.ts';
import { download, MailFiles } from './files.ts';
import { MailFile } from './mail-file.ts';
import { MailHead } from './mail-head.ts';
import { shortName } from './sender.ts';

const original = createResource((id, signal) => request<FullMail>('GET', path`/api/emails/${id}`, { signal }));

/** Most calendar files of one mail that are shown as events: the server reads the mail again for each. */
const MAX_CALENDARS = 3;

/** Images that are open at first: so many, each of at most so many bytes. */
const MAX_IMAGES = 3;
const MAX_IMAGE_BYTES = 1_000_000;

/** Whether the mail is open beside its results, and below one run or result; as long as the page is there. */
const opened = { beside: signal(true), below: signal(false) };

/**
 * The mail as received: headers, body, attachments. Open beside the results of the mail, so that it can be read without a click, and
 * closed below a single one. `v` opens and closes it.
 */
export function Original({
  mailId,
  summary,
  isBeside,
}: {
  mailId: string;
  summary: MailEntry | undefined;
  isBeside: boolean;
}) {
  const own = isBeside ? opened.beside : opened.below;
  const isOpen = own.value;
  const setIsOpen = (next: boolean) => (own.value = next);
  useKeys({ v: () => setIsOpen(!own.value) });
  useEffect(() => {
    if (isOpen) original.show(mailId);
  }, [isOpen, mailId]);
  const { key, data, error } = original.state.value;
  const count = summary?.attachments.length ?? 0;
  return html`<details
    class=${isBeside ? 'original beside' : 'original'}
    open=${isOpen}
    onToggle=${(event: Event) => event.target instanceof HTMLDetailsElement && setIsOpen(event.target.open)}
  >
    <summary title="Open or close the e-mail (v)">
      <${Icon} name="chevron" className="turn" />
      <span>Original e-mail</span>
      ${
        summary !== undefined &&
        html`<span class="muted"><${Shown} text=${shortName(summary.from)} /></span
          ><span class="muted">${fullTime(summary.date || summary.receivedAt)}</span>`
      }
      ${count > 0 && html`<span class="muted"><${Icon} name="clip" />${count} ${count === 1 ? 'file' : 'files'}</span>`}
    </summary>
    ${isOpen && error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${isOpen && key === mailId && data !== undefined && html`<${Content} mail=${data} />`}
  </details>`;
}

function Content({ mail }: { mail: FullMail }) {
  const calendars = mail.attachments.filter(({ mimeType }) => mimeType.toLowerCase() === 'text/calendar');
  const images = mail.attachments.filter((file) => isImage(file) && file.size <= MAX_IMAGE_BYTES).slice(0, MAX_IMAGES);
  return html`<${Headers} mail=${mail} />
    <${MailFiles} mail=${mail} />
    ${calendars
      .slice(0, MAX_CALENDARS)
      .map(
        ({ index }) => html`<${Events} key=${index} url=${path`/api/emails/${mail.id}/attachments/${index}/events`} />`,
      )}
    ${mail.attachments.map((file) => html`<${AttachedFile} key=${file.index} mailId=${mail.id} file=${file} startsOpen=${images.includes(file)} />`)}
    <${Body} mail=${mail} />`;
}

// The server decides the same (engine/src/api/routes/mail/mail-file.ts and file-text.ts).
const MAIL = /^message\/rfc822$/i;
const DOCUMENT = /^application\/(?:pdf|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)$/i;

type Attachment = FullMail['attachments'][number];

const isImage = ({ mimeType }: Attachment) => RASTER.test(mimeType.toLowerCase());

interface FileProps {
  readonly mailId: string;
  readonly file: Attachment;
  readonly startsOpen: boolean;
}

/** An attachment that can be shown: a mail or a document as text, which the server reads when it is opened, or an image. */
function AttachedFile({ mailId, file, startsOpen }: FileProps) {
  const { index, mimeType, name } = file;
  const [isOpen, setOpen] = useState(startsOpen);
  const isMail = MAIL.test(mimeType) || /\.eml$/i.test(name);
  if (!isMail && !isImage(file) && !DOCUMENT.test(mimeType) && !/\.(?:pdf|docx)$/i.test(name)) return null;
  const url = path`/api/emails/${mailId}/attachments/${index}`;
  return html`<details
    class="attached-file"
    open=${isOpen}
    onToggle=${(e: Event) => e.target === e.currentTarget && e.target instanceof HTMLDetailsElement && setOpen(e.target.open)}
  >
    <summary>
      <${Icon} name="chevron" className="turn" /><${Icon} name=${isMail ? 'mail' : mimeIcon(mimeType)} /><${Shown}
        text=${name || `attachment ${index + 1}`}
      />
    </summary>
    ${isOpen && (isImage(file) ? html`<${AttachedImage} url=${url} name=${name} mimeType=${mimeType} />` : isMail ? html`<${MailFile} url=${`${url}/mail`} />` : html`<${FileText} url=${`${url}/text`} onSave=${() => download(mailId, index, name)} />`)}
  </details>`;
}

/** An attached image. Its bytes go into the page, as an address with the key of the page would stay in the browser. */
function AttachedImage({ url, name, mimeType }: { url: string; name: string; mimeType: string }) {
  const [source, setSource] = useState('');
  useEffect(() => {
    const reader = new FileReader();
    reader.onload = () => setSource(String(reader.result));
    void attempt(async () => reader.readAsDataURL(new Blob([await requestBytes(url)], { type: mimeType })));
    return () => (reader.onload = null);
  }, [url]);
  return source !== '' && html`<div class="picture"><img alt=${visible(name)} src=${source} /></div>`;
}

function Headers({ mail }: { mail: FullMail }) {
  const notes = [
    ...mail.notes,
    ...(mail.duplicateOf === undefined ? [] : ['An earlier e-mail has the same Message-ID.']),
    ...(mail.removedAt === undefined ? [] : [`No longer in the account (noticed on ${fullTime(mail.removedAt)}).`]),
  ];
  return html`<${MailHead} ...${mail} notes=${notes} />`;
}

const FORMS = [
  ['html', 'HTML'],
  ['text', 'Text'],
] as const;

function Body({ mail }: { mail: FullMail }) {
  const [withImages, setWithImages] = useState(false);
  const [form, setForm] = useState<'html' | 'text'>(mail.html === '' ? 'text' : 'html');
  const address = path`/api/emails/${mail.id}/body.html`;
  const noText = mail.html === '' ? 'This e-mail has no text.' : 'This e-mail has no text part; see HTML.';
  return html`${
    mail.html !== '' &&
    html`<div class="bar">
      <${Choice} label="Format of the body" nextKey="H" options=${FORMS} value=${form} onChoose=${setForm} />
      ${
        form === 'html' &&
        mail.remoteImages === true &&
        html`<span class="muted"
            ><${Icon} name="shield" />${withImages ? 'Images loaded for now' : 'Images blocked'}</span
          >
          ${!withImages && html`<button aria-keyshortcuts="I" title="Load the images once (I)" onClick=${() => setWithImages(true)}>Load once</button>`}`
      }
    </div>`
  }
  ${
    form === 'text'
      ? html`<${LongText} className="mail-text" text=${mail.text || mail.bodyText || noText} />`
      : html`<div class="canvas">
          <${SafeFrame} src=${withImages ? `${address}?images=1` : address} title="E-mail body" />
        </div>`
  }`;
}
