import { html } from 'htm/preact';
import { Shown } from '../widget/visible.ts';
import { heldReplies, sendReply, undoReply } from './held.ts';
import { keyed } from '../shell/keys.ts';

/** The newest reply that can still be taken back, at the bottom of the page. */
export function ReplyBar() {
  const newest = heldReplies.value.at(-1);
  return html`<div class="toasts held" role="status" aria-live="polite">
    ${
      newest !== undefined &&
      html`<p key=${newest.key} class="toast">
        <span>The reply to “<${Shown} text=${newest.mail.subject || '(no subject)'} />” is sent in ten seconds.</span>
        <button ...${keyed('Z', 'Send now')} class="bare" onClick=${() => void sendReply(newest.key)}>Send now</button>
        <button class="bare" title="Take the reply back (z)" onClick=${() => undoReply(newest.key)}>
          Undo<kbd>z</kbd>
        </button>
      </p>`
    }
  </div>`;
}
