import { html } from 'htm/preact';
import { Shown } from '../widget/visible.ts';
import { held, undoNewest } from './held.ts';

/** The newest decision that can still be taken back, at the bottom of the page. */
export function HeldBar() {
  const newest = held.value.at(-1);
  return html`<div class="toasts held" role="status" aria-live="polite">
    ${
      newest !== undefined &&
      html`<p key=${newest.approval.id} class="toast">
        <span>
          ${newest.decision.decision === 'deny' ? 'Denied' : 'Allowed'}:
          <${Shown} text=${newest.approval.title.action} />
          ${held.value.length > 1 && ` and ${held.value.length - 1} more`}. It is sent in five seconds.
        </span>
        <button class="bare" title="Take the decision back (z)" onClick=${undoNewest}>Undo<kbd>z</kbd></button>
      </p>`
    }
  </div>`;
}
