import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { ApprovalView } from '../http/api-types.ts';
import { errorOfThrown } from '../http/request.ts';
import { useKeys } from '../shell/keys.ts';
import { mayDo } from '../shell/person.ts';
import { go, hrefOf, route } from '../shell/route.ts';
import { Choice } from '../widget/choice.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { AlwaysDialog } from './always-dialog.ts';
import { ApprovalCard } from './approval-card.ts';
import { approvals, fetchApproval, loadApprovals } from './approvals.ts';
import { waiting } from './held.ts';
import { QuestionCard } from './question-card.ts';
import { EndedCall, History } from './history.ts';

const HISTORY = 'history';
const VIEWS = [
  ['', 'Waiting'],
  [HISTORY, 'Decided'],
] as const;

/** Tool calls and questions that wait for a person, those that were decided, or the one of the address. */
export function ApprovalsScreen() {
  const [first = ''] = route.value.ids;
  const isHistory = first === HISTORY;
  useKeys({ r: () => void loadApprovals() });
  return html`<div class="page approvals">
    <div class="page-head">
      <h1 tabindex="-1">Approvals</h1>
      <${Choice}
        label="Which approvals"
        nextKey="V"
        options=${VIEWS}
        value=${isHistory ? HISTORY : ''}
        onChoose=${(view: string) => go('approvals', view === '' ? [] : [view])}
      />
    </div>
    ${isHistory ? html`<${History} />` : html`<${Waiting} wantedId=${first} />`}
    <${AlwaysDialog} />
  </div>`;
}

/** All tool calls that wait for a person, oldest first. */
function Waiting({ wantedId }: { wantedId: string }) {
  const [currentId, setCurrentId] = useState(wantedId);
  const list = waiting.value;
  const error = approvals.error.value;
  const index = Math.max(
    0,
    list.findIndex((entry) => entry.id === currentId),
  );
  const shownId = list[index]?.id ?? '';
  useFocusKept(list, shownId);
  const move = (step: number) => {
    const next = list[Math.min(list.length - 1, Math.max(0, index + step))];
    if (next === undefined) return;
    setCurrentId(next.id);
    focusCard(next.id);
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  useEffect(() => setCurrentId(wantedId), [wantedId]);
  const isWantedHere = wantedId === '' || approvals.items.value.some(({ id }) => id === wantedId);
  useEffect(() => {
    if (wantedId !== '' && isWantedHere) focusCard(wantedId);
  }, [wantedId, isWantedHere]);
  return html`${error !== undefined && html`<${ErrorNotice} error=${error} />`}
  ${!isWantedHere && html`<${Elsewhere} key=${wantedId} id=${wantedId} />`}
  ${list.length === 0 && isWantedHere && error === undefined && html`<${Nothing} />`}
  ${list.length > 0 && !mayDo('approver') && html`<p class="notice">Your role is viewer: people with the role approver answer these.</p>`}
  ${list.map(
    (entry, i) =>
      html`<${entry.kind === 'question' ? QuestionCard : ApprovalCard}
        key=${entry.id}
        approval=${entry}
        isCurrent=${i === index}
        onFocus=${() => setCurrentId(entry.id)}
      />`,
  )}
  ${approvals.nextCursor.value !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void approvals.load({ more: true })}>Load more</button></div>`}`;
}

function Nothing() {
  return html`<${Empty} icon="shield" title="No pending approvals.">
    <p>
      Tools that a director or agent lists under <code>ask</code> in its permissions wait here for your decision, and so
      does every write that follows from a text of others. Questions of directors wait here for your answer.${' '}
      <a href=${hrefOf('approvals', HISTORY)}>See what was decided</a>
    </p>
  <//>`;
}

/** The approval of the address where it waits no more. */
function Elsewhere({ id }: { id: string }) {
  const [approval, setApproval] = useState<ApprovalView | undefined>(undefined);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  useEffect(() => {
    const gone = new AbortController();
    fetchApproval(id, gone.signal).then(setApproval, (thrown: unknown) => {
      if (!gone.signal.aborted) setError(errorOfThrown(thrown));
    });
    return () => gone.abort();
  }, [id]);
  if (error !== undefined) return html`<${ErrorNotice} error=${error} />`;
  return approval === undefined || approval.status === 'pending' ? null : html`<${EndedCall} approval=${approval} />`;
}

function focusCard(id: string): void {
  const card = document.getElementById(`approval-${id}`);
  card?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: 'nearest' });
}

/** When the card with the focus leaves the list, the next card gets it, or the title of the page where there is none. */
function useFocusKept(list: readonly ApprovalView[], nextId: string): void {
  const hadFocus = useRef(false);
  const before = useRef(list);
  // Read while the card is still on the page.
  if (before.current !== list)
    hadFocus.current = document.activeElement?.closest('.approval') !== null && document.activeElement !== null;
  useEffect(() => {
    const isShorter = list.length < before.current.length;
    before.current = list;
    if (!isShorter || !hadFocus.current || document.activeElement !== document.body) return;
    if (nextId === '') document.querySelector<HTMLElement>('.approvals h1')?.focus();
    else focusCard(nextId);
  }, [list]);
}
