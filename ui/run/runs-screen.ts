import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { Run } from '../http/api-types.ts';
import { ItemPane } from '../item/item-pane.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf, route } from '../shell/route.ts';
import { StatusChip, StatusDot } from '../widget/chip.ts';
import { Choice } from '../widget/choice.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { Age } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { canRetry, isOutage, isStopped, retryRuns } from './retry.ts';
import { NoRun, RunPane } from './run-pane.ts';
import { titleOf } from './run-title.ts';
import { loadRuns, runs, runStatus, shownRun } from './runs.ts';

/** Ids of the marked failed runs. */
const marked = signal<ReadonlySet<string>>(new Set());

/** The list of all runs on the left, the selected one on the right. */
export function RunsScreen() {
  const [runId, second, ...rest] = route.value.ids;
  // `#/runs/<run>/transcript/<thread>/<message>/<call>` shows a call in its transcript.
  const place = second === 'transcript' ? placeOf(rest) : undefined;
  const itemId = second === 'transcript' ? undefined : second;
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
    x: () => runId !== undefined && toggleMark(runId),
  });
  const left = html`${runId === undefined && html`<h1 class="sr">Runs</h1>`}<${Filters} />${runs.error.value !== undefined && html`<${ErrorNotice} error=${runs.error.value} />`}
    <${RetryBar} />
    <div class="scroll">
      ${runs.items.value.length === 0 && runs.error.value === undefined && html`<${NoRuns} />`}
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
                  runHref=${(id: string) => hrefOf('runs', id)}
                  place=${place}
                  linksMail=${true}
                />`
              : html`<${ItemOfRun} key=${itemId} runId=${runId} itemId=${itemId} />`
          }`;
  return html`<${Split} label="Runs" detail=${runId !== undefined} left=${left} right=${right} />`;
}

function placeOf([threadId = '', message = '', callId = '']: readonly string[]) {
  return { threadId, message: Number(message), callId };
}

const STATUSES = [
  ['', 'All'],
  ['running', 'Running'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
] as const;

function Filters() {
  const onChoose = (status: (typeof STATUSES)[number][0]) => {
    runStatus.value = status;
    marked.value = new Set();
    void loadRuns();
  };
  return html`<${Choice}
    label="Filter by state"
    className="filters top-gap"
    buttonClass="filter"
    options=${STATUSES}
    value=${runStatus.value}
    onChoose=${onChoose}
  />`;
}

function NoRuns() {
  return html`<${Empty}
    icon="director"
    title=${runStatus.value === '' ? 'No runs yet.' : `No ${runStatus.value} runs.`}
  />`;
}

function toggleMark(id: string): void {
  const run = runs.items.value.find((entry) => entry.id === id);
  if (run === undefined || !canRetry(run)) return;
  const next = new Set(marked.value);
  if (!next.delete(id)) next.add(id);
  marked.value = next;
}

/**
 * Repeats the marked failed runs, all that are listed, or those of them that no model answered, objectives that wait for it included.
 * Hidden while none can be repeated.
 */
function RetryBar() {
  const open = runs.items.value.filter(canRetry);
  const failed = open.map(({ id }) => id);
  const state = open.some(isStopped) ? 'failed or stopped' : 'failed';
  if (failed.length === 0) return null;
  const outages = open.filter(isOutage).map(({ id }) => id);
  const marks = failed.filter((id) => marked.value.has(id));
  const retry = async (ids: readonly string[]) => {
    if (await retryRuns(ids)) marked.value = new Set();
  };
  return html`<div class="marks">
    <span>${marks.length > 0 ? `${marks.length} marked` : `${failed.length} ${state}`}</span>
    ${marks.length > 0 && html`<button onClick=${() => (marked.value = new Set())}>Clear</button>`}
    ${
      marks.length === 0 &&
      outages.length > 0 &&
      outages.length < failed.length &&
      html`<button
        class="for-admin"
        title="The runs that failed or stopped since no model answered"
        onClick=${() => void retry(outages)}
      >
        Retry ${outages.length} ${outages.length === 1 ? 'outage' : 'outages'}
      </button>`
    }
    <button class="for-admin" onClick=${() => void retry(marks.length > 0 ? marks : failed)}>
      <${Icon} name="refresh" />${marks.length > 0 ? `Retry ${marks.length}` : 'Retry all'}
    </button>
  </div>`;
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
  // The server sends only id, director and error of a run that is damaged in the store.
  if (entry.status === undefined)
    return html`<p class="tree-row bad-text">
      <${Icon} name="alert" /><${Shown} text=${entry.error?.message ?? entry.id} />
    </p>`;
  const { id, status, waitingFor, limit, error, summary } = entry;
  const title = titleOf(entry);
  // The summary of a run that only repeats its subject says nothing new.
  const more = error?.message ?? (summary === title ? '' : summary);
  return html`<div class="run-entry">
    ${
      canRetry(entry) &&
      html`<input
        type="checkbox"
        aria-label=${`Mark ${visible(title)}`}
        checked=${marked.value.has(id)}
        onChange=${() => toggleMark(id)}
      />`
    }
    <a class="tree-row run-row" href=${hrefOf('runs', id)} aria-current=${isSelected ? 'true' : undefined}>
      <div class="mail-line">
        <div class="line">
          <span class="from"><${Shown} text=${title} /></span><${Age} at=${entry.createdAt} />
        </div>
        <div class="line">
          <span class="subject">${entry.agentName ?? entry.directorName}</span>
          ${
            status === 'failed' || status === 'waiting'
              ? html`<${StatusChip} status=${status} waitingFor=${limit ?? waitingFor} />`
              : html`<${StatusDot} status=${status} />`
          }
        </div>
        ${
          more !== '' &&
          html`<div class="line">
            <span class="snippet"><${Shown} text=${more} /></span>
          </div>`
        }
      </div>
    </a>
  </div>`;
}
