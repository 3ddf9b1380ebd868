import { html } from 'htm/preact';
import { Shown } from '../widget/visible.ts';

/** A row of a preview: a name and its values, separated by commas. Nothing for no values. */
export function Row({ name, values }: { readonly name: string; readonly values: readonly string[] }) {
  if (values.length === 0) return null;
  return html`<dt>${name}</dt>
    <dd>${values.map((text, i) => html`${i > 0 && ', '}<${Shown} key=${i} text=${text} />`)}</dd>`;
}
