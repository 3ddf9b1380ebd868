import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { DocumentState } from '../../engine/src/config/config.ts';
import { errorOfThrown, request } from '../http/request.ts';
import { Marks } from '../widget/visible.ts';
import type { ShownDocument } from './documents.ts';

/** The document with all defaults, as YAML. References to secrets stay references. */
export function Effective({ shown, state }: { readonly shown: ShownDocument; readonly state: DocumentState['state'] }) {
  const [text, setText] = useState('');
  useEffect(() => {
    const gone = new AbortController();
    request<{ readonly text: string }>('POST', '/api/config/yaml', {
      body: { value: shown.effective },
      signal: gone.signal,
    }).then(
      (answer) => setText(answer.text),
      (thrown: unknown) => !gone.signal.aborted && setText(errorOfThrown(thrown).message),
    );
    return () => gone.abort();
  }, [shown]);
  return html`<p class="muted">
      ${
        state === 'invalid'
          ? 'No version of this file runs.'
          : state === 'stale'
            ? 'The file has errors. These are the values of the version that runs, with defaults.'
            : 'The values that run: the file, with the defaults of all other keys. Keys and passwords stand nowhere in a file.'
      }
    </p>
    <pre class="effective" tabindex="0" aria-label="Effective values"><${Marks} text=${text} /></pre>`;
}
