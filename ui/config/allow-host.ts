import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../../engine/src/config/config.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { confirm } from '../widget/confirm.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { config } from './config.ts';
import { nearKeyed } from '../shell/keys.ts';

/** Allows the host that waits for a person; the document that names it runs at once. */
export function AllowHost({ secretHost }: { secretHost: NonNullable<Problem['secretHost']> }) {
  const { name, host } = secretHost;
  const [state, setState] = useState<'running' | ReturnType<typeof errorOfThrown> | undefined>(undefined);
  const allow = async () => {
    const text = 'Whoever runs that host can use the stored value from then on.';
    if (!(await confirm({ title: `Send ${name} to ${host}?`, text, action: 'Send it' }))) return;
    setState('running');
    try {
      await request('POST', path`/api/secrets/${name}/hosts`, { body: { host } });
      setState(undefined);
    } catch (error) {
      setState(errorOfThrown(error));
    }
    config.refresh();
  };
  return html`<p data-part>
      <button
        ...${nearKeyed('H', 'Send the key there')}
        class="for-admin"
        disabled=${state === 'running'}
        onClick=${() => void allow()}
      >
        Send ${name} to ${host}
      </button>
    </p>
    ${typeof state === 'object' && html`<${ErrorNotice} error=${state} />`}`;
}
