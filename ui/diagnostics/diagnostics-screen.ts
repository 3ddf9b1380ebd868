import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import type { NodeLevel } from '../http/api-types.ts';
import { useKeys } from '../shell/keys.ts';
import { go } from '../shell/route.ts';
import { Choice } from '../widget/choice.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { confirmDelete } from './delete.ts';
import { TracePane } from './trace-pane.ts';
import { entryIds, LEVELS, type TraceView } from './trace-rows.ts';
import { TraceTree } from './trace-tree.ts';
import {
  filter,
  levelCounts,
  loadTraces,
  marked,
  nodes,
  rows,
  selectedId,
  selectedIndex,
  type TimeFormat,
  times,
  tracesCursor,
  tracesError,
  tracesLoaded,
  view,
} from './traces.ts';

/** The audit trail on the left, details of the selected row on the right (seed 000, 3.2.6). */
export function DiagnosticsScreen() {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => void loadTraces({ open: true }), []);
  useKeys({
    'r': () => void loadTraces(),
    '/': () => search.current?.focus(),
    '#': () => {
      const row = rows.value[selectedIndex.value];
      void confirmDelete(marked.value.size > 0 ? [...marked.value] : row === undefined ? [] : entryIds(row.node));
    },
  });
  const nodeId = selectedId.value;
  const right =
    nodeId === ''
      ? undefined
      : html`<button class="back bare" title="All rows (Esc)" onClick=${() => go('diagnostics')}>
            <${Icon} name="back" />All rows
          </button>
          <${TracePane} key=${nodeId} nodeId=${nodeId} />`;
  const left = html`<${Bars} search=${search} />
    ${tracesError.value !== undefined && html`<${ErrorNotice} error=${tracesError.value} />`}
    <div class="scroll">
      ${
        rows.value.length === 0 && tracesLoaded.value
          ? nodes.value.length === 0
            ? html`<${Empty} icon="list" title="No entries yet.">
                <p>Each fetch, run and question leaves its steps here.</p>
              <//>`
            : html`<p class="quiet-line">No row matches the filter.</p>`
          : html`<${TraceTree} />`
      }
      ${tracesCursor.value !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void loadTraces({ more: true })}>Load more</button></div>`}
    </div>`;
  return html`<${Split} label="Diagnostics" detail=${nodeId !== ''} left=${left} right=${right} />`;
}

const VIEWS = [
  ['grouped', 'Grouped'],
  ['flat', 'Flat'],
] as const;
const TIMES = [
  ['elapsed', 'Elapsed'],
  ['clock', 'Clock'],
] as const;

/** A level with the number of its rows. */
function textOfLevel(level: NodeLevel): string {
  const count = levelCounts.value[level];
  return count === 0 ? level : `${level} ${count}`;
}

/** Filter, view, times, level, and the bar for marked entries. */
function Bars({ search }: { search: { current: HTMLInputElement | null } }) {
  const onInput = (event: Event) => {
    if (event.target instanceof HTMLInputElement) filter.value = { ...filter.value, text: event.target.value };
  };
  const onLevel = (level: NodeLevel) => (filter.value = { ...filter.value, level });
  return html`<h1 class="sr">Diagnostics</h1>
    <div class="list-head">
      <div class="search">
        <${Icon} name="search" />
        <input
          ref=${search}
          type="search"
          placeholder="Filter"
          aria-label="Filter rows"
          value=${filter.value.text}
          onInput=${onInput}
        />
      </div>
    </div>
    <div class="filters trace-bars">
      <${Choice}
        label="View"
        nextKey="V"
        options=${VIEWS}
        value=${view.value}
        onChoose=${(to: TraceView) => (view.value = to)}
      />
      <${Choice}
        label="Times"
        nextKey="W"
        options=${TIMES}
        value=${times.value}
        onChoose=${(to: TimeFormat) => (times.value = to)}
      />
      <${Choice}
        label="Minimum level"
        nextKey="K"
        className="levels"
        buttonClass="filter"
        options=${LEVELS.map((level) => [level, textOfLevel(level)] as const)}
        value=${filter.value.level}
        onChoose=${onLevel}
      />
    </div>
    <${MarkedBar} />`;
}

function MarkedBar() {
  const { size } = marked.value;
  if (size === 0) return null;
  return html`<div class="marks">
    <span>${size} ${size === 1 ? 'entry' : 'entries'} marked</span>
    <button class="danger for-admin" title="Delete (#)" onClick=${() => void confirmDelete([...marked.value])}>
      <${Icon} name="trash" />Delete
    </button>
    <button aria-keyshortcuts="N" title="Clear the marks (N)" onClick=${() => (marked.value = new Set())}>Clear</button>
  </div>`;
}
