import { html } from 'htm/preact';
import type { DocumentState, Problem } from '../../engine/src/config/config.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { attempt } from '../widget/toast.ts';
import { concerns } from './config.ts';
import { documentDrafts, keyOf, type Kind, orderDocuments } from './documents.ts';
import { moved } from './form/order-list.ts';

const MARKS = { live: 'check', stale: 'clock', invalid: 'alert' } as const;

/** Each kind with the title of its list. */
export const KIND_LABELS: readonly (readonly [kind: Kind, title: string])[] = [
  ['settings', 'Settings'],
  ['account', 'Accounts'],
  ['filter', 'Filters'],
  ['director', 'Directors'],
  ['agent', 'Agents'],
  ['prompt', 'Prompts'],
  ['tool', 'Tools'],
  ['api', 'Model APIs'],
  ['chat', 'Chat presets'],
];

/** What the state of a document means. */
export const STATE_LABELS = {
  live: 'runs as saved',
  stale: 'an earlier version runs',
  invalid: 'does not run',
} as const;

interface ListProps {
  readonly documents: readonly DocumentState[];
  readonly problems: readonly Problem[];
  /** The file that is open. */
  readonly chosen: string;
}

/** The files by kind, with their state, problems and unsaved edits. Alt+↑ and Alt+↓ change the order of the focused one. */
export function DocumentList({ documents, problems, chosen }: ListProps) {
  return html`${KIND_LABELS.filter(
    ([kind]) => kind !== 'settings' || documents.some((entry) => entry.kind === kind),
  ).map(([kind, title]) => {
    const own = documents.filter((entry) => entry.kind === kind);
    return html`<section key=${kind} class="kind">
      <div class="kind-head">
        <h2>${title}</h2>
        ${
          kind !== 'settings' &&
          html`<a
            class="for-admin add-document"
            href=${hrefOf('config', 'new', kind)}
            aria-label=${`New: ${title}`}
            title=${`New: ${title}`}
            ><${Icon} name="plus"
          /></a>`
        }
      </div>
      ${own.map(
        (entry) =>
          html`<${DocumentLine}
            key=${entry.file}
            entry=${entry}
            count=${problems.filter((problem) => concerns(problem, entry.file)).length}
            isChosen=${chosen === entry.file}
            onMove=${(step: number) => moveBy(own, entry, step)}
          />`,
      )}
    </section>`;
  })}`;
}

/** Moves a document up or down among those of its kind, which writes `order` into their files. */
function moveBy(all: readonly DocumentState[], entry: DocumentState, step: number): void {
  const from = all.indexOf(entry);
  const to = from + step;
  if (entry.kind === 'settings' || to < 0 || to >= all.length) return;
  const ids = moved(all, from, to).map(({ id }) => id);
  void attempt(() => orderDocuments(entry.kind, ids));
}

interface LineProps {
  readonly entry: DocumentState;
  readonly count: number;
  readonly isChosen: boolean;
  readonly onMove: (step: number) => void;
}

function DocumentLine({ entry, count, isChosen, onMove }: LineProps) {
  const { kind, id, file, state } = entry;
  const isEdited = documentDrafts.value.has(keyOf(kind, id));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    onMove(step);
  };
  return html`<a
    class=${`document ${state}`}
    href=${hrefOf('config', file)}
    aria-current=${isChosen ? 'true' : undefined}
    title=${`${file}: ${STATE_LABELS[state]}${kind === 'settings' ? '' : '. Alt+↑ and Alt+↓ change the order.'}`}
    onKeyDown=${onKeyDown}
  >
    <${Icon} name=${MARKS[state]} /><span class="label">${id}</span>
    ${isEdited && html`<span class="hint">edited</span>`}
    ${state !== 'live' && html`<span class="hint">${state}</span>`}
    ${count > 0 && html`<span class="count">${count}</span>`}
  </a>`;
}
