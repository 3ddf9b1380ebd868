import { html } from 'htm/preact';
import { visible } from '../widget/visible.ts';

/** The parts of a filter of results, as the API and the address name them. */
const PARTS = [
  ['mimeType', 'Type'],
  ['tag', 'Tag'],
  ['author', 'Made by'],
] as const;

/** A filter of results; a part that is absent selects all. */
export type ItemFilter = Partial<Record<(typeof PARTS)[number][0], string>>;

/** What a filter compares of one result. */
export interface FilterValues {
  readonly mimeType: string;
  readonly tags: readonly string[];
  readonly author: string;
}

/** In the address beside the parts: the e-mail whose results they select, so that they do not select those of another one. */
const OF = 'of';
const NAMES = [OF, ...PARTS.map(([part]) => part)];

/** The filter of an e-mail's results in what an address says after `?`. */
export function readItemFilter(query: string, mailId: string): ItemFilter {
  const read = new URLSearchParams(query);
  if (read.get(OF) !== mailId) return {};
  return Object.fromEntries(PARTS.flatMap(([part]) => (read.has(part) ? [[part, read.get(part) ?? '']] : [])));
}

/** What an address says after `?`, with another filter of the results of this e-mail. */
export function withItemFilter(query: string, mailId: string, filter: ItemFilter): string {
  const own = Object.keys(filter).length === 0 ? {} : { [OF]: mailId, ...filter };
  return joinQueries(withoutItemFilter(query), new URLSearchParams(own).toString());
}

/** What an address says after `?`, without the filter of results. */
export function withoutItemFilter(query: string): string {
  return select(query, (name) => !NAMES.includes(name));
}

/** This part of an address beside the filter of results of another one. */
export function keepItemFilter(query: string, before: string): string {
  return joinQueries(
    query,
    select(before, (name) => NAMES.includes(name)),
  );
}

function select(query: string, isWanted: (name: string) => boolean): string {
  return new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => isWanted(name))).toString();
}

const joinQueries = (...queries: readonly string[]) => queries.filter((query) => query !== '').join('&');

/** A type without its parameters, as filters compare it. */
export const typeName = (mimeType: string) => mimeType.split(';')[0]?.trim().toLowerCase() ?? '';

/** Whether a filter selects a result. */
export function isSelected({ mimeType, tag, author }: ItemFilter, values: FilterValues): boolean {
  return (
    (mimeType === undefined || values.mimeType === mimeType) &&
    (tag === undefined || values.tags.includes(tag)) &&
    (author === undefined || values.author === author)
  );
}

interface FilterBarProps {
  readonly items: readonly FilterValues[];
  readonly filter: ItemFilter;
  readonly onChange: (filter: ItemFilter) => void;
}

/** One choice for each part in which the results differ; nothing where they differ in none. */
export function FilterBar({ items, filter, onChange }: FilterBarProps) {
  const choices = PARTS.flatMap(([part, label]) => {
    const values = new Set(part === 'tag' ? items.flatMap(({ tags }) => tags) : items.map((item) => item[part]));
    // One tag is a choice, too, where some results lack it.
    const isChoice =
      values.size > 1 || (part === 'tag' && items.some(({ tags }) => tags.length === 0) && values.size > 0);
    if (!isChoice && filter[part] === undefined) return [];
    return [{ part, label, options: [...values].toSorted() }];
  });
  if (choices.length === 0) return null;
  return html`<div class="row item-filters">
    ${choices.map(({ part, label, options }) => {
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
