import { signal } from '@preact/signals';
import type { MailEntry } from '../../http/api-types.ts';
import { hasStatus } from '../tree-rows.ts';

/** A view of the list. */
interface View {
  readonly id: string;
  readonly label: string;
  /** What the server is asked for; absent where only the loaded mails can be looked through. */
  readonly query?: Readonly<Record<string, string>>;
  /** Whether a loaded mail belongs to it, at this time (epoch milliseconds). */
  readonly has: (mail: MailEntry, now: number) => boolean;
}

const isSnoozed = ({ state: { snoozedUntil } }: MailEntry, now: number) =>
  snoozedUntil !== undefined && Date.parse(snoozedUntil) > now;
const isPutAway = (mail: MailEntry, now: number) => mail.state.archived || isSnoozed(mail, now);

function valued(id: string, label: string): View {
  return { id, label, query: { view: id }, has: (mail, now) => mail.state.value === id && !isSnoozed(mail, now) };
}

/** The views with a button of their own. */
export const MAIN_VIEWS: readonly [View, ...View[]] = [
  {
    id: 'inbox',
    label: 'Inbox',
    query: { view: 'inbox' },
    has: (mail, now) => !isPutAway(mail, now) && mail.state.value !== 'done',
  },
  valued('needsMe', 'Needs me'),
  valued('waiting', 'Waiting'),
  valued('replied', 'Replied'),
  valued('done', 'Done'),
];

/** The views behind "More". */
export const MORE_VIEWS: readonly View[] = [
  {
    id: 'unread',
    label: 'Unread',
    query: { view: 'unread' },
    has: (mail, now) => mail.state.unread && !isPutAway(mail, now),
  },
  { id: 'snoozed', label: 'Snoozed', query: { view: 'snoozed' }, has: isSnoozed },
  { id: 'archived', label: 'Archived', query: { view: 'archived' }, has: (mail) => mail.state.archived },
  { id: 'running', label: 'Running', has: (mail) => hasStatus(mail, 'running') },
  { id: 'failed', label: 'Failed', has: (mail) => hasStatus(mail, 'failed') },
  { id: 'unrouted', label: 'Not routed', query: { routed: 'false' }, has: (mail) => !mail.routed },
  { id: 'all', label: 'All e-mails', query: {}, has: () => true },
];

/** Filter of the list: words that must occur, and the id of a view. */
export interface MailFilter {
  readonly text: string;
  readonly view: string;
}

/** The filter of the list. */
export const filter = signal<MailFilter>({ text: '', view: 'inbox' });

/** The view of this id; the Inbox for an unknown one. */
export function viewOf(id: string): View {
  return [...MAIN_VIEWS, ...MORE_VIEWS].find((view) => view.id === id) ?? MAIN_VIEWS[0];
}

/** The filter as in the address, `view=done&q=invoice`; `''` for the whole Inbox. */
export function filterQuery({ text, view }: MailFilter): string {
  const query = new URLSearchParams({
    ...(view !== MAIN_VIEWS[0].id && { view }),
    ...(text.trim() !== '' && { q: text.trim() }),
  });
  return query.toString();
}

/** Reads the filter of an address. */
export function readFilter(query: string): MailFilter {
  const read = new URLSearchParams(query);
  return { text: read.get('q') ?? '', view: viewOf(read.get('view') ?? '').id };
}
