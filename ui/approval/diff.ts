import { html } from 'htm/preact';
import { Shown } from '../widget/visible.ts';

/** A unified diff. Lines that are added and removed have a sign and a colour. */
export function Diff({ text, label = 'What changes in the file' }: { readonly text: string; readonly label?: string }) {
  const lines = text.replace(/\n$/, '').split('\n');
  return html`<section class="diff" role="group" aria-label=${label}>
    <pre tabindex="0">
${lines.map((line, i) => html`<span key=${i} class=${classOf(line)}><${Shown} text=${line === '' ? ' ' : line} /></span>`)}</pre>
  </section>`;
}

function classOf(line: string): string {
  if (/^(\+\+\+|---) /.test(line)) return 'diff-file';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'at' : '';
}
