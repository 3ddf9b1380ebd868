import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Connection, ProbeResult } from '../http/api-types.ts';
import { withKey } from '../http/page-key.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { hrefOf } from '../shell/route.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { attempt, showToast } from '../widget/toast.ts';
import { Shown } from '../widget/visible.ts';
import { type AccountDocument, CONNECTION_LABELS, connections } from './connections.ts';
import { Signature } from './signature.ts';
import { nearKeyed } from '../shell/keys.ts';

interface Props {
  readonly item: Connection;
  /** The file of the account; undefined while it loads. */
  readonly document: AccountDocument | undefined;
}

/** One account: its connection state, the sign-in, a test, and its signature. */
export function AccountCard({ item, document }: Props) {
  const { accountId, provider, email, state, problem, connect } = item;
  const [tested, setTested] = useState<ProbeResult | 'running' | undefined>(undefined);
  const { tone, icon, label } = CONNECTION_LABELS[state];
  const verb = state === 'not_connected' ? 'Connect' : 'Reconnect';
  const test = async () => {
    setTested('running');
    setTested(await probe(accountId));
    connections.refresh();
  };
  const hasTokens =
    connect !== undefined && (state === 'connected' || state === 'scope_missing' || state === 'grant_lost');
  return html`<li class="account-card">
    <header>
      <div>
        <h2>${accountId}</h2>
        <p class="muted"><${Shown} text=${email} /> · ${provider}</p>
      </div>
      <span class=${`chip ${tone}`}><${Icon} name=${icon} />${label}</span>
    </header>
    ${problem !== undefined && html`<p><${Shown} text=${problem.message} /></p>`}
    ${state === 'client_missing' && problem?.hint !== undefined && html`<p class="muted">${problem.hint}</p>`}
    <div class="row">
      ${
        connect !== undefined &&
        state !== 'client_missing' &&
        html`<a
          class="button for-admin"
          href=${withKey(connect)}
          target="_blank"
          rel="noopener"
          aria-label=${`${verb} ${accountId}`}
        >
          ${verb}<${Icon} name="open" />
        </a>`
      }
      <button
        ...${nearKeyed('T', 'Test')}
        class="for-admin"
        aria-label=${`Test ${accountId}`}
        disabled=${tested === 'running'}
        onClick=${() => void test()}
      >
        Test
      </button>
      ${
        hasTokens &&
        html`<button
          ...${nearKeyed('X', 'Disconnect')}
          class="for-admin"
          aria-label=${`Disconnect ${accountId}`}
          onClick=${() => void disconnect(accountId)}
        >
          Disconnect
        </button>`
      }
      ${document !== undefined && html`<a class="button" href=${hrefOf('config', document.file)} aria-label=${`Settings of ${accountId}`}>Settings</a>`}
    </div>
    <div role="status">${tested !== undefined && html`<${TestResult} tested=${tested} />`}</div>
    ${document !== undefined && html`<${Signature} key=${document.fileHash} document=${document} provider=${provider} />`}
  </li>`;
}

function TestResult({ tested }: { tested: ProbeResult | 'running' }) {
  if (tested === 'running') return html`<p class="muted">Testing…</p>`;
  return tested.ok
    ? html`<p class="ok-text"><${Icon} name="check" /> The account works.</p>`
    : html`<${ErrorNotice} error=${tested.problem} />`;
}

/** Requests a test of the account. A failed request is a failed test. */
async function probe(accountId: string): Promise<ProbeResult> {
  try {
    return await request<ProbeResult>('GET', path`/api/accounts/${accountId}/test`);
  } catch (thrown) {
    return { ok: false, error: 'other', problem: errorOfThrown(thrown) };
  }
}

async function disconnect(accountId: string): Promise<void> {
  const isSure = await confirm({
    title: `Disconnect ${accountId}?`,
    text: 'Its sign-in is deleted here and revoked at the provider. Mail that was fetched stays.',
    action: 'Disconnect',
  });
  if (!isSure) return;
  await attempt(async () => {
    await request('DELETE', path`/api/connections/${accountId}`);
    showToast(`${accountId} is disconnected.`);
  });
  connections.refresh();
}
