import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ItemView, MailEntry, RunView, WorkspaceItem } from '../http/api-types.ts';
import { askItem } from '../item/add-item.ts';
import { ItemCard } from '../item/card.ts';
import {
  FilterBar,
  type FilterValues,
  isSelected,
  type ItemFilter,
  readItemFilter,
  typeName,
  withItemFilter,
} from '../item/item-filter.ts';
import { RunNotices } from '../run/run-notices.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf, routeQuery } from '../shell/route.ts';
import { ScriptedBadge, StatusChip } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { Age } from '../widget/time.ts';
import { isActive, latestRuns } from './tree-rows.ts';

interface Props {
  readonly mail: MailEntry;
  /** Items with their data, by id. */
  readonly full: ReadonlyMap<string, WorkspaceItem>;
}

/**
 * The results of a mail by run: the newest run of each director, its earlier ones folded below it. A filter, which is in the address,
 * leaves out other results, and runs that have no other ones.
 */
export function RunSections({ mail, full }: Props) {
  const { id, runs } = mail;
  const filter = readItemFilter(routeQuery.value, id);
  const isFiltered = Object.keys(filter).length > 0;
  const onChange = (next: ItemFilter) => go('inbox', [id], { query: withItemFilter(routeQuery.value, id, next) });
  const filtered = runs.map((run) => ({
    ...run,
    items: run.items.filter((item) => isSelected(filter, valuesOf(item, run))),
  }));
  const hasShown = ({ items }: RunView) => !isFiltered || items.length > 0;
  // A failure or a wait must not be below the results of others.
  const shown = latestRuns({ ...mail, runs: filtered }).toSorted((a, b) => Number(isNoticed(b)) - Number(isNoticed(a)));
  const sections = shown.map((run) => {
    const earlier = filtered.filter((one) => one.directorId === run.directorId && !one.latest && hasShown(one));
    if (!hasShown(run) && !isNoticed(run) && earlier.length === 0) return undefined;
    return html`<div key=${run.id} class="director">
      <${RunCards} mailId=${id} run=${run} full=${full} isFiltered=${isFiltered} />
      ${earlier.length > 0 && html`<${EarlierRuns} mailId=${id} runs=${earlier} full=${full} isFiltered=${isFiltered} />`}
    </div>`;
  });
  const all = runs.flatMap((run) => run.items.map((item) => valuesOf(item, run)));
  return html`<${FilterBar} items=${all} filter=${filter} onChange=${onChange} /> ${sections}
    ${isFiltered && filtered.every(({ items }) => items.length === 0) && html`<p class="muted">No result matches.</p>`}`;
}

/** What the filter compares of a result. */
const valuesOf = (item: ItemView, run: RunView): FilterValues => ({
  mimeType: typeName(item.mimeType),
  tags: item.tags ?? [],
  author: makerOf(item, run),
});

interface RunsProps {
  readonly mailId: string;
  readonly runs: readonly RunView[];
  readonly full: Props['full'];
  readonly isFiltered: boolean;
}

function EarlierRuns({ mailId, runs, full, isFiltered }: RunsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const label = runs.length === 1 ? '1 earlier run' : `${runs.length} earlier runs`;
  return html`<details
    class="earlier"
    onToggle=${(e: Event) => e.target instanceof HTMLDetailsElement && e.target === e.currentTarget && setIsOpen(e.target.open)}
  >
    <summary><${Icon} name="chevron" className="turn" />${label} of ${runs[0]?.directorName}</summary>
    ${isOpen && runs.map((run) => html`<${RunCards} key=${run.id} mailId=${mailId} run=${run} full=${full} isFiltered=${isFiltered} />`)}
  </details>`;
}

/** Name of the agent, director or person that made an item. */
function makerOf({ agentName, createdBy }: ItemView, { directorName }: RunView): string {
  if (createdBy === 'user') return 'you';
  return agentName ?? (createdBy === 'director' ? directorName : createdBy);
}

/** Whether a person may have to do something about a run. */
const isNoticed = ({ error, status }: RunView) => error !== undefined || status === 'waiting';

function noResults({ status }: RunView): string {
  if (isActive(status)) return 'No results yet.';
  return status === 'completed' ? 'Completed without a result.' : 'No results.';
}

function AddButton({ run: { id, workspaceId } }: { run: RunView }) {
  const add = () => askItem({ workspaceId, runId: id });
  useKeys({ n: add });
  return html`<button class="bare for-admin" title="Add a result (n)" aria-label="Add a result" onClick=${add}>
    <${Icon} name="plus" />
  </button>`;
}

function RunCards({ mailId, run, full, isFiltered }: Omit<RunsProps, 'runs'> & { readonly run: RunView }) {
  return html`<section class="run-cards">
    <h2>
      <${Icon} name="director" /><a href=${hrefOf('inbox', mailId, run.id)}>${run.directorName}</a>
      <${StatusChip} status=${run.status} waitingFor=${run.waitingFor} />${run.scripted && html`<${ScriptedBadge} />`}
      ${!run.latest && html`<${Age} at=${run.createdAt} />`} ${run.latest && html`<${AddButton} run=${run} />`}
    </h2>
    <${RunNotices} run=${run} linksRun=${true} runHref=${(id: string) => hrefOf('inbox', mailId, id)} />
    ${run.items.length === 0 && !isNoticed(run) && !isFiltered && html`<p class="muted">${noResults(run)}</p>`}
    <div class="cards">
      ${run.items.map((item) => {
        const href = hrefOf('inbox', mailId, run.id, item.id);
        return html`<${ItemCard}
          key=${item.id}
          item=${item}
          maker=${makerOf(item, run)}
          full=${full.get(item.id)}
          href=${href}
        />`;
      })}
    </div>
  </section>`;
}
