import { html } from 'htm/preact';
import type { Preview } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { Shown as Text } from '../widget/visible.ts';
import { Diff } from './diff.ts';
import { MailPreview } from './mail-preview.ts';
import type { Shown } from './preview.ts';
import { Row } from './row.ts';

interface Props {
  readonly preview: Shown;
  /** Address of the rendered HTML of a mail; undefined where only its source is known. */
  readonly bodyUrl?: string | undefined;
}

/** What a call does: the mail, the event, the request, the command or the change of a file. */
export function CallPreview({ preview, bodyUrl }: Props) {
  switch (preview.kind) {
    case 'mail':
      return html`<${MailPreview} mail=${preview} bodyUrl=${bodyUrl} />`;
    case 'event':
      return html`<${EventView} event=${preview} />`;
    case 'request':
      return html`<${RequestView} request=${preview} />`;
    case 'command':
      return html`<${CommandView} command=${preview} />`;
    case 'diff':
      return html`<${Diff} text=${preview.text} />`;
    default:
      preview satisfies never;
      return null;
  }
}

const ZONES: Readonly<Record<string, string>> = {
  user: 'your zone',
  event: 'of the event',
  calendar: 'of the calendar',
};

function EventView({ event }: { event: Extract<Preview, { kind: 'event' }> }) {
  const { title, times, isAllDay, calendar, accountId, location, description, attendees } = event;
  return html`<section class="call-preview event-preview" role="group" aria-label="The event">
    <h3><${Icon} name="clock" /><${Text} text=${title} /></h3>
    <dl class="mail-head">
      ${times.map(
        ({ of, timeZone, start, end }) =>
          html`<dt key=${`t${timeZone}`}>${isAllDay ? 'Whole days' : 'When'}</dt>
            <dd key=${timeZone}>
              ${start === end ? start : `${start} – ${end}`}${
                !isAllDay &&
                html` <span class="muted">${timeZone} · ${of.map((zone) => ZONES[zone] ?? zone).join(', ')}</span>`
              }
            </dd>`,
      )}
      <${Row} name="Where" values=${location === undefined ? [] : [location]} />
      <dt>Calendar</dt>
      <dd>
        <${Text} text=${calendar} />${accountId !== undefined && html` <span class="muted">account ${accountId}</span>`}
      </dd>
      <dt>Invited</dt>
      <dd>
        ${attendees.length === 0 ? html`<span class="muted">nobody</span>` : attendees.map((one, i) => html`${i > 0 && ', '}<${Text} key=${i} text=${one} />`)}
      </dd>
    </dl>
    ${description !== undefined && html`<p class="words"><${Text} text=${description} /></p>`}
  </section>`;
}

function RequestView({ request }: { request: Extract<Preview, { kind: 'request' }> }) {
  const { method, url, headers, body } = request;
  return html`<section class="call-preview request-preview" role="group" aria-label="The request">
    <p class="mono request-line"><b>${method}</b> <${Text} text=${url} /></p>
    ${
      headers.length > 0 &&
      html`<dl class="mono request-headers">
        ${headers.map(
          ({ name, value }) =>
            html`<dt key=${`n${name}`}>${name}:</dt>
              <dd key=${name}><${Text} text=${value} /></dd>`,
        )}
      </dl>`
    }
    ${body !== undefined && html`<pre class="words mono"><${Text} text=${body} /></pre>`}
    <p class="muted small">Values of secrets are shown as ***.</p>
  </section>`;
}

function CommandView({ command }: { command: Extract<Preview, { kind: 'command' }> }) {
  const { argv, cwd, isSandboxed } = command;
  return html`<section class="call-preview command-preview" role="group" aria-label="The command">
    <ol class="argv mono">
      ${argv.map((argument, i) => html`<li key=${i}>${argument === '' ? html`<span class="muted">(empty)</span>` : html`<${Text} text=${argument} />`}</li>`)}
    </ol>
    <p class="muted small">
      Started
      in${' '}${cwd === '.' ? 'the folder that contains the config' : html`<span class="mono"><${Text} text=${cwd} /></span>`},
      without a shell, ${isSandboxed ? 'in a sandbox.' : 'without a sandbox.'}
    </p>
  </section>`;
}
