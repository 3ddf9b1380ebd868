import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { Run, WorkspaceItem } from '../http/api-types.ts';
import { ItemCard } from '../item/card.ts';
import { allItems, filteredItems } from '../item/items.ts';
import { Icon } from '../widget/icon.ts';
import { visible } from '../widget/visible.ts';

/** The parts of the filter, as the API names them. */
const PARTS = [
  ['mimeType', 'Type'],
  ['tag', 'Tag'],
  ['author', 'Made by'],
] as const;
type Filter = Partial<Record<(typeof PARTS)[number][0], string>>;

/** With fewer results a filter only takes room. */
const MIN_FILTERED = 4;

interface Props {
  readonly run: Pick<Run, 'id' | 'workspaceId'>;
  readonly itemHref: (itemId: string) => string;
}

/** The results of a run, with a filter by type, tag and author, and the deleted ones folded below. */
export function RunResults({ run, itemHref }: Props) {
  const pair = `${run.workspaceId}/${run.id}`;
  const [filter, setFilter] = useState<Filter>({});
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
    ${kept.length >= MIN_FILTERED && html`<${FilterBar} items=${kept} filter=${filter} onChange=${setFilter} />`}
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

interface FilterBarProps {
  readonly items: readonly WorkspaceItem[];
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

/** One choice for each part that has several values. */
function FilterBar({ items, filter, onChange }: FilterBarProps) {
  const values: Record<keyof Filter, readonly string[]> = {
    mimeType: items.map(({ mimeType }) => mimeType.split(';')[0]?.trim().toLowerCase() ?? ''),
    tag: items.flatMap(({ tags = [] }) => tags),
    author: items.map(({ context: c }) =>
      c.createdBy === 'user' ? 'user' : (c.agentId ?? c.agent?.id ?? c.director.id),
    ),
  };
  return html`<div class="row item-filters">
    ${PARTS.map(([part, label]) => {
      const options = [...new Set(values[part])].toSorted();
      if (options.length < (part === 'tag' ? 1 : 2) && filter[part] === undefined) return null;
      const onSelect = ({ target }: Event) => {
        if (!(target instanceof HTMLSelectElement)) return;
        const { [part]: _old, ...rest } = filter;
        onChange(target.value === '' ? rest : { ...rest, [part]: target.value });
      };
      return html`<label key=${part}
        >${label}
        <select aria-label=${label} value=${filter[part] ?? ''} onChange=${onSelect}>
          <option value="">all</option>
          ${options.map((value) => html`<option key=${value} value=${value}>${visible(value)}</option>`)}
        </select></label
      >`;
    })}
  </div>`;
}
