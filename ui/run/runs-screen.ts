import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { Run } from '../http/shapes.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf, route } from '../shell/route.ts';
import { StatusDot } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { Age } from '../widget/time.ts';
import { NoRun, RunPane } from './run-pane.ts';
import { loadRuns, runs, runsCursor, runsError } from './runs.ts';

/** All runs, newest first, whatever started them. */
export function RunsScreen() {
  const [runId] = route.value.ids;
  useEffect(() => void loadRuns({ wanted: true }), []);
  const move = (step: number) => {
    const from = runs.value.findIndex((entry) => entry.id === runId);
    const next = runs.value[from < 0 ? 0 : Math.min(runs.value.length - 1, Math.max(0, from + step))];
    if (next !== undefined) go('runs', [next.id], { replace: true });
  };
  useKeys({ j: () => move(1), k: () => move(-1), u: () => go('runs'), r: () => void loadRuns() });
  const left = html`${runsError.value !== undefined && html`<${ErrorNotice} error=${runsError.value} />`}
    <div class="scroll">
      ${runs.value.length === 0 && runsError.value === undefined && html`<${Empty} icon="director" title="No runs yet." />`}
      <nav class="run-list" aria-label="Runs">
        ${runs.value.map((entry) => html`<${Entry} key=${entry.id} run=${entry} isSelected=${entry.id === runId} />`)}
      </nav>
      ${runsCursor.value !== null && html`<div class="more"><button onClick=${() => void loadRuns({ more: true })}>Load more</button></div>`}
    </div>`;
  const right =
    runId === undefined
      ? html`<${NoRun} />`
      : html`<button class="back bare" onClick=${() => go('runs')}><${Icon} name="back" />All runs</button
          ><${RunPane} key=${runId} runId=${runId} />`;
  return html`<${Split} label="Runs" detail=${runId !== undefined} left=${left} right=${right} />`;
}

function Entry({ run, isSelected }: { run: Run; isSelected: boolean }) {
  return html`<a
    class="tree-row run-row"
    href=${hrefOf('runs', run.id)}
    aria-current=${isSelected ? 'true' : undefined}
  >
    <div class="mail-line">
      <div class="line"><span class="from">${run.directorName}</span><${Age} at=${run.createdAt} /></div>
      <div class="line">
        <span class="subject">${run.summary || run.trigger.message || run.trigger.kind}</span
        ><${StatusDot} status=${run.status} waitingFor=${run.waitingFor} />
      </div>
    </div>
  </a>`;
}
