import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { RegexTrial } from '../../../engine/src/filter/filter.ts';
import { errorOfThrown, request } from '../../http/request.ts';
import { Icon } from '../../widget/icon.ts';
import { Shown } from '../../widget/visible.ts';

/** Time without a change before the pattern is tried, in milliseconds. */
const PAUSE_MS = 300;

const EXAMPLES: readonly (readonly [regex: string, meaning: string])[] = [
  ['(?i)urgent', '“urgent” anywhere, in capitals or not'],
  ['@domain\\.com', 'an address of domain.com; \\. is a dot'],
  ['client.*@domain\\.com', '“client”, then anything, then @domain.com'],
  ['^Invoice', 'begins with “Invoice”'],
  ['paid$', 'ends with “paid”'],
  ['\\b(asap|today)\\b', 'one of two whole words'],
];

/** Tries a pattern on a text, by the engine that the filters use, and shows what patterns mean. */
export function RegexTry({ regex }: { readonly regex: string }) {
  const [text, setText] = useState('');
  const [trial, setTrial] = useState<RegexTrial | undefined>(undefined);
  useEffect(() => {
    setTrial(undefined);
    if (regex === '') return undefined;
    const gone = new AbortController();
    const ask = () =>
      request<RegexTrial>('POST', '/api/config/regex', { body: { regex, text }, signal: gone.signal }).then(
        setTrial,
        (thrown: unknown) => !gone.signal.aborted && setTrial({ problem: errorOfThrown(thrown).message }),
      );
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [regex, text]);
  return html`<div class="regex-try">
    <label
      >Try the pattern on a text
      <input
        value=${text}
        onInput=${(event: Event) => event.target instanceof HTMLInputElement && setText(event.target.value)}
      />
    </label>
    <p role="status">
      ${trial !== undefined && (trial.problem !== undefined || text !== '') && html`<${Verdict} trial=${trial} />`}
    </p>
    <details>
      <summary>Examples of patterns</summary>
      <dl>
        ${EXAMPLES.map(
          ([pattern, meaning]) =>
            html`<div key=${pattern}>
              <dt><code>${pattern}</code></dt>
              <dd>${meaning}</dd>
            </div>`,
        )}
      </dl>
      <p>
        <a href="https://github.com/google/re2/wiki/Syntax" target="_blank" rel="noopener noreferrer"
          >The whole syntax (RE2)<${Icon} name="open"
        /></a>
      </p>
    </details>
  </div>`;
}

function Verdict({ trial }: { readonly trial: RegexTrial }) {
  if (trial.problem !== undefined) return html`<span class="bad-text"><${Shown} text=${trial.problem} /></span>`;
  return trial.matched
    ? html`<span class="ok-text"><${Icon} name="check" /> It matches.</span>`
    : html`<span class="muted"><${Icon} name="cross" /> It does not match.</span>`;
}
