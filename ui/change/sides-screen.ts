import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ChangedSides, PlayedSide } from '../http/api-types.ts';
import { costOf } from '../run/run-entry.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf } from '../shell/route.ts';
import { StatusChip } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { duration, short } from '../widget/number.ts';
import { Shown, visible } from '../widget/visible.ts';
import { openedEntry } from './changes.ts';
import { DifferenceLine, titleOf } from './report.ts';

type Call = PlayedSide['calls'][number];

/** One mail or run of the comparison: what differs, and both sides next to each other (`#/changes/<id>`). */
export function SidesScreen({ name }: { readonly name: string }) {
  useEffect(() => openedEntry.reload(name), [name]);
  useKeys({ u: () => go('changes') });
  const { key, data, error } = openedEntry.state.value;
  return html`<div class="page compare">
    <div class="page-head">
      <h1>${key === name && data !== undefined ? html`<${Shown} text=${titleOf(data)} />` : 'What changes'}</h1>
      <button title="Back to the comparison (u)" onClick=${() => go('changes')}>
        <${Icon} name="back" />All changes
      </button>
    </div>
    ${key === name && error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${key === name && data !== undefined && html`<${Both} entry=${data} />`}
  </div>`;
}

function Both({ entry }: { readonly entry: ChangedSides }) {
  const { name, differences, directorId, before, after } = entry;
  return html`<p>
      ${
        directorId === undefined
          ? html`<a href=${hrefOf('inbox', name)}>Open the e-mail</a>`
          : html`<a href=${hrefOf('runs', name)}>Open the run</a>`
      }
    </p>
    <h2 class="section">What differs</h2>
    <ul class="differences">
      ${differences.map((difference, i) => html`<li key=${i}><${DifferenceLine} difference=${difference} /></li>`)}
    </ul>
    ${differences.map(
      ({ kind, before: was, after: is }, i) => kind === 'routing' && html`<${Routes} key=${i} sides=${[was, is]} />`,
    )}
    ${before !== undefined && html`<${Runs} sides=${[before, after]} />`}`;
}

/** Where a mail went, and where it would go. */
function Routes({ sides }: { readonly sides: readonly unknown[] }) {
  return html`<h2 class="section">Route</h2>
    <${Columns}>
      ${sides.map((side) => {
        const directors = Array.isArray(side) ? side.map(String) : [];
        return directors.length === 0
          ? html`<p class="muted">No director gets it.</p>`
          : html`<ul>
              ${directors.map(
                (id) => html`<li key=${id} class="row"><${Icon} name="director" /><${Shown} text=${id} /></li>`,
              )}
            </ul>`;
      })}
    <//>`;
}

/** Two columns with their names, the first for the running config. */
function Columns({ children }: { readonly children: readonly ComponentChildren[] }) {
  return html`<div class="compare-sides">
    ${children.flat().map(
      (child, i) =>
        html`<div key=${i} role="group" aria-label=${i === 0 ? 'Before' : 'After'}>
          <h3>${i === 0 ? 'Before' : 'After'}</h3>
          ${child}
        </div>`,
    )}
  </div>`;
}

const FACTS: readonly (readonly [name: string, value: (side: PlayedSide) => string])[] = [
  ['Turns', ({ turns }) => String(turns)],
  ['Tokens in / out', ({ inputTokens, outputTokens }) => `${short(inputTokens)} / ${short(outputTokens)}`],
  ['Cost', ({ cost }) => costOf(cost)],
  ['Duration', ({ durationMs }) => duration(durationMs)],
  [
    'Approvals',
    ({ calls }) =>
      calls
        .filter(({ asked }) => asked)
        .map(({ tool }) => tool)
        .join(', ') || '–',
  ],
  ['Error', ({ error }) => (error === undefined ? '–' : `${error.code}: ${error.message}`)],
];

function Runs({ sides }: { readonly sides: readonly (PlayedSide | undefined)[] }) {
  const missing = html`<p class="muted">It cannot be played.</p>`;
  return html`<table class="compare-facts">
      <thead>
        <tr>
          <td></td>
          ${sides.map(
            (side, i) =>
              html`<th key=${i} scope="col">
                ${i === 0 ? 'Before' : 'After'}${' '}
                ${side !== undefined && html`<${StatusChip} status=${side.status} waitingFor=${side.waitingFor} />`}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${FACTS.map(([name, value]) => {
          const [a = '', b = ''] = sides.map((side) => (side === undefined ? '–' : value(side)));
          return html`<tr key=${name} class=${a === b ? '' : 'differs'}>
            <th scope="row">${name}</th>
            ${[a, b].map((text, i) => html`<td key=${i}><${Shown} text=${text} /></td>`)}
          </tr>`;
        })}
      </tbody>
    </table>
    <h2 class="section">Calls</h2>
    <${Columns}>${sides.map((side) => (side === undefined ? missing : html`<${Calls} calls=${side.calls} />`))}<//>
    <h2 class="section">Drafts and results</h2>
    <${Columns}>${sides.map((side) => (side === undefined ? missing : html`<${Results} side=${side} />`))}<//>`;
}

function Calls({ calls }: { readonly calls: readonly Call[] }) {
  if (calls.length === 0) return html`<p class="muted">No call.</p>`;
  return html`<ul class="played-calls">
    ${calls.map(
      ({ tool, agentId, state, asked, error, arguments: args }, i) =>
        html`<li key=${i}>
          <details class="compare-part">
            <summary>
              <${Icon} name="chevron" className="turn" /><code>${tool}</code>
              ${agentId !== '' && html`<span class="muted"> agent ${agentId}</span>`}
              ${asked && html` <span class="chip wait">asks a person</span>`}
              ${state !== 'done' && html` <span class="chip bad">${error ?? state}</span>`}
            </summary>
            <${LongText} className="json" text=${visible(args)} />
          </details>
        </li>`,
    )}
  </ul>`;
}

function Results({ side: { items, answer } }: { readonly side: PlayedSide }) {
  return html`<ul>
    ${items.map(
      ({ label, mimeType, data }, i) =>
        html`<li key=${i}>
          <p>
            <b><${Shown} text=${label} /></b>${' '}<span class="muted">${mimeType}</span>
          </p>
          <${LongText} className="json" text=${visible(data)} />
        </li>`,
    )}
    <li>
      <p><b>Final answer</b></p>
      ${answer === '' ? html`<p class="muted">None.</p>` : html`<${LongText} className="json" text=${visible(answer)} />`}
    </li>
  </ul>`;
}
