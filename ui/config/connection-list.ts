import { html } from 'htm/preact';
import type { Connection } from '../http/shapes.ts';
import { Icon } from '../widget/icon.ts';
import { CONNECTION_WORDS, connections } from './connections.ts';

/** The accounts that somebody signs in to, each with its state and the way to sign in; nothing where there are none. */
export function ConnectionList() {
  const items = (connections.state.value.data?.items ?? []).filter(({ connect }) => connect !== undefined);
  if (items.length === 0) return null;
  return html`<section class="connections">
    <h2>Accounts</h2>
    <ul>
      ${items.map((item) => html`<${ConnectionLine} key=${item.accountId} item=${item} />`)}
    </ul>
  </section>`;
}

function ConnectionLine({ item }: { item: Connection }) {
  const { accountId, email, state, problem, connect } = item;
  const { tone, icon, word } = CONNECTION_WORDS[state];
  const verb = state === 'not_connected' ? 'Connect' : 'Reconnect';
  return html`<li>
    <div>
      <p>
        <b>${accountId}</b> <span class="muted">${email}</span>${' '}
        <span class=${`chip ${tone}`}><${Icon} name=${icon} />${word}</span>
      </p>
      ${problem !== undefined && html`<p class="muted">${problem.message}</p>`}
      ${state === 'client_missing' && problem?.hint !== undefined && html`<p class="muted">${problem.hint}</p>`}
    </div>
    ${
      state !== 'client_missing' &&
      html`<a href=${connect} target="_blank" rel="noopener" aria-label=${`${verb} ${accountId}`}>
        ${verb}<${Icon} name="open" />
      </a>`
    }
  </li>`;
}
