import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from '../shell/keys.ts';
import { amend, route } from '../shell/route.ts';
import { askable } from '../ask/talks.ts';
import { Choice } from '../widget/choice.ts';
import { Icon } from '../widget/icon.ts';
import { visible } from '../widget/visible.ts';
import { runFilter } from './runs.ts';

const STATUSES = [
  ['', 'All'],
  ['running', 'Running'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
  ['completed', 'Completed'],
  ['cancelled', 'Cancelled'],
] as const;
/** Time without a key before the server searches. */
const PAUSE_MS = 250;

/** Search, director and state of the runs. All three are in the address. */
export function RunFilters() {
  const search = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const filter = new URLSearchParams(runFilter.value);
  useKeys({ '/': () => search.current?.focus() });
  useEffect(() => {
    askable.show('all');
    return () => clearTimeout(timer.current);
  }, []);
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(runFilter.value);
    if (value === '') next.delete(name);
    else next.set(name, value);
    amend('runs', route.value.ids, next.toString());
  };
  const onInput = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change('q', target.value.trim()), PAUSE_MS);
  };
  const directors = (askable.state.value.data ?? []).filter(({ kind }) => kind === 'director');
  return html`<div class="list-head">
      <div class="search">
        <${Icon} name="search" />
        <input
          ref=${search}
          type="search"
          placeholder="Search runs"
          title="Search runs (/)"
          aria-label="Search runs"
          value=${filter.get('q') ?? ''}
          onInput=${onInput}
          onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && search.current?.blur()}
        />
      </div>
      <select
        class="of-director"
        aria-label="Director"
        value=${filter.get('directorId') ?? ''}
        onChange=${({ target }: Event) => target instanceof HTMLSelectElement && change('directorId', target.value)}
      >
        <option value="">all directors</option>
        ${directors.map(({ id, name }) => html`<option key=${id} value=${id}>${visible(name)}</option>`)}
      </select>
    </div>
    <${Choice}
      label="Filter by state"
      nextKey="V"
      className="filters wrap"
      buttonClass="filter"
      options=${STATUSES}
      value=${filter.get('status') ?? ''}
      onChoose=${(status: string) => change('status', status)}
    />`;
}
