import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { ItemPane } from '../item/item-pane.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf, route, routeQuery } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { CompareScreen } from './compare-screen.ts';
import { RunEntry } from './run-entry.ts';
import { RunFilters } from './run-filters.ts';
import { MarkBar, marked, toggleMark } from './run-marks.ts';
import { NoRun, RunPane } from './run-pane.ts';
import { loadRuns, runFilter, runs, showRuns, shownRun } from './runs.ts';

/** The list of all runs on the left, the selected one on the right. */
export function RunsScreen() {
  const [runId, second, ...rest] = route.value.ids;
  // `#/runs/<run>/transcript/<thread>/<message>/<call>` shows a call in its transcript.
  const place = second === 'transcript' ? placeOf(rest) : undefined;
  const itemId = second === 'transcript' ? undefined : second;
  const query = routeQuery.value;
  useEffect(() => void showRuns(query), [query]);
  useEffect(() => () => void (marked.value = new Set()), [query]);
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
  if (runId === 'compare')
    return html`<${CompareScreen} key=${rest.join(' ')} left=${second ?? ''} right=${rest[0] ?? ''} />`;
  const left = html`${runId === undefined && html`<h1 class="sr">Runs</h1>`}<${RunFilters} />${runs.error.value !== undefined && html`<${ErrorNotice} error=${runs.error.value} />`}
    <${MarkBar} />
    <div class="scroll">
      ${runs.items.value.length === 0 && runs.error.value === undefined && html`<${NoRuns} />`}
      <nav class="run-list" aria-label="Runs">
        ${runs.items.value.map((entry) => html`<${RunEntry} key=${entry.id} entry=${entry} isSelected=${entry.id === runId} />`)}
      </nav>
      ${runs.nextCursor.value !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void loadRuns({ more: true })}>Load more</button></div>`}
    </div>`;
  const right =
    runId === undefined
      ? html`<${NoRun} />`
      : html`<button class="back bare" title="All runs (u)" onClick=${() => go('runs')}>
            <${Icon} name="back" />All runs
          </button>
          ${
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

function NoRuns() {
  return runFilter.value === ''
    ? html`<${Empty} icon="director" title="No runs yet.">
        <p>A run starts when a filter hands a mail to a director, or when you <a href=${hrefOf('ask')}>ask one</a>.</p>
      <//>`
    : html`<${Empty} icon="search" title="No run matches." />`;
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
    itemHref=${(ofRun: string, id: string) => hrefOf('runs', ofRun, id)}
    onDeleted=${() => go('runs', [runId], { replace: true })}
  />`;
}
