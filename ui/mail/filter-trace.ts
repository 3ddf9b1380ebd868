import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { ConditionTrace, FilterResult } from '../../engine/src/filter/filter.ts';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { RoutingTrial } from '../http/api-types.ts';
import { startRun } from '../run/runs.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';
import { nearKeyed } from '../shell/keys.ts';

const trial = createResource((emailId, signal) =>
  request<RoutingTrial>('POST', '/api/config/try', { body: { emailId }, signal }),
);

/** How each filter of the config that runs now decides about a mail, and which director would take it. */
export function FilterTrace({ mailId }: { mailId: string }) {
  useEffect(() => trial.reload(mailId), [mailId]);
  const { key, data, error } = trial.state.value;
  if (key !== mailId) return null;
  if (data === undefined) return error !== undefined && html`<${ErrorNotice} error=${error} />`;
  return html`<section class="filter-trace">
    <h2 class="section">How each filter decides now</h2>
    <${FilterTrial} trial=${data} mailId=${mailId} />
  </section>`;
}

/** The directors that a mail would reach, and how each filter decides. With the id of a stored mail, buttons start the directors. */
export function FilterTrial({ trial: shown, mailId }: { trial: RoutingTrial; mailId?: string }) {
  return html`<${Directors} mailId=${mailId} trial=${shown} />
    ${shown.results.length === 0 && html`<p class="muted">The config has no filters.</p>`}
    <ul>
      ${shown.results.map((result) => html`<${FilterLine} key=${result.filterId} result=${result} />`)}
    </ul>`;
}

/** The directors that would take the mail now, with their agents, each with a button that starts it. */
function Directors({ mailId, trial: { directors, passedOver, agents } }: { mailId?: string; trial: RoutingTrial }) {
  return html`${directors.map(({ directorId, filterId }) => {
    const asked = agents[directorId] ?? [];
    return html`<p key=${directorId} class="row" data-part>
      <span
        >Filter <code>${filterId}</code> matches, and <b>${directorId}</b> would take this e-mail
        now.${asked.length > 0 && html` Its agents: ${asked.join(', ')}.`}</span
      >
      ${
        mailId !== undefined &&
        html`<button
          ...${nearKeyed('R', 'Run it')}
          class="for-admin"
          onClick=${() => void startRun(directorId, mailId)}
        >
          Run ${directorId}
        </button>`
      }
    </p>`;
  })}
  ${passedOver.map(
    ({ directorId, filterId, reason }) =>
      html`<p key=${directorId}>
        Filter <code>${filterId}</code> matches, but <b>${directorId}</b>${' '}
        ${reason === 'account' ? 'does not take mail of this account' : 'is disabled'}.
      </p>`,
  )}
  ${
    directors.length + passedOver.length === 0 &&
    html`<p>No filter matches. To have it taken, change a filter, or add one that names a director.</p>`
  }`;
}

const SKIPPED = { account: 'not for this account', stopped: 'skipped: an earlier filter stops' } as const;

function FilterLine({ result: { filterId, matched, verdict, skipped } }: { result: FilterResult }) {
  return html`<li>
    <p>
      <${Mark} matched=${matched} isQuiet=${skipped !== undefined} /><code>${filterId}</code>
      ${skipped !== undefined && html` <span class="muted">${SKIPPED[skipped]}</span>`}
    </p>
    ${
      verdict !== undefined &&
      html`<ul>
        <${Condition} trace=${verdict} />
      </ul>`
    }
  </li>`;
}

const GROUPS = { allOf: 'all of', anyOf: 'any of', not: 'not' } as const;

function Condition({ trace }: { trace: ConditionTrace }) {
  if (trace.kind !== 'field')
    return html`<li>
      <p><${Mark} matched=${trace.matched} />${GROUPS[trace.kind]}</p>
      <ul>
        ${trace.parts.map((part, i) => html`<${Condition} key=${i} trace=${part} />`)}
      </ul>
    </li>`;
  const { field, regex, matched, value } = trace;
  return html`<li>
    <p>
      <${Mark} matched=${matched} />${field} ~ <code><${Shown} text=${regex} /></code>
      ${value !== undefined && html` <span class="muted">found in “<${Shown} text=${value.slice(0, 100)} />”</span>`}
    </p>
  </li>`;
}

function Mark({ matched, isQuiet = false }: { matched: boolean; isQuiet?: boolean }) {
  const word = matched ? 'matches' : 'does not match';
  return html`<span class=${`dot ${isQuiet ? '' : matched ? 'ok' : 'bad'}`} role="img" aria-label=${word} title=${word}
    ><${Icon} name=${matched ? 'check' : 'cross'}
  /></span>`;
}
