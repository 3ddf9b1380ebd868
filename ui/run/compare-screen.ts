import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { Diff } from '../approval/diff.ts';
import type { Run, RunComparison } from '../http/api-types.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf } from '../shell/route.ts';
import { StatusChip } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { duration, short } from '../widget/number.ts';
import { fullTime } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { compared, type Side } from './compare.ts';
import { costOf } from './run-entry.ts';
import { titleOf } from './run-title.ts';
import { CallChip } from './transcript.ts';

interface Props {
  readonly left: string;
  readonly right: string;
}

/** Two runs side by side: facts, config, prompts, calls, results (`#/runs/compare/<run>/<run>`). */
export function CompareScreen({ left, right }: Props) {
  const wanted = `${left} ${right}`;
  useEffect(() => compared.reload(wanted), [wanted]);
  useKeys({ u: () => go('runs'), s: () => go('runs', ['compare', right, left], { replace: true }) });
  const { key, data, error } = compared.state.value;
  return html`<div class="page compare">
    <div class="page-head">
      <h1>Two runs compared</h1>
      <div class="row">
        <button title="All runs (u)" onClick=${() => go('runs')}><${Icon} name="back" />All runs</button>
        <button title="Swap the sides (s)" onClick=${() => go('runs', ['compare', right, left], { replace: true })}>
          Swap
        </button>
      </div>
    </div>
    ${key === wanted && error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${
      key === wanted &&
      data !== undefined &&
      html`<${Facts} runs=${data.sides.map(({ run }) => run)} /><${Differences} differences=${data.differences} />
        <${Calls} sides=${data.sides} /><${Results} sides=${data.sides} />`
    }
  </div>`;
}

const FACTS: readonly (readonly [name: string, value: (run: Run) => string])[] = [
  ['Director', (run) => run.agentName ?? run.directorName],
  ['Started', (run) => fullTime(run.createdAt)],
  ['Duration', (run) => (run.endedAt === undefined ? 'not over' : tookOf(run))],
  ['Model', ({ apis }) => apis.map(({ id, model }) => (model === '' ? id : `${id} · ${model}`)).join(', ') || '–'],
  ['Turns', ({ usage }) => String(usage.turns)],
  ['Tokens in / out', ({ usage }) => `${short(usage.inputTokens)} / ${short(usage.outputTokens)}`],
  ['Cost', ({ usage }) => costOf(usage.cost)],
  ['Config revision', ({ revision }) => revision.slice(0, 8)],
  ['Error', ({ error }) => (error === undefined ? '–' : `${error.code}: ${error.message}`)],
];

const tookOf = ({ createdAt, endedAt = createdAt }: Run) =>
  duration(Math.max(0, Date.parse(endedAt) - Date.parse(createdAt)));

/** The facts of both runs; those that differ are set off. */
function Facts({ runs }: { readonly runs: readonly Run[] }) {
  return html`<table class="compare-facts">
    <thead>
      <tr>
        <td></td>
        ${runs.map(
          (run) =>
            html`<th key=${run.id} scope="col">
              <a href=${hrefOf('runs', run.id)}><${Shown} text=${titleOf(run)} /></a>${' '}
              <${StatusChip} status=${run.status} waitingFor=${run.waitingFor} />
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${FACTS.map(([name, value]) => {
        const [a = '', b = ''] = runs.map(value);
        return html`<tr key=${name} class=${a === b ? '' : 'differs'}>
          <th scope="row">${name}</th>
          ${[a, b].map((text, i) => html`<td key=${i}><${Shown} text=${text} /></td>`)}
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** What differs in the config and in what the models were told. */
function Differences({ differences: { documents, prompt } }: { readonly differences: RunComparison }) {
  return html`<h2 class="section">Config</h2>
    ${documents.length === 0 && html`<p class="muted">Both used the same documents.</p>`}
    ${documents.map(
      ({ name, file, state, diff }) =>
        html`<details key=${name} class="compare-part" open>
          <summary>
            <${Icon} name="chevron" className="turn" /><b><${Shown} text=${file} /></b>
            <span class="chip">${state}</span>
          </summary>
          ${diff === undefined ? html`<p class="muted">Its text is stored no more.</p>` : html`<${Diff} text=${diff} label=${`What differs in ${visible(file)}`} />`}
        </details>`,
    )}
    <h2 class="section">Prompts</h2>
    ${
      prompt === ''
        ? html`<p class="muted">Both were told the same.</p>`
        : html`<${Diff} text=${prompt} label="What differs in the prompts" />`
    }`;
}

type Sides = { readonly sides: readonly Side[] };

function Calls({ sides }: Sides) {
  return html`<h2 class="section">Calls</h2>
    <div class="compare-sides">
      ${sides.map(
        ({ run, calls }, i) =>
          html`<ul
            key=${run.id}
            class="transcript"
            aria-label=${i === 0 ? 'Calls of the left run' : 'Calls of the right run'}
          >
            ${calls.length === 0 && html`<li class="muted">No call.</li>`}
            ${calls.map(
              ({ call, answer, note }) =>
                html`<li key=${call.id}>
                  ${note !== '' && html`<span class="chip wait">${note}</span>`}
                  <${CallChip} call=${call} answer=${answer} isWanted=${false} />
                </li>`,
            )}
          </ul>`,
      )}
    </div>`;
}

function Results({ sides }: Sides) {
  return html`<h2 class="section">Results</h2>
    <div class="compare-sides">
      ${sides.map(
        ({ run, results }, i) =>
          html`<ul key=${run.id} aria-label=${i === 0 ? 'Results of the left run' : 'Results of the right run'}>
            ${results.length === 0 && html`<li class="muted">No result.</li>`}
            ${results.map(
              ({ item, note }) =>
                html`<li key=${item.id}>
                  <p class="row">
                    <a href=${hrefOf('runs', run.id, item.id)}><${Shown} text=${item.label} /></a>
                    <span class="muted">${item.mimeType}</span>
                    ${note !== '' && html`<span class="chip wait">${note}</span>`}
                  </p>
                  ${item.encoding === 'utf8' && html`<${LongText} className="json" text=${visible(item.data ?? '')} />`}
                </li>`,
            )}
          </ul>`,
      )}
    </div>`;
}
