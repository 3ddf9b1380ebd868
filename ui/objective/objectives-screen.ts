import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { ObjectiveStatus } from '../../engine/src/run/objective/objective.ts';
import { useKeys } from '../shell/keys.ts';
import { mayDo } from '../shell/person.ts';
import { go, route } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { NewObjective } from './new-objective.ts';
import { ObjectiveCard } from './objective-card.ts';
import { ObjectivePane } from './objective-pane.ts';
import { board, COLUMNS, loadBoard } from './objectives.ts';
import { waitsForUser } from './waiting.ts';

/** Word of the address that is no id: `#/objectives/new`. */
const NEW = 'new';

/** The board of all objectives, or the one that the address names. */
export function ObjectivesScreen() {
  const [id] = route.value.ids;
  useEffect(() => void loadBoard({ open: true }), []);
  if (id === NEW) return html`<${NewObjective} />`;
  return id === undefined ? html`<${Board} />` : html`<${ObjectivePane} key=${id} id=${id} />`;
}

/** The objective that was open last: Back gives its card the focus. */
let lastOpened = '';

function Board() {
  const columns = COLUMNS.map(([status]) => board[status]);
  const error = columns.map((column) => column.error.value).find((one) => one !== undefined);
  const count = columns.reduce((sum, column) => sum + column.items.value.length, 0);
  const start = () => mayDo('admin') && go('objectives', [NEW]);
  useKeys({
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    ArrowRight: () => moveColumn(1),
    ArrowLeft: () => moveColumn(-1),
    n: start,
    r: () => void loadBoard(),
  });
  useEffect(() => {
    document.getElementById(`objective-${lastOpened}`)?.focus();
    return () => {
      lastOpened = route.value.ids[0] ?? '';
    };
  }, []);
  return html`<div class="objectives">
    <header class="objectives-head">
      <h1>Objectives</h1>
      <button class="primary for-admin" title="New objective (n)" onClick=${start}><${Icon} name="plus" />New</button>
    </header>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${count === 0 && error === undefined && html`<${NoObjectives} />`}
    ${
      count > 0 &&
      html`<div class="board">
        ${COLUMNS.map(([status, title]) => html`<${Column} key=${status} status=${status} title=${title} />`)}
      </div>`
    }
  </div>`;
}

function Column({ status, title }: { readonly status: ObjectiveStatus; readonly title: string }) {
  const { items, nextCursor, load } = board[status];
  // What waits for the user stands first; the sort keeps the rest newest first.
  const sorted = items.value.toSorted((a, b) => Number(waitsForUser(b)) - Number(waitsForUser(a)));
  const more = nextCursor.value !== null;
  return html`<section class=${`column${sorted.length === 0 ? ' none' : ''}`} aria-labelledby=${`column-${status}`}>
    <h2 id=${`column-${status}`}>${title} <span class="count">${sorted.length}${more ? '+' : ''}</span></h2>
    <ul>
      ${sorted.map((objective) => html`<${ObjectiveCard} key=${objective.id} objective=${objective} />`)}
    </ul>
    ${more && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void load({ more: true })}>Load more</button></div>`}
  </section>`;
}

function NoObjectives() {
  return html`<${Empty} icon="flag" title="No objectives yet.">
    <p>
      An objective pursues one wish on threads of mails, for weeks if need be: it drafts mails, waits for replies and
      follows up.
    </p>
    <p>
      Say what you want under <b>New</b>, or put the label of a director with <code>mode: objective</code> on a thread
      in your mail program.
    </p>
    ${mayDo('admin') && html`<button class="primary" title="New objective (n)" onClick=${() => go('objectives', [NEW])}><${Icon} name="plus" />New objective</button>`}
  <//>`;
}

function cards(within: ParentNode = document): readonly HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>('.objective-card')];
}

/** Gives the next or previous card the focus; without one, the first. */
function moveFocus(step: number): void {
  const all = cards();
  const from = all.findIndex((card) => card === document.activeElement);
  all[from < 0 ? 0 : Math.min(all.length - 1, Math.max(0, from + step))]?.focus();
}

/** Moves the focus to the card at the same height in the next or previous column that has cards. */
function moveColumn(step: number): void {
  const columns = [...document.querySelectorAll('.column:not(.none)')];
  const from = columns.findIndex((column) => column.contains(document.activeElement));
  const at = from < 0 ? -1 : cards(columns[from]).findIndex((card) => card === document.activeElement);
  const target = cards(columns[from < 0 ? 0 : Math.min(columns.length - 1, Math.max(0, from + step))]);
  target[Math.min(target.length - 1, Math.max(0, at))]?.focus();
}
