import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { Run, WorkspaceItem } from '../http/api-types.ts';
import { ItemCard } from '../item/card.ts';
import { FilterBar, type FilterValues, type ItemFilter, typeName } from '../item/item-filter.ts';
import { allItems, filteredItems } from '../item/items.ts';
import { Icon } from '../widget/icon.ts';

/** With fewer results a filter only takes room. */
const MIN_FILTERED = 4;

interface Props {
  readonly run: Pick<Run, 'id' | 'workspaceId'>;
  readonly itemHref: (itemId: string) => string;
}

/** The results of a run, with a filter by type, tag and author, and the deleted ones folded below. */
export function RunResults({ run, itemHref }: Props) {
  const pair = `${run.workspaceId}/${run.id}`;
  const [filter, setFilter] = useState<ItemFilter>({});
  const query = new URLSearchParams(filter).toString();
  useEffect(() => {
    allItems.show(pair);
    if (query !== '') filteredItems.show(`${pair}?${query}`);
  }, [pair, query]);
  const { key, data = [] } = allItems.state.value;
  if (key !== pair || data.length === 0) return null;
  const kept = data.filter(({ deleted }) => !deleted);
  const removed = data.filter(({ deleted }) => deleted);
  const found = filteredItems.state.value;
  const shown = query === '' ? kept : found.key === `${pair}?${query}` ? (found.data ?? []) : [];
  return html`<section>
    <h2 class="section">Results</h2>
    ${kept.length >= MIN_FILTERED && html`<${FilterBar} items=${kept.map(valuesOf)} filter=${filter} onChange=${setFilter} />`}
    <${Cards} items=${shown} itemHref=${itemHref} />
    ${query !== '' && shown.length === 0 && found.data !== undefined && html`<p class="muted">No result matches.</p>`}
    ${
      removed.length > 0 &&
      html`<details class="earlier">
        <summary>
          <${Icon} name="chevron" className="turn" />${removed.length} deleted
          ${removed.length === 1 ? ' result' : ' results'}
        </summary>
        <${Cards} items=${removed} itemHref=${itemHref} />
      </details>`
    }
  </section>`;
}

function Cards({ items, itemHref }: { items: readonly WorkspaceItem[]; itemHref: Props['itemHref'] }) {
  return html`<div class="cards">
    ${items.map((item) => html`<${ItemCard} key=${item.id} item=${item} maker=${makerOf(item)} full=${item} href=${itemHref(item.id)} />`)}
  </div>`;
}

const makerOf = ({ context: { agent, createdBy, director } }: WorkspaceItem) =>
  createdBy === 'user' ? 'you' : (agent?.name ?? (createdBy === 'director' ? director.name : createdBy));

/** What the filter compares; the API knows an author by id. */
function valuesOf({ mimeType, tags = [], context: c }: WorkspaceItem): FilterValues {
  const author = c.createdBy === 'user' ? 'user' : (c.agentId ?? c.agent?.id ?? c.director.id);
  return { mimeType: typeName(mimeType), tags, author };
}
