import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { Diff } from '../approval/diff.ts';
import type { ItemHistory, ItemLink, ItemRevision, WorkspaceItem } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Age, fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { itemHistory } from './items.ts';

interface Props {
  readonly item: WorkspaceItem;
  readonly itemKey: string;
  readonly itemHref: (runId: string, itemId: string) => string;
}

/** The revisions of a result, newest first, each with what changed; and the results of other runs that it replaces or that replace it. */
export function History({ item, itemKey, itemHref }: Props) {
  const wanted = `${itemKey}/${item.revision}`;
  useEffect(() => itemHistory.show(wanted), [wanted]);
  const { key, data, error } = itemHistory.state.value;
  if (key !== wanted) return null;
  if (error !== undefined) return html`<div class="history"><${ErrorNotice} error=${error} /></div>`;
  if (data === undefined) return null;
  return html`<div class="history">
    <${Links} history=${data} itemHref=${itemHref} />
    <ol reversed aria-label="Revisions">
      ${data.revisions.map((one, i) => html`<${Revision} key=${one.revision} revision=${one} isFirst=${i === 0} />`)}
    </ol>
  </div>`;
}

function Links({ history, itemHref }: { history: ItemHistory; itemHref: Props['itemHref'] }) {
  const list = (text: string, links: readonly ItemLink[]) =>
    links.length > 0 &&
    html`<p>
      ${text}
      ${links.map(({ id, runId, created }, i) => html`${i > 0 && ', '}<a key=${id} href=${itemHref(runId, id)}>${fullTime(created)}</a>`)}
    </p>`;
  const { replaces, replacedBy } = history;
  if (replaces.length + replacedBy.length === 0) return null;
  return html`<div class="notice history-links">
    <${Icon} name="refresh" />
    <div>
      ${list('Replaced by the result of a later run: ', replacedBy)}
      ${list('Replaces the result of an earlier run: ', replaces)}
    </div>
  </div>`;
}

function Revision({ revision: one, isFirst }: { revision: ItemRevision; isFirst: boolean }) {
  const [isOpen, setIsOpen] = useState(isFirst);
  const { revision, at, by, diff, since } = one;
  const head = html`<b>Revision ${revision}</b>
    ${by !== undefined && html`<span>${by.kind === 'user' ? 'you' : html`<${Shown} text=${by.name ?? by.kind} />`}</span>`}
    <span class="muted">${wordsOf(one)}</span>
    ${at !== undefined && html`<${Age} at=${at} />`}`;
  if (diff === undefined || diff === '') return html`<li class="revision">${head}</li>`;
  return html`<li>
    <details
      open=${isOpen}
      onToggle=${(event: Event) => event.currentTarget instanceof HTMLDetailsElement && setIsOpen(event.currentTarget.open)}
    >
      <summary class="revision"><${Icon} name="chevron" className="turn" />${head}</summary>
      ${isOpen && html`<${Diff} text=${diff} label=${`What changed from revision ${since} to ${revision}`} />`}
    </details>
  </li>`;
}

/** What a revision did, as far as that is known. */
function wordsOf({ revision, action, changed = [], diff, since }: ItemRevision): string {
  if (action !== undefined) return action;
  if (revision === 1) return 'created';
  const fields = changed.filter((field) => field !== 'data' || diff !== '').map((field) => FIELDS[field] ?? field);
  const what = fields.length > 0 ? `changed ${fields.join(', ')}` : 'changed';
  if (diff === undefined) return `${what}; this text is not kept`;
  return since === revision - 1 || since === undefined ? what : `${what}; compared with revision ${since}`;
}

const FIELDS: Readonly<Record<string, string>> = { data: 'text', mimeType: 'type' };
