import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { EncryptionState } from '../../engine/src/api/api.ts';
import { isPlaintext } from '../http/live.ts';
import { mayDo } from '../shell/person.ts';
import { copyText } from '../widget/copy.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';
import { encryption, encryptNow } from './encryption.ts';

/** The commands that make a key and encrypt the data at the next start. */
const ENCRYPT = String.raw`key=$(npx callsheet key make) && printf '\nVX_MAILAGENT_KEY=%s\n' "$key" >> .env`;
/** Time from an answer, or from a failure, until the page asks again whether the server is back, in milliseconds. */
const POLL_MS = 1000;

/** How the stored data are encrypted. In plain text: one button where a click can change that, else the reason and the command. */
export function EncryptionNotice() {
  const isAdmin = mayDo('admin');
  const state = encryption.state.value;
  const { data } = state;
  const isAway = data?.isUnderWay === true;
  useEffect(() => {
    if (isAdmin) encryption.reload('encryption');
  }, [isAdmin, isPlaintext.value]);
  useEffect(() => {
    if (!isAway) return;
    // Not in an interval: each question ends the one before it, and a slow answer would never arrive.
    const poll = setTimeout(encryption.refresh, POLL_MS);
    return () => clearTimeout(poll);
  }, [isAway, state]);
  if (!isAdmin || data === undefined) return isPlaintext.value ? html`<${Plain} />` : null;
  if (isAway) return html`<${UnderWay} envFile=${data.envFile} />`;
  return data.storage === 'encrypted' ? html`<${Encrypted} state=${data} />` : html`<${Plain} state=${data} />`;
}

function Encrypted({ state: { envFile } }: { state: EncryptionState }) {
  return html`<section class="notice ok encryption" role="status">
    <${Icon} name="shield" />
    <p>
      <b>Encrypted.</b> ${' '}
      ${
        envFile === null
          ? 'The key comes from the environment of the server.'
          : html`The key lies in <code>${envFile}</code>.`
      }
      ${' '}Keep a copy of it at another place: without the key nobody can read the data.
    </p>
  </section>`;
}

function UnderWay({ envFile }: { envFile: string | null }) {
  return html`<section class="notice wait encryption" role="status">
    <${Icon} name="clock" />
    <div>
      <h2>The server encrypts the stored data</h2>
      <p>It is away for some seconds, or for minutes with much mail. This page reconnects by itself.</p>
      <p>
        Should it not come back: its output says why. Start it again with <code>npx callsheet start</code>. Nothing is
        lost: the key lies in <code>${envFile}</code>, and the start goes on where the work ended.
      </p>
    </div>
  </section>`;
}

function Plain({ state }: { state?: EncryptionState }) {
  const { envFile = null, obstacle = null, failure = null } = state ?? {};
  const canBegin = state !== undefined && obstacle === null && envFile !== null;
  return html`<section class="notice wait encryption" aria-labelledby="encryption-title">
    <${Icon} name="shield" />
    <div>
      <h2 id="encryption-title">The stored mail, results and sign-ins are not encrypted</h2>
      ${
        failure !== null &&
        html`<${ErrorNotice} error=${failure}><p>Nothing was changed: no key was kept, and all data are there.</p><//>`
      }
      ${
        canBegin
          ? html`<p>
                One click makes a key in <code>${envFile}</code> and encrypts all data. The server restarts itself.
              </p>
              <p class="begin">
                <button
                  class="primary"
                  aria-keyshortcuts="E"
                  title="Encrypt now (E)"
                  onClick=${() => void encryptNow(envFile)}
                >
                  <${Icon} name="shield" />Encrypt now
                </button>
              </p>
              <details>
                <summary class="muted"><${Icon} name="chevron" className="turn" />By a command instead</summary>
                <${ByHand} />
              </details>`
          : html`${
                obstacle !== null &&
                html`<p>No click can encrypt here: <${Shown} text=${obstacle} />. A command can.</p>`
              } <${ByHand} />`
      }
    </div>
  </section>`;
}

function ByHand() {
  return html`<p>
      Make a key in the folder of Callsheet, and restart the server: it encrypts the data at its next start. Keep a copy
      of ${' '}<code>.env</code> elsewhere: without the key nobody can read the data.
    </p>
    <p class="row command">
      <code>${ENCRYPT}</code>
      <button aria-keyshortcuts="c" title="Copy the command (c)" onClick=${() => copyText(ENCRYPT)}>
        <${Icon} name="copy" />Copy command
      </button>
    </p>`;
}
