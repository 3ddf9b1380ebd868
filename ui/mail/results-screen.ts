import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { ItemPane } from '../item/item-pane.ts';
import { RunPane } from '../run/run-pane.ts';
import { accountTroubles, fetchNow, fetcher } from '../shell/fetcher.ts';
import { useKeys } from '../shell/keys.ts';
import { go, route } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { askDelete } from './delete.ts';
import { MailPane } from './mail-pane.ts';
import { allMails, loadMails, loadMoreMails, mails, mailsError, mailsLoading, nextCursor } from './mails.ts';
import { Original } from './original.ts';
import { continueSearch, search as searching, startSearch } from './search.ts';
import { Tree } from './tree.ts';
import { STATUS_FILTERS, hasStatus } from './tree-rows.ts';
import { filter, rows, setAllOpen, setOpen, ticked } from './tree-state.ts';

/** Pause in typing after which the server is asked. */
const TYPING_MS = 250;
const FILTER_WORDS = { all: 'All', running: 'Running', failed: 'Failed', unrouted: 'Not routed' } as const;

/** E-mails and what became of them: the tree on the left, what is selected on the right. */
export function ResultsScreen() {
  const [mailId, runId, itemId] = route.value.ids;
  const mail = allMails.value.find((entry) => entry.id === mailId);
  const newest = mails.value[0];
  const isNarrow = matchMedia('(max-width: 760px)').matches;
  useEffect(() => {
    // The first look shows a result, not a hint to click. A narrow screen starts with the list.
    if (mailId !== undefined || newest === undefined || isNarrow) return;
    setOpen([newest.id], true);
    go('results', [newest.id], { replace: true });
  }, [mailId, newest?.id]);
  useEffect(() => {
    // A link may lead into a mail that is closed.
    if (mailId !== undefined && runId !== undefined) setOpen([mailId], true);
    if (mailId !== undefined && runId !== undefined && itemId !== undefined) setOpen([mailId, runId], true);
  }, [mailId, runId, itemId]);
  useKeys({ r: () => void loadMails() });

  const run = mail?.runs.find((entry) => entry.id === runId);
  const right =
    mailId === undefined
      ? html`<${Empty} icon="mail" title="Choose an e-mail to see its results" />`
      : html`<button class="back bare" onClick=${() => go('results')}><${Icon} name="back" />All e-mails</button>
          ${
            itemId !== undefined && runId !== undefined
              ? html`<${ItemPane}
                  key=${itemId}
                  mailId=${mailId}
                  workspaceId=${run?.workspaceId ?? runId}
                  itemId=${itemId}
                  run=${run}
                />`
              : runId !== undefined
                ? html`<${RunPane} key=${runId} runId=${runId} />`
                : html`<${MailPane} key=${mailId} mailId=${mailId} mail=${mail} />`
          }
          <${Original} key=${`original ${mailId}`} mailId=${mailId} summary=${mail} />`;
  return html`<${Split} label="E-mails" detail=${mailId !== undefined} left=${html`<${List} />`} right=${right} />`;
}

function List() {
  const search = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => search.current?.focus() });
  const { text, status } = filter.value;
  useEffect(() => {
    const wait = setTimeout(() => void startSearch(filter.value), TYPING_MS);
    return () => clearTimeout(wait);
  }, [text, status]);
  const marks = [...ticked.value];
  return html`<div class="list-head">
      <label class="search">
        <${Icon} name="search" /><span class="sr">Search e-mails and results</span>
        <input
          ref=${search}
          type="search"
          placeholder="Search…  /"
          value=${text}
          onInput=${(event: InputEvent) => event.target instanceof HTMLInputElement && (filter.value = { status, text: event.target.value })}
          onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && search.current?.blur()}
        />
      </label>
      <button
        class="bare"
        title="Open or close all"
        aria-label="Open or close all e-mails"
        onClick=${() => setAllOpen(rows.value.length <= mails.value.length)}
      >
        <${Icon} name="collapse" />
      </button>
      <button class="bare" title="Refresh  r" aria-label="Refresh" onClick=${() => void loadMails()}>
        <${Icon} name="refresh" />
      </button>
    </div>
    <div class="filters" role="group" aria-label="Which e-mails">
      ${STATUS_FILTERS.map((name) => {
        const count = name === 'all' ? 0 : mails.value.filter((mail) => hasStatus(mail, name)).length;
        return html`<button
          key=${name}
          class="filter"
          aria-pressed=${status === name ? 'true' : 'false'}
          onClick=${() => (filter.value = { text, status: name })}
        >
          ${FILTER_WORDS[name]}${count > 0 && html`<span class="count">${count}</span>`}
        </button>`;
      })}
    </div>
    ${
      marks.length > 0 &&
      html`<div class="marks">
        <span>${marks.length} marked</span>
        <button onClick=${() => (ticked.value = new Set(rows.value.map((row) => row.mail.id)))}>All shown</button>
        <button onClick=${() => (ticked.value = new Set())}>None</button>
        <button class="danger" onClick=${() => void askDelete(marks)}><${Icon} name="trash" />Delete</button>
      </div>`
    }
    ${mailsError.value !== undefined && html`<${ErrorNotice} error=${mailsError.value} />`}
    <${Troubles} />
    <div class="scroll"><${Tree} /><${ListEnd} /></div>`;
}

/** Accounts that could not be fetched: without this their silence looks like no mail. */
function Troubles() {
  const lines = accountTroubles(fetcher.state.value.data);
  if (lines.length === 0) return null;
  return html`<details class="troubles">
    <summary>
      <${Icon} name="alert" />${lines.length === 1 ? 'One problem' : `${lines.length} problems`} with fetching mail
    </summary>
    <ul>
      ${lines.map((line) => html`<li key=${line}>${line}</li>`)}
    </ul>
  </details>`;
}

function ListEnd() {
  if (mails.value.length === 0) {
    if (mailsLoading.value) return html`<p class="quiet-line">Loading…</p>`;
    return html`<${Empty} icon="mail" title="No results yet.">
      <p>Drop an .eml file into the inbox of an account, or look for new mail now.</p>
      <button class="primary" onClick=${() => void fetchNow()}><${Icon} name="fetch" />Fetch now</button>
    <//>`;
  }
  return html`${rows.value.length === 0 && html`<p class="quiet-line">Nothing here matches.</p>`}<${More} />`;
}

/** The next page: of what the server finds where it searches, else of the whole list. */
function More() {
  const isFiltered = filter.value.text !== '' || filter.value.status !== 'all';
  const isSearch = searching.value !== undefined;
  const isMore = isSearch ? searching.value?.cursor !== null : nextCursor.value !== null;
  if (!isMore) return null;
  return html`<div class="more">
    ${isFiltered && !isSearch && html`<p>Looked through the ${mails.value.length} newest.</p>`}
    <button disabled=${mailsLoading.value} onClick=${() => void (isSearch ? continueSearch() : loadMoreMails())}>
      ${mailsLoading.value ? 'Loading…' : 'Load more'}
    </button>
  </div>`;
}
