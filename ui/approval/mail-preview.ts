import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Preview } from '../http/api-types.ts';
import { Choice } from '../widget/choice.ts';
import { SafeFrame } from '../widget/frame.ts';
import { Icon } from '../widget/icon.ts';
import { bytes as sizeOf } from '../widget/number.ts';
import { Shown } from '../widget/visible.ts';
import { Row } from './row.ts';

interface Props {
  readonly mail: Extract<Preview, { kind: 'mail' }>;
  readonly bodyUrl?: string | undefined;
}

type Body = 'text' | 'html' | 'source';

/** The mail that a call writes, as it will leave: headers, both bodies, files. */
export function MailPreview({ mail, bodyUrl }: Props) {
  const { headers, text, html: markup, attachments, accountId } = mail;
  // Most recipients see the HTML.
  const [chosen, setChosen] = useState<Body>('html');
  const bodies: readonly (readonly [Body, string])[] =
    markup === undefined
      ? [['text', 'Text']]
      : [['text', 'Text'], ...(bodyUrl === undefined ? [] : [['html', 'HTML'] as const]), ['source', 'HTML source']];
  const body = bodies.some(([name]) => name === chosen) ? chosen : (bodies[0]?.[0] ?? 'text');
  return html`<section class="call-preview letter" role="group" aria-label="The e-mail">
    <dl class="mail-head">
      ${headers.map(({ name, values }) => html`<${Row} key=${name} name=${name} values=${values} />`)}
      <dt>Account</dt>
      <dd>${accountId}</dd>
      ${
        attachments.length > 0 &&
        html`<dt>Files</dt>
          <dd class="attached">
            ${attachments.map(
              ({ name, mimeType, bytes }, i) =>
                html`<span key=${i} class="chip" title=${mimeType}
                  ><${Icon} name="file" /><${Shown} text=${name} /> ${sizeOf(bytes)}</span
                >`,
            )}
          </dd>`
      }
    </dl>
    ${bodies.length > 1 && html`<${Choice} label="Body of the e-mail" nextKey="H" options=${bodies} value=${body} onChoose=${setChosen} />`}
    ${
      body === 'html' && bodyUrl !== undefined
        ? html`<${SafeFrame} src=${bodyUrl} title="HTML of the e-mail" />`
        : html`<p class=${`words${body === 'source' ? ' mono' : ''}`}>
            <${Shown} text=${body === 'source' ? (markup ?? '') : text} />
          </p>`
    }
  </section>`;
}
