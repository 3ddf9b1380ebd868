import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { config } from '../config/config.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { AccountCard } from './account-card.ts';
import { accountDocuments, connections } from './connections.ts';
import { EncryptionNotice } from './encryption-notice.ts';

/** The mailboxes: their sign-in, a test, their signature; and how the stored data is encrypted. */
export function AccountsScreen() {
  const revision = config.state.value.data?.revision;
  useEffect(() => accountDocuments.reload('accounts'), [revision]);
  useKeys({ r: connections.refresh });
  const { data, error } = connections.state.value;
  const documents = accountDocuments.state.value.data ?? [];
  const items = data?.items ?? [];
  return html`<div class="page accounts">
    <div class="tasks-head">
      <h1>Accounts</h1>
      <button
        class="primary for-admin"
        aria-keyshortcuts="n"
        title="Add account (n)"
        onClick=${() => go('config', ['new', 'account'])}
      >
        <${Icon} name="plus" />Add account
      </button>
    </div>
    <${EncryptionNotice} />
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${
      data !== undefined &&
      items.length === 0 &&
      html`<${Empty} icon="mail" title="No accounts yet.">
        <p>Add a folder of mails, an IMAP mailbox, Gmail or Outlook.</p>
      <//>`
    }
    <ul class="account-cards">
      ${items.map(
        (item) =>
          html`<${AccountCard}
            key=${item.accountId}
            item=${item}
            document=${documents.find(({ id }) => id === item.accountId)}
          />`,
      )}
    </ul>
    <p class="muted text-links">
      An account is a file: <a href=${hrefOf('config')}>Config</a> has the form with all its settings.
    </p>
  </div>`;
}
