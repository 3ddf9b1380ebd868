import { html } from 'htm/preact';
import { Choice } from '../../widget/choice.ts';
import { Icon } from '../../widget/icon.ts';
import { visible } from '../../widget/visible.ts';
import { filter, filterQuery, MAIN_VIEWS, MORE_VIEWS, readFilter } from './filter.ts';
import { isSaved, nameOf, saved, toggleSaved } from './saved-searches.ts';

const MAIN = MAIN_VIEWS.map(({ id, label }) => [id, label] as const);
/** Marks a saved search among the views. */
const SAVED = 'saved:';

/** The main views of the list as buttons. */
export function Filters() {
  const { text, view } = filter.value;
  return html`<${Choice}
    label="Filter by state"
    nextKey="V"
    className="filters"
    buttonClass="filter"
    options=${MAIN}
    value=${view}
    onChoose=${(id: string) => (filter.value = { text, view: id })}
  />`;
}

/** The rarer views, and the saved searches. */
export function MoreViews() {
  const { text, view } = filter.value;
  const chosen = isSaved(filter.value)
    ? SAVED + filterQuery(filter.value)
    : MORE_VIEWS.some(({ id }) => id === view)
      ? view
      : '';
  const onSelect = ({ target }: Event) => {
    if (!(target instanceof HTMLSelectElement)) return;
    const { value } = target;
    if (value.startsWith(SAVED)) filter.value = readFilter(value.slice(SAVED.length));
    else filter.value = { text, view: value === '' ? 'inbox' : value };
  };
  return html`<select
    class=${chosen === '' ? 'more-views' : 'more-views chosen'}
    aria-label="More views and saved searches"
    title="More views and saved searches"
    value=${chosen}
    onChange=${onSelect}
  >
    <option value="">More</option>
    ${MORE_VIEWS.map(({ id, label }) => html`<option key=${id} value=${id}>${label}</option>`)}
    ${
      saved.value.length > 0 &&
      html`<optgroup label="Saved searches">
        ${saved.value.map((entry) => html`<option key=${entry} value=${SAVED + entry}>${visible(nameOf(entry))}</option>`)}
      </optgroup>`
    }
  </select>`;
}

/** Saves the search of now, or forgets it. Nothing while the whole Inbox is shown. */
export function SaveSearch() {
  if (filterQuery(filter.value) === '') return null;
  const isKept = isSaved(filter.value);
  const label = isKept ? 'Forget this saved search' : 'Save this search';
  return html`<button
    class="bare"
    aria-label=${label}
    aria-keyshortcuts="S"
    title=${`${label} (S)`}
    aria-pressed=${isKept ? 'true' : 'false'}
    onClick=${() => toggleSaved(filter.value)}
  >
    <${Icon} name="flag" />
  </button>`;
}
