import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from '../shell/keys.ts';
import { go } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { askDelete } from './delete.ts';
import { TracePane } from './trace-pane.ts';
import { entryIds, LEVELS } from './trace-rows.ts';
import { TraceTree } from './trace-tree.ts';
import {
  filter,
  loadTraces,
  marked,
  nodes,
  rows,
  selectedId,
  selectedIndex,
  times,
  tracesCursor,
  tracesError,
  tracesLoaded,
  view,
} from './traces.ts';

/** How everything came about: the audit trail on the left, what is selected on the right (seed 000, 3.2.6). */
export function DiagnosticsScreen() {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => void loadTraces({ wanted: true }), []);
  useKeys({
    'r': () => void loadTraces(),
    '/': () => search.current?.focus(),
    '#': () => {
      const row = rows.value[selectedIndex.value];
      void askDelete(marked.value.size > 0 ? [...marked.value] : row === undefined ? [] : entryIds(row.node));
    },
  });
  const nodeId = selectedId.value;
  const right =
    nodeId === ''
      ? html`<${Empty} icon="list" title="Choose a line to see what it was" />`
      : html`<button class="back bare" onClick=${() => go('diagnostics')}><${Icon} name="back" />All lines</button>
          <${TracePane} key=${nodeId} nodeId=${nodeId} />`;
  const left = html`<${Bars} search=${search} />
    ${tracesError.value !== undefined && html`<${ErrorNotice} error=${tracesError.value} />`}
    <div class="scroll">
      ${
        rows.value.length === 0 && tracesLoaded.value
          ? html`<p class="quiet-line">
              ${nodes.value.length === 0 ? 'Nothing has happened yet.' : 'No line is like that.'}
            </p>`
          : html`<${TraceTree} />`
      }
      ${tracesCursor.value !== null && html`<div class="more"><button onClick=${() => void loadTraces({ more: true })}>Load more</button></div>`}
    </div>`;
  return html`<${Split} label="Diagnostics" detail=${nodeId !== ''} left=${left} right=${right} />`;
}

/** How it is shown, what of it, and what to do with what is marked. */
function Bars({ search }: { search: { current: HTMLInputElement | null } }) {
  const pressed = (is: boolean) => (is ? 'true' : 'false');
  return html`<h1 class="sr">Diagnostics</h1>
    <div class="list-head">
      <div class="search">
        <${Icon} name="search" />
        <input
          ref=${search}
          type="search"
          placeholder="Filter"
          aria-label="Filter lines"
          value=${filter.value.text}
          onInput=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) filter.value = { ...filter.value, text: event.target.value };
          }}
        />
      </div>
    </div>
    <div class="filters trace-bars">
      <div class="tabs" role="group" aria-label="Form of the list">
        ${(['grouped', 'flat'] as const).map(
          (name) =>
            html`<button key=${name} aria-pressed=${pressed(view.value === name)} onClick=${() => (view.value = name)}>
              ${name === 'grouped' ? 'Grouped' : 'Flat'}
            </button>`,
        )}
      </div>
      <div class="tabs" role="group" aria-label="Times">
        ${(['elapsed', 'clock'] as const).map(
          (name) =>
            html`<button
              key=${name}
              aria-pressed=${pressed(times.value === name)}
              onClick=${() => (times.value = name)}
            >
              ${name === 'elapsed' ? 'Elapsed' : 'Clock'}
            </button>`,
        )}
      </div>
      <div class="levels" role="group" aria-label="Lowest level">
        ${LEVELS.map(
          (level) =>
            html`<button
              key=${level}
              class="filter"
              aria-pressed=${pressed(filter.value.level === level)}
              onClick=${() => (filter.value = { ...filter.value, level })}
            >
              ${level}
            </button>`,
        )}
      </div>
    </div>
    ${
      marked.value.size > 0 &&
      html`<div class="marks">
        <span>${marked.value.size} ${marked.value.size === 1 ? 'entry' : 'entries'} marked</span>
        <button class="danger" onClick=${() => void askDelete([...marked.value])}>
          <${Icon} name="trash" />Delete
        </button>
        <button onClick=${() => (marked.value = new Set())}>Clear</button>
      </div>`
    }`;
}
