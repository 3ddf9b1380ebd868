import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { Diff } from '../approval/diff.ts';
import type { ChangesView } from '../http/api-types.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import { Shown } from '../widget/visible.ts';
import { shownChat } from './shown-chat.ts';
import { nearKeyed } from '../shell/keys.ts';

type Decision = ChangesView['decisions'][number];

const LABELS: Readonly<Record<ChangesView['status'], readonly [tone: string, text: string]>> = {
  open: ['wait', 'not applied'],
  applied: ['ok', 'applied'],
  kept: ['ok', 'kept as a branch'],
  dropped: ['quiet', 'dropped'],
};

const DONE: Readonly<Record<Decision, string>> = {
  apply: 'Applied to the folder.',
  branch: 'Kept as a branch.',
  drop: 'Dropped.',
};

/** What a roaming turn has changed in its copy of the folder, and what becomes of it: a person decides, once. */
export function ChangesCard({ chatId, id }: { readonly chatId: string; readonly id: string }) {
  const [changes, setChanges] = useState<ChangesView | undefined>(undefined);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const address = path`/api/chats/${chatId}/changes/${id}`;
  const isDecided = changes !== undefined && changes.status !== 'open';
  // Somebody may decide in another tab: the chat is fetched again then, and so are its open changes.
  const chat = shownChat.state.value.data;
  useEffect(() => {
    if (isDecided) return;
    const gone = new AbortController();
    request<ChangesView>('GET', address, { signal: gone.signal }).then(setChanges, (thrown: unknown) => {
      if (!gone.signal.aborted) setError(errorOfThrown(thrown));
    });
    return () => gone.abort();
  }, [address, isDecided ? undefined : chat]);
  const decide = async (decision: Decision) => {
    if (decision === 'drop' && !(await confirmDrop())) return;
    setIsBusy(true);
    try {
      setChanges(await request<ChangesView>('POST', address, { body: { decision } }));
      setError(undefined);
      showToast(DONE[decision]);
    } catch (thrown) {
      setError(errorOfThrown(thrown));
    }
    setIsBusy(false);
  };
  if (changes === undefined)
    return error === undefined
      ? html`<p class="muted">Loading the changes…</p>`
      : html`<${ErrorNotice} error=${error} />`;
  return html`<section class="changes-card" aria-label="Changes of files">
    <${Files} changes=${changes} />
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${changes.status === 'open' && html`<${Decisions} decisions=${changes.decisions} isBusy=${isBusy} onDecide=${(decision: Decision) => void decide(decision)} />`}
  </section>`;
}

function Files({
  changes: { status, files, folder, diff, isCut, leftOut, branch },
}: {
  readonly changes: ChangesView;
}) {
  const [tone, label] = LABELS[status];
  return html`<details open=${status === 'open'}>
    <summary>
      <${Icon} name="chevron" className="turn" /><b>${files.length} ${files.length === 1 ? 'file' : 'files'} changed</b>
      <span class=${`chip ${tone}`}>${label}</span>
      ${branch !== undefined && html`<code><${Shown} text=${branch} /></code>`}
    </summary>
    <p class="muted">
      in <code><${Shown} text=${folder} /></code>
    </p>
    <ul class="files">
      ${files.map((file) => html`<${File} key=${file.path} file=${file} />`)}
    </ul>
    ${leftOut.length > 0 && html`<p class="muted">Left out: <${Shown} text=${leftOut.join(', ')} /></p>`}
    ${diff !== '' && html`<${Diff} text=${diff} label="What changes" />`}
    ${isCut && html`<p class="muted">The rest of the difference is too long to be shown.</p>`}
  </details>`;
}

function File({
  file: { path: name, status, isBinary, added, removed, link },
}: {
  readonly file: ChangesView['files'][number];
}) {
  return html`<li>
    <${Icon} name="file" /><span class="mono"><${Shown} text=${name} /></span>
    <span class="muted">
      ${status}${isBinary ? ', binary' : `, +${added} −${removed}`}${link !== undefined && html`, a link to <${Shown} text=${link} />`}
    </span>
  </li>`;
}

interface DecisionsProps {
  readonly decisions: readonly Decision[];
  readonly isBusy: boolean;
  readonly onDecide: (decision: Decision) => void;
}

function Decisions({ decisions, isBusy, onDecide }: DecisionsProps) {
  const can = (decision: Decision) => decisions.includes(decision);
  return html`<div class="row for-admin">
    ${can('apply') && html`<button ...${nearKeyed('P', 'Apply')} class="primary" disabled=${isBusy} onClick=${() => onDecide('apply')}><${Icon} name="check" />Apply</button>`}
    ${can('branch') && html`<button ...${nearKeyed('B', 'Keep as branch')} disabled=${isBusy} onClick=${() => onDecide('branch')}>Keep as branch</button>`}
    ${can('drop') && html`<button ...${nearKeyed('X', 'Drop')} class="danger" disabled=${isBusy} onClick=${() => onDecide('drop')}><${Icon} name="trash" />Drop</button>`}
  </div>`;
}

function confirmDrop(): Promise<boolean> {
  return confirm({
    title: 'Drop these changes?',
    text: 'All that the turn has changed in its copy of the folder is gone then.',
    action: 'Drop',
  });
}
