import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { Diff } from '../approval/diff.ts';
import type { LearnProposal } from '../http/api-types.ts';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { nearKeyed, useKeys } from '../shell/keys.ts';
import { mayDo } from '../shell/person.ts';
import { confirm } from '../widget/confirm.ts';
import { copyText } from '../widget/copy.ts';
import { Icon } from '../widget/icon.ts';
import { attempt, showToast } from '../widget/toast.ts';
import { Age } from '../widget/time.ts';

const proposals = createResource((_all, signal) =>
  request<{ readonly items: readonly LearnProposal[] }>('GET', '/api/learn/proposals', { signal }),
);

/** What `callsheet learn` proposes to change in prompts and memories, as differences; nothing where there is no proposal. */
export function Proposals() {
  const isAdmin = mayDo('admin');
  useEffect(() => {
    if (isAdmin) proposals.reload('all');
  }, [isAdmin]);
  const { items = [] } = proposals.state.value.data ?? {};
  if (!isAdmin || items.length === 0) return null;
  return html`<section class="proposals" aria-label="Proposals">
    <h2 class="section">Proposed from your edits</h2>
    ${items.map((one, i) => html`<${Proposal} key=${one.id} proposal=${one} isFirst=${i === 0} />`)}
  </section>`;
}

/** The keys act on the first one. */
function Proposal({ proposal: { id, at, patch }, isFirst }: { proposal: LearnProposal; isFirst: boolean }) {
  const command = `callsheet learn --apply ${id}`;
  const accept = async () => {
    const text = 'Its files are changed as shown, after all checks of the config.';
    if (!(await confirm({ title: 'Accept this proposal?', text, action: 'Accept', isSafe: true }))) return;
    await attempt(async () => {
      const { applied } = await request<{ readonly applied: readonly string[] }>(
        'POST',
        path`/api/learn/proposals/${id}/accept`,
        { body: { at } },
      );
      showToast(`Changed: ${applied.join(', ')}`);
    });
    proposals.refresh();
  };
  const reject = async () => {
    const text = 'Its patch is deleted. The files stay as they are.';
    if (!(await confirm({ title: 'Reject this proposal?', text, action: 'Reject' }))) return;
    await attempt(async () => void (await request('DELETE', path`/api/learn/proposals/${id}`)));
    proposals.refresh();
  };
  useKeys(isFirst ? { X: () => void reject(), ...(patch !== undefined && { A: () => void accept() }) } : {});
  return html`<article class="proposal">
    <div class="row">
      <span class="muted grow">
        ${patch === undefined ? html`To accept: <code>${command}</code>` : html`Proposal <code>${id}</code>`}
      </span>
      <${Age} at=${at} />
      ${
        patch === undefined
          ? html`<button ...${nearKeyed('c', 'Copy command')} onClick=${() => copyText(command)}>
              <${Icon} name="copy" />Copy command
            </button>`
          : html`<button class="primary" title=${isFirst ? 'Accept (A)' : 'Accept'} onClick=${() => void accept()}>
              <${Icon} name="check" />Accept
            </button>`
      }
      <button class="danger" title=${isFirst ? 'Reject (X)' : 'Reject'} onClick=${() => void reject()}>
        <${Icon} name="cross" />Reject
      </button>
    </div>
    ${
      patch === undefined
        ? html`<p class="muted">The patch is too long to be shown.</p>`
        : html`<${Diff} text=${patch.slice(Math.max(0, patch.search(/^--- /m)))} label="What it would change" />`
    }
  </article>`;
}
