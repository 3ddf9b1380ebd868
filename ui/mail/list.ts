import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { accountProblems, fetchNow, fetcher, fetchProgress } from '../shell/fetcher.ts';
import { useKeys } from '../shell/keys.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';
import { confirmDelete } from './delete.ts';
import { allMails, loadMails, loadMoreMails, mails, mailsError, mailsLoading, nextCursor } from './mails.ts';
import { continueSearch, search, startSearch } from './search.ts';
import { MailTree } from './tree.ts';
import { STATUS_FILTERS, hasStatus } from './tree-rows.ts';
import { filter, rows, setAllOpen, marked } from './tree-state.ts';

/** The search starts after this pause in typing. */
const TYPING_MS = 250;
const FILTER_LABELS = { all: 'All', running: 'Running', failed: 'Failed', unrouted: 'Not routed' } as const;

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
  const { text, status } = filter.value;
  useEffect(() => {
    const wait = setTimeout(() => void startSearch(filter.value), TYPING_MS);
    return () => clearTimeout(wait);
  }, [text, status]);
  const onInput = (event: InputEvent) => {
    if (event.target instanceof HTMLInputElement) filter.value = { status, text: event.target.value };
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
    <button
      class="bare"
      title="Open or close all"
      aria-label="Open or close all e-mails"
      onClick=${() => setAllOpen(rows.value.every((row) => row.kind === 'mail'))}
    >
      <${Icon} name="collapse" />
    </button>
    <button class="bare" title="Refresh (r)" aria-label="Refresh" onClick=${() => void loadMails()}>
      <${Icon} name="refresh" />
    </button>
  </div>`;
}

function Filters() {
  const { text, status } = filter.value;
  return html`<div class="filters" role="group" aria-label="Filter by state">
    ${STATUS_FILTERS.map((name) => {
      const count = name === 'all' ? 0 : allMails.value.filter((mail) => hasStatus(mail, name)).length;
      return html`<button
        key=${name}
        class="filter"
        aria-pressed=${status === name ? 'true' : 'false'}
        onClick=${() => (filter.value = { text, status: name })}
      >
        ${FILTER_LABELS[name]}${count > 0 && html`<span class="count">${count}</span>`}
      </button>`;
    })}
  </div>`;
}

/** Actions on the marked mails; hidden while none is marked. */
function MarkedBar() {
  const marks = [...marked.value];
  if (marks.length === 0) return null;
  return html`<div class="marks">
    <span>${marks.length} marked</span>
    <button onClick=${() => (marked.value = new Set(rows.value.map((row) => row.mail.id)))}>Mark all</button>
    <button onClick=${() => (marked.value = new Set())}>Clear</button>
    <button class="danger for-admin" onClick=${() => void confirmDelete(marks)}><${Icon} name="trash" />Delete</button>
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
  if (mails.value.length === 0) {
    if (mailsLoading.value) return html`<p class="quiet-line">Loading…</p>`;
    return html`<${Empty} icon="mail" title="No results yet.">
      <p>Put an .eml file into the inbox folder of an account, or fetch new mail now.</p>
      <button class="primary for-admin" onClick=${() => void fetchNow()}><${Icon} name="fetch" />Fetch now</button>
    <//>`;
  }
  return html`${rows.value.length === 0 && html`<p class="quiet-line">No e-mail matches.</p>`}<${More} />`;
}

/** Loads the next page: of the search results during a search, else of the list. */
function More() {
  const isFiltered = filter.value.text !== '' || filter.value.status !== 'all';
  const isSearch = search.value !== undefined;
  const isMore = isSearch ? search.value?.cursor !== null : nextCursor.value !== null;
  if (!isMore) return null;
  return html`<div class="more">
    ${isFiltered && !isSearch && html`<p>Only the ${mails.value.length} newest e-mails were searched.</p>`}
    <button disabled=${mailsLoading.value} onClick=${() => void (isSearch ? continueSearch() : loadMoreMails())}>
      ${mailsLoading.value ? 'Loading…' : 'Load more'}
    </button>
  </div>`;
}
