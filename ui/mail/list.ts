import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { keepItemFilter } from '../item/item-filter.ts';
import { accountProblems, fetchNow, fetcher, fetchProgress } from '../shell/fetcher.ts';
import { keyed, useKeys } from '../shell/keys.ts';
import { amend, idsOn, routeQuery } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';
import { confirmDelete } from './delete.ts';
import { loadMails, loadMoreMails, mails, mailsError, mailsLoading, nextCursor } from './mails.ts';
import { continueSearch, search, startSearch } from './search.ts';
import { MailTree } from './tree.ts';
import { filter, filterQuery, viewOf } from './state/filter.ts';
import { Filters, MoreViews, SaveSearch } from './state/filters.ts';
import { setState, type StateChange } from './state/mail-state.ts';
import { askSnooze } from './state/snooze-dialog.ts';
import { marked, rows, setAllOpen, shownMails } from './tree-state.ts';

/** The search starts after this pause in typing. */
const TYPING_MS = 250;

/** The left pane: search, filters, the tree, and the button for the next page. */
export function MailList() {
  return html`<${SearchBar} /><${Filters} /><${MarkedBar} />
    ${mailsError.value !== undefined && html`<${ErrorNotice} error=${mailsError.value} />`}
    <${FetchProblems} /><${FetchProgress} />
    <div class="scroll"><${MailTree} /><${ListEnd} /></div>`;
}

function SearchBar() {
  const input = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => input.current?.focus() });
  const { text, view } = filter.value;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) void loadMails();
    isFirst.current = false;
  }, [view]);
  useEffect(() => {
    const wait = setTimeout(() => {
      amend('inbox', idsOn('inbox'), keepItemFilter(filterQuery(filter.value), routeQuery.value));
      void startSearch(filter.value);
    }, TYPING_MS);
    return () => clearTimeout(wait);
  }, [text, view]);
  const onInput = (event: InputEvent) => {
    if (event.target instanceof HTMLInputElement) filter.value = { view, text: event.target.value };
  };
  return html`<div class="list-head">
    <label class="search">
      <${Icon} name="search" /><span class="sr">Search e-mails and results</span>
      <input
        ref=${input}
        type="search"
        placeholder="Search (/)"
        value=${text}
        onInput=${onInput}
        onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && input.current?.blur()}
      />
    </label>
    <${MoreViews} /><${SaveSearch} />
    <button
      class="bare"
      aria-keyshortcuts="O"
      title="Open or close all (O)"
      aria-label="Open or close all e-mails"
      onClick=${() => setAllOpen(rows.value.length === shownMails.value.length)}
    >
      <${Icon} name="collapse" />
    </button>
    <button class="bare" title="Refresh (r)" aria-label="Refresh" onClick=${() => void loadMails()}>
      <${Icon} name="refresh" />
    </button>
  </div>`;
}

/** Actions on the marked mails; hidden while none is marked. */
function MarkedBar() {
  const marks = [...marked.value];
  if (marks.length === 0) return null;
  const change = (state: StateChange, done: string) => {
    marked.value = new Set();
    void setState(marks, state, done);
  };
  const archive = () => change({ archived: true }, 'Archived.');
  const finish = () => change({ value: 'done' }, 'Done.');
  return html`<div class="marks">
    <span>${marks.length} marked</span>
    <button
      aria-keyshortcuts="A"
      title="Mark all (A)"
      onClick=${() => (marked.value = new Set(shownMails.value.map(({ id }) => id)))}
    >
      Mark all
    </button>
    <button aria-keyshortcuts="N" title="Clear the marks (N)" onClick=${() => (marked.value = new Set())}>Clear</button>
    <button class="for-admin" title="Archive (e)" onClick=${archive}><${Icon} name="archive" />Archive</button>
    <button class="for-admin" title="Snooze (b)" onClick=${() => askSnooze(marks)}>
      <${Icon} name="clock" />Snooze
    </button>
    <button class="for-admin" title="Done (4)" onClick=${finish}><${Icon} name="check" />Done</button>
    <button
      class="danger for-admin"
      aria-keyshortcuts="#"
      title="Delete (#)"
      onClick=${() => void confirmDelete(marks)}
    >
      <${Icon} name="trash" />Delete
    </button>
  </div>`;
}

/** Accounts that could not be fetched. Without this an error would look like an empty mailbox. */
function FetchProblems() {
  const lines = accountProblems(fetcher.state.value.data);
  if (lines.length === 0) return null;
  return html`<details class="fetch-problems">
    <summary>
      <${Icon} name="alert" />${lines.length === 1 ? 'One problem' : `${lines.length} problems`} with fetching mail
    </summary>
    <ul>
      ${lines.map((line) => html`<li key=${line}><${Shown} text=${line} /></li>`)}
    </ul>
  </details>`;
}

/** Progress of a long fetch; until its end some mails are missing from the list. */
function FetchProgress() {
  const progress = fetchProgress(fetcher.state.value.data);
  if (progress === undefined) return null;
  const { done, total } = progress;
  return html`<label class="fetching">
    <span>Fetching mail: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}</span>
    <progress max=${total} value=${done}></progress>
  </label>`;
}

function ListEnd() {
  if (rows.value.length > 0) return html`<${More} />`;
  if (mailsLoading.value) return html`<p class="quiet-line">Loading…</p>`;
  if (filterQuery(filter.value) !== '')
    return html`<p class="quiet-line">No e-mail matches.</p>
      <${More} />`;
  return html`<${Empty} icon="mail" title="The Inbox is empty.">
      <p>
        Put an .eml file into the inbox folder of an account, or fetch new mail now. Archived and finished e-mails are
        behind Done and More.
      </p>
      <button ...${keyed('f', 'Fetch now')} class="primary for-admin" onClick=${() => void fetchNow()}>
        <${Icon} name="fetch" />Fetch now
      </button> <//
    ><${More} />`;
}

/** Loads the next page when it comes into sight: of the search results during a search, else of the list. */
function More() {
  const end = useRef<HTMLDivElement>(null);
  const { text, view } = filter.value;
  const isSearch = search.value !== undefined;
  const isMore = isSearch ? search.value?.cursor !== null : nextCursor.value !== null;
  const isBusy = mailsLoading.value;
  // What the server cannot look for would load page after page. Words start a search in a moment.
  const isServed = viewOf(view).query !== undefined;
  const loadsItself = isServed && (isSearch || text.trim() === '');
  const load = () => void (isSearch ? continueSearch() : loadMoreMails());
  useEffect(() => {
    if (end.current === null || isBusy || !loadsItself) return;
    const seen = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: '600px',
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  });
  if (!isMore) return null;
  return html`<div class="more" ref=${end}>
    ${!isServed && html`<p>Only the ${mails.value.length} newest e-mails were searched.</p>`}
    <button aria-keyshortcuts="L" title="Load more (L)" disabled=${isBusy} onClick=${load}>
      ${isBusy ? 'Loading…' : 'Load more'}
    </button>
  </div>`;
}
