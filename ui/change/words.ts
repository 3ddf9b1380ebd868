import { html } from 'htm/preact';
import type { WordChange } from '../http/api-types.ts';
import { Shown } from '../widget/visible.ts';

const SIDES = [
  ['Before', 'removed'],
  ['After', 'added'],
] as const;

/** Both versions of a text next to each other, with the words that differ marked. */
export function Words({ words }: { readonly words: readonly WordChange[] }) {
  return html`<div class="compare-sides words">
    ${SIDES.map(
      ([title, own]) =>
        html`<div key=${own} role="group" aria-label=${title}>
          <h3>${title}</h3>
          <pre tabindex="0">
${words.map(({ text, state }, i) => (state === 'same' ? html`<${Shown} key=${i} text=${text} />` : state === own && html`<${own === 'added' ? 'ins' : 'del'} key=${i}><${Shown} text=${text} /><//>`))}</pre>
        </div>`,
    )}
  </div>`;
}
