import { html } from 'htm/preact';
import type { MailFileView } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { fullTime } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';

type Head = Pick<MailFileView, 'from' | 'to' | 'cc' | 'subject' | 'date' | 'headers' | 'notes'>;

/** The head of a mail: people, subject and date, what is missing from it, and all headers for those who ask. */
export function MailHead({ from, to, cc, subject, date, headers, notes }: Head) {
  return html`<dl class="mail-head">
      ${addressLine('From', from)} ${addressLine('To', to)} ${addressLine('Cc', cc)}
      <dt>Subject</dt>
      <dd><${Shown} text=${subject} /></dd>
      <dt>Date</dt>
      <dd>${fullTime(date) || 'no valid date'}</dd>
    </dl>
    ${
      notes.length > 0 &&
      html`<ul class="mail-notes">
        ${notes.map((note) => html`<li key=${note}><${Shown} text=${note} /></li>`)}
      </ul>`
    }
    <details class="all-headers">
      <summary><${Icon} name="chevron" className="turn" />All ${headers.length} headers</summary>
      <pre>${visible(headers.map(({ name, value }) => `${name}: ${value}`).join('\n'))}</pre>
    </details>`;
}

function addressLine(name: string, addresses: Head['from']) {
  if (addresses.length === 0) return null;
  return html`<dt>${name}</dt>
    <dd>
      ${addresses.map(
        (a, i) =>
          html`${i > 0 && ', '}<${Shown} key=${i} text=${a.name === '' ? a.address : `${a.name} <${a.address}>`} />`,
      )}
    </dd>`;
}
