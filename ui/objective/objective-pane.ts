import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { loadApprovals } from '../approval/approvals.ts';
import type { ObjectiveView } from '../http/api-types.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Age, fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { Next } from './next.ts';
import { confirmFinish, isOpen, shownObjective, togglePause } from './objectives.ts';
import { Story } from './story.ts';
import { Threads } from './threads.ts';
import { costText, StateChip, waitText, wishOf } from './waiting.ts';

/** One objective: what it waits for, its summary, constraints and story, its threads, and its run. */
export function ObjectivePane({ id }: { readonly id: string }) {
  useEffect(() => {
    shownObjective.reload(id);
    void loadApprovals();
  }, [id]);
  const { key, data, error } = shownObjective.state.value;
  const objective = key === id ? data : undefined;
  useKeys({
    u: () => go('objectives'),
    o: () => go('runs', [id]),
    p: () => objective !== undefined && void togglePause(objective),
    d: () => objective !== undefined && void confirmFinish(objective),
    r: shownObjective.refresh,
  });
  return html`<div class="objectives">
    <p class="crumb">
      <a href=${hrefOf('objectives')} title="All objectives (u)"><${Icon} name="back" />All objectives</a>
    </p>
    ${key === id && error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${objective !== undefined && html`<${Whole} objective=${objective} />`}
  </div>`;
}

function Whole({ objective }: { readonly objective: ObjectiveView }) {
  const { summary, constraints } = objective;
  const entries = Object.entries(constraints);
  return html`<article class="objective" aria-labelledby="objective-title">
    <${Head} objective=${objective} />
    <div class="objective-main">
      <${Next} objective=${objective} />
      <section>
        <h2>Summary</h2>
        <p class="words">
          ${summary === null ? html`<span class="muted">No summary yet: intake has not run.</span>` : html`<${Shown} text=${summary} />`}
        </p>
      </section>
      ${
        entries.length > 0 &&
        html`<section>
          <h2>Constraints</h2>
          <dl class="constraints">
            ${entries.map(
              ([name, value]) =>
                html`<div key=${name}>
                  <dt><${Shown} text=${name} /></dt>
                  <dd><${Shown} text=${plain(value)} /></dd>
                </div>`,
            )}
          </dl>
        </section>`
      }
      <${Story} key=${objective.id} ...${objective} />
    </div>
    <aside class="objective-side" aria-label="About this objective">
      <${Facts} objective=${objective} />
      <${Threads} objective=${objective} />
    </aside>
  </article>`;
}

function Head({ objective }: { readonly objective: ObjectiveView }) {
  const { directorId, createdAt, paused, userQuery } = objective;
  const wait = waitText(objective);
  return html`<header class="objective-head">
    <div>
      <h1 id="objective-title"><${Shown} text=${wishOf(objective)} /></h1>
      <p class="sub">
        <${StateChip} objective=${objective} />
        ${wait !== '' && html`<span><${Shown} text=${wait} /></span>`}
        ${userQuery === '' && html`<span>you have not said what you want yet</span>`}
        <span>${directorId}</span>
        <span>started ${fullTime(createdAt)}</span>
      </p>
    </div>
    ${
      isOpen(objective) &&
      html`<div class="row for-admin">
        <button
          title=${paused ? 'Resume (p): it reads what has arrived and goes on' : 'Pause (p): nothing leaves until you resume'}
          onClick=${() => void togglePause(objective)}
        >
          <${Icon} name=${paused ? 'play' : 'pause'} />${paused ? 'Resume' : 'Pause'}
        </button>
        <button title="Finish (d)" onClick=${() => void confirmFinish(objective)}>
          <${Icon} name="check" />Finish
        </button>
      </div>`
    }
  </header>`;
}

function Facts({ objective }: { readonly objective: ObjectiveView }) {
  const { id, lastActionTime, followUp, wakes, follows } = objective;
  const { nextAt, sent, max } = followUp;
  return html`<section>
    <h2>State</h2>
    <dl class="facts">
      <div>
        <dt>Last action</dt>
        <dd>${lastActionTime === null ? 'none yet' : html`<${Age} at=${lastActionTime} />`}</dd>
      </div>
      <div>
        <dt>Next follow-up</dt>
        <dd>${nextAt === null || !isOpen(objective) ? 'none planned' : fullTime(nextAt)}</dd>
      </div>
      <div>
        <dt>Follow-ups</dt>
        <dd>${sent} of ${max}</dd>
      </div>
      <div>
        <dt>Woken</dt>
        <dd>${wakes === 1 ? 'once' : `${wakes} times`}</dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>${objective.cost === null ? 'unknown' : costText(objective) || '$0'}</dd>
      </div>
    </dl>
    <p class="row links">
      <a href=${hrefOf('runs', id)} title="Open the run (o)"><${Icon} name="director" />Run and transcript</a>
      <a href=${hrefOf('diagnostics', id)}><${Icon} name="list" />Trace</a>
      ${follows !== undefined && html`<a href=${hrefOf('objectives', follows)}><${Icon} name="back" />Objective before</a>`}
    </p>
  </section>`;
}

/** A value of a constraint as text: a list with commas, other values as JSON. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(String).join(', ');
  return JSON.stringify(value);
}
