import { signal } from '@preact/signals';
import { filterQuery, MAIN_VIEWS, type MailFilter, readFilter, viewOf } from './filter.ts';

/** Filters that the person keeps, as in the address. They stay in this browser. */
const NAME = 'callsheet.searches';
const MAX_SAVED = 30;

/** The saved filters, the newest first. */
export const saved = signal<readonly string[]>(read());

function read(): readonly string[] {
  try {
    const value: unknown = JSON.parse(globalThis.localStorage?.getItem(NAME) ?? '[]');
    return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string').slice(0, MAX_SAVED) : [];
  } catch {
    return [];
  }
}

/** Whether a filter is saved. */
export const isSaved = (filter: MailFilter) => saved.value.includes(filterQuery(filter));

/** Saves a filter, or forgets a saved one. */
export function toggleSaved(filter: MailFilter): void {
  const query = filterQuery(filter);
  const others = saved.value.filter((entry) => entry !== query);
  saved.value = isSaved(filter) ? others : [query, ...others].slice(0, MAX_SAVED);
  localStorage.setItem(NAME, JSON.stringify(saved.value));
}

/** The name of a saved filter: its words, and its view where that is not the Inbox. */
export function nameOf(query: string): string {
  const { text, view } = readFilter(query);
  const label = viewOf(view).label;
  if (text === '') return label;
  return view === MAIN_VIEWS[0].id ? text : `${text} · ${label}`;
}
