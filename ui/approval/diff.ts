import { html } from 'htm/preact';
import { Shown } from '../widget/visible.ts';

/** MIME type of a preview that is a unified diff. */
export const DIFF = 'text/x-diff';

/** A unified diff: what the call would change in a file. Lines that are added and removed have a sign and a colour. */
export function Diff({ text, isEdited }: { readonly text: string; readonly isEdited: boolean }) {
  const lines = text.replace(/\n$/, '').split('\n');
  return html`<section class="diff" aria-label="What changes in the file">
    ${isEdited && html`<p class="edited">This is the change before your edits.</p>`}
    <pre>
${lines.map((line, i) => html`<span key=${i} class=${classOf(line)}><${Shown} text=${line === '' ? ' ' : line} /></span>`)}</pre>
  </section>`;
}

function classOf(line: string): string {
  if (/^(\+\+\+|---) /.test(line)) return 'diff-file';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'at' : '';
}
