import { html } from 'htm/preact';
import { useKeys } from '../shell/keys.ts';
import { Shown } from '../widget/visible.ts';
import { heldReplies, sendReply, undoReply } from './held.ts';

/** The newest reply that can still be taken back, at the bottom of the page. `z` takes it back. */
export function ReplyBar() {
  const newest = heldReplies.value.at(-1);
  return html`<div class="toasts held" role="status" aria-live="polite">
    ${
      newest !== undefined &&
      html`<${Undo} />
        <p key=${newest.key} class="toast">
          <span>The reply to “<${Shown} text=${newest.mail.subject || '(no subject)'} />” is sent in ten seconds.</span>
          <button class="bare" onClick=${() => void sendReply(newest.key)}>Send now</button>
          <button class="bare" title="Take the reply back (z)" onClick=${undoReply}>Undo<kbd>z</kbd></button>
        </p>`
    }
  </div>`;
}

function Undo() {
  useKeys({ z: undoReply });
  return null;
}
