import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Chat, Participant } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { attempt } from '../widget/toast.ts';
import { Shown } from '../widget/visible.ts';
import { insertIntoComposer } from './drafts.ts';
import { mentionOf } from './mentions.ts';
import { speakNext } from './shown-chat.ts';
import { isSpeaking, speakersOf } from './speakers.ts';
import { Avatar, kindOf } from './who.ts';
import { keyed } from '../shell/keys.ts';

const openId = signal<string | undefined>(undefined);

/** Opens what there is to know about a participant of the open chat, and what can be done with it. */
export function openParticipant(id: string): void {
  openId.value = id;
}

/** The dialog of `openParticipant`; it is on the page once. */
export function ParticipantDialog({ chat }: { readonly chat: Chat }) {
  const participant = chat.participants.find(({ id }) => id === openId.value);
  if (participant === undefined) return null;
  return html`<${Open} key=${participant.id} chat=${chat} participant=${participant} />`;
}

function Open({ chat, participant }: { readonly chat: Chat; readonly participant: Participant }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { id, displayName, handle, colorHex, persona, roaming } = participant;
  const close = () => dialog.current?.close();
  const mention = () => {
    close();
    // The dialog gives the focus back first.
    requestAnimationFrame(() => insertIntoComposer(mentionOf(participant, chat.participants)));
  };
  const speak = () => {
    close();
    void attempt(() => speakNext(chat.id, id));
  };
  return html`<dialog
    ref=${dialog}
    class="participant"
    aria-labelledby="participant-title"
    onClose=${() => (openId.value = undefined)}
  >
    <div class="identity">
      <${Avatar} name=${displayName} colorHex=${colorHex} />
      <div>
        <h2 id="participant-title"><${Shown} text=${displayName} /></h2>
        <p class="muted">@<${Shown} text=${handle} /> · <${Shown} text=${kindOf(participant)} /></p>
      </div>
    </div>
    ${persona === '' ? html`<p class="muted">No persona.</p>` : html`<p class="persona"><${Shown} text=${persona} /></p>`}
    ${roaming.enabled && html`<${Roams} participant=${participant} />`}
    <div class="row end">
      <a class="for-admin push" href=${hrefOf('chats', chat.id, 'edit')} onClick=${close}>Edit</a>
      <button
        ...${keyed('S', 'Speak next')}
        class="for-approver"
        disabled=${isSpeaking(speakersOf(chat).get(id))}
        onClick=${speak}
      >
        Speak next
      </button>
      <button ...${keyed('M', 'Mention')} class="primary for-approver" onClick=${mention}>Mention</button>
      <button ...${keyed('Escape', 'Close')} onClick=${close}>Close</button>
    </div>
  </dialog>`;
}

function Roams({ participant: { roaming } }: { readonly participant: Participant }) {
  const { workspaceDir = '', mode, confirmedAt } = roaming;
  return html`<p class="notice warn">
    <${Icon} name="folder" />
    <span>
      ${
        confirmedAt === undefined
          ? 'Roaming is set up but not confirmed, so it does not roam: '
          : mode === 'yolo'
            ? 'Roams and runs any command in '
            : 'Roams in '
      }<code><${Shown} text=${workspaceDir} /></code>
    </span>
  </p>`;
}
