import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import { isPlaintext } from '../../http/live.ts';
import { errorOfThrown, path, request } from '../../http/request.ts';
import { useLatest } from '../../widget/latest.ts';
import { ErrorNotice } from '../../widget/notice.ts';
import { showToast } from '../../widget/toast.ts';
import { secretNames } from '../documents.ts';
import { nearKeyed } from '../../shell/keys.ts';

/** Stores a key or password under a name; the document then names it. The value is never shown again. */
export function SecretStore({ onStored }: { readonly onStored: (name: string) => void }) {
  const latest = useLatest(onStored);
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [isAllowed, setAllowed] = useState(false);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const plaintext = isPlaintext.value;
  const store = async () => {
    try {
      const body = { value, ...(plaintext && isAllowed && { plaintext: true }) };
      await request('PUT', path`/api/secrets/${name}`, { body });
    } catch (thrown) {
      setError(errorOfThrown(thrown));
      return;
    }
    setError(undefined);
    setValue((now) => (now === value ? '' : now));
    secretNames.reload('all');
    latest.current(name);
    showToast(`${name} is stored. Save the form to use it.`);
  };
  const read = (set: (text: string) => void) => (event: Event) =>
    event.target instanceof HTMLInputElement && set(event.target.value);
  return html`<details class="secret-store">
    <summary>Store a key or password</summary>
    <div class="secret-fields">
      <label
        >Name <input value=${name} placeholder="OPENAI_API_KEY" autocomplete="off" onInput=${read(setName)}
      /></label>
      <label
        >Value <input type="password" value=${value} autocomplete="new-password" onInput=${read(setValue)}
      /></label>
      ${
        plaintext &&
        html`<label class="check"
          ><input
            type="checkbox"
            checked=${isAllowed}
            onChange=${(event: Event) => setAllowed(event.target instanceof HTMLInputElement && event.target.checked)}
          />
          Store it unencrypted: this Callsheet has no encryption key
        </label>`
      }
      <button
        ...${nearKeyed('S', 'Store')}
        type="button"
        disabled=${name === '' || value === '' || (plaintext && !isAllowed)}
        onClick=${() => void store()}
      >
        Store ${name}
      </button>
    </div>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
  </details>`;
}
