import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { config } from '../config/config.ts';
import { isPlaintext } from '../http/live.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf } from '../shell/route.ts';
import { copyText } from '../widget/copy.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { AccountCard } from './account-card.ts';
import { accountDocuments, connections } from './connections.ts';

/** The commands that make a key and encrypt the data at the next start. */
const ENCRYPT = String.raw`key=$(npx callsheet key make) && printf '\nVX_MAILAGENT_KEY=%s\n' "$key" >> .env`;

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
    ${isPlaintext.value && html`<${NotEncrypted} />`} ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
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

/** The running server cannot encrypt what it has open, so the page shows the commands. */
function NotEncrypted() {
  return html`<section class="notice wait encryption" aria-labelledby="encryption-title">
    <${Icon} name="shield" />
    <div>
      <h2 id="encryption-title">The stored mail, results and sign-ins are not encrypted</h2>
      <p>
        The key has to be known when the server starts: it encrypts the data folder at its next start. So make a key in
        the folder of Callsheet, and restart the server. Keep a copy of <code>.env</code> elsewhere: without the key
        nobody can read the data.
      </p>
      <p class="row command">
        <code>${ENCRYPT}</code>
        <button aria-keyshortcuts="c" title="Copy the command (c)" onClick=${() => copyText(ENCRYPT)}>
          <${Icon} name="copy" />Copy command
        </button>
      </p>
    </div>
  </section>`;
}
