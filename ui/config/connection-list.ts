import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { withKey } from '../http/page-key.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import type { Connection, ProbeResult } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';
import { CONNECTION_LABELS, connections } from './connections.ts';

/** The accounts, each with its connection state, a link to sign in, and a button that tests it. */
export function ConnectionList() {
  const items = connections.state.value.data?.items ?? [];
  if (items.length === 0) return null;
  return html`<section class="connections">
    <h2 class="section">Accounts</h2>
    <ul>
      ${items.map((item) => html`<${ConnectionLine} key=${item.accountId} item=${item} />`)}
    </ul>
  </section>`;
}

function ConnectionLine({ item }: { item: Connection }) {
  const { accountId, email, state, problem, connect } = item;
  const [tested, setTested] = useState<ProbeResult | 'running' | undefined>(undefined);
  const { tone, icon, label } = CONNECTION_LABELS[state];
  const verb = state === 'not_connected' ? 'Connect' : 'Reconnect';
  const test = async () => {
    setTested('running');
    setTested(await probe(accountId));
    connections.refresh();
  };
  return html`<li>
    <div>
      <p>
        <b>${accountId}</b> <span class="muted">${email}</span>${' '}
        <span class=${`chip ${tone}`}><${Icon} name=${icon} />${label}</span>
      </p>
      ${problem !== undefined && html`<p class="muted"><${Shown} text=${problem.message} /></p>`}
      ${state === 'client_missing' && problem?.hint !== undefined && html`<p class="muted">${problem.hint}</p>`}
      <div role="status">${tested !== undefined && html`<${TestResult} tested=${tested} />`}</div>
    </div>
    <div class="row">
      <button
        class="for-admin"
        aria-label=${`Test ${accountId}`}
        disabled=${tested === 'running'}
        onClick=${() => void test()}
      >
        Test
      </button>
      ${
        connect !== undefined &&
        state !== 'client_missing' &&
        html`<a
          class="for-admin"
          href=${withKey(connect)}
          target="_blank"
          rel="noopener"
          aria-label=${`${verb} ${accountId}`}
        >
          ${verb}<${Icon} name="open" />
        </a>`
      }
    </div>
  </li>`;
}

function TestResult({ tested }: { tested: ProbeResult | 'running' }) {
  if (tested === 'running') return html`<p class="muted">Testing…</p>`;
  return tested.ok ? html`<p>The account works.</p>` : html`<${ErrorNotice} error=${tested.problem} />`;
}

/** Requests a test of the account. A failed request is a failed test. */
async function probe(accountId: string): Promise<ProbeResult> {
  try {
    return await request<ProbeResult>('GET', path`/api/accounts/${accountId}/test`);
  } catch (thrown) {
    return { ok: false, error: 'other', problem: errorOfThrown(thrown) };
  }
}
