import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { Run } from '../http/api-types.ts';
import { ItemPane } from '../item/item-pane.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf, route } from '../shell/route.ts';
import { StatusDot } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { NoRun, RunPane } from './run-pane.ts';
import { loadRuns, runs, shownRun } from './runs.ts';

/** Text of a run without a summary. */
const STARTED_BY = { mail: 'Started by an e-mail', message: 'Started by a message' } as const;

/** The list of all runs on the left, the selected one on the right. */
export function RunsScreen() {
  const [runId, itemId] = route.value.ids;
  useEffect(() => void loadRuns({ open: true }), []);
  const move = (step: number) => {
    const from = runs.items.value.findIndex((entry) => entry.id === runId);
    const next = runs.items.value[from < 0 ? 0 : Math.min(runs.items.value.length - 1, Math.max(0, from + step))];
    if (next !== undefined) go('runs', [next.id], { replace: true });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    u: () => go('runs', itemId !== undefined && runId !== undefined ? [runId] : []),
    r: () => void loadRuns(),
  });
  const left = html`${runs.error.value !== undefined && html`<${ErrorNotice} error=${runs.error.value} />`}
    <div class="scroll">
      ${runs.items.value.length === 0 && runs.error.value === undefined && html`<${Empty} icon="director" title="No runs yet." />`}
      <nav class="run-list" aria-label="Runs">
        ${runs.items.value.map((entry) => html`<${Entry} key=${entry.id} entry=${entry} isSelected=${entry.id === runId} />`)}
      </nav>
      ${runs.nextCursor.value !== null && html`<div class="more"><button onClick=${() => void loadRuns({ more: true })}>Load more</button></div>`}
    </div>`;
  const right =
    runId === undefined
      ? html`<${NoRun} />`
      : html`<button class="back bare" onClick=${() => go('runs')}><${Icon} name="back" />All runs</button> ${
            itemId === undefined
              ? html`<${RunPane}
                  key=${runId}
                  runId=${runId}
                  itemHref=${(id: string) => hrefOf('runs', runId, id)}
                  linksMail=${true}
                />`
              : html`<${ItemOfRun} key=${itemId} runId=${runId} itemId=${itemId} />`
          }`;
  return html`<${Split} label="Runs" detail=${runId !== undefined} left=${left} right=${right} />`;
}

function ItemOfRun({ runId, itemId }: { runId: string; itemId: string }) {
  useEffect(() => shownRun.show(runId), [runId]);
  const { key, data } = shownRun.state.value;
  if (key !== runId || data === undefined) return html`<div class="body"></div>`;
  return html`<${ItemPane}
    workspaceId=${data.workspaceId}
    itemId=${itemId}
    runId=${runId}
    scripted=${data.scripted}
    runHref=${hrefOf('runs', runId)}
    onDeleted=${() => go('runs', [runId], { replace: true })}
  />`;
}

function Entry({ entry, isSelected }: { entry: Run; isSelected: boolean }) {
  return html`<a
    class="tree-row run-row"
    href=${hrefOf('runs', entry.id)}
    aria-current=${isSelected ? 'true' : undefined}
  >
    <div class="mail-line">
      <div class="line">
        <span class="from">${entry.agentName ?? entry.directorName}</span><${Age} at=${entry.createdAt} />
      </div>
      <div class="line">
        <span class="subject"
          ><${Shown} text=${entry.summary || entry.trigger.message || STARTED_BY[entry.trigger.kind]} /></span
        ><${StatusDot} status=${entry.status} waitingFor=${entry.limit ?? entry.waitingFor} />
      </div>
    </div>
  </a>`;
}
