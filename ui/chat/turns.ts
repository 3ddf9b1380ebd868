import { html } from 'htm/preact';
import { WaitingCards, waitingOf } from '../approval/waiting-cards.ts';
import type { Chat } from '../http/api-types.ts';
import { liveTextOf } from '../run/live-answer.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { attempt } from '../widget/toast.ts';
import { Shown, visible } from '../widget/visible.ts';
import { Markdown } from '../markdown/markdown.ts';
import { cancelTurns, participants } from './shown-chat.ts';
import { isSpeaking, type Speaker, TURN_LABELS } from './speakers.ts';
import { Avatar, Colored } from './who.ts';
import { nearKeyed } from '../shell/keys.ts';

/** Who speaks in the round that goes on: the text as it is written, what waits for the person, and a way to end each turn. */
export function Turns({ chat }: { readonly chat: Chat }) {
  const { round } = chat;
  if (round === undefined) return null;
  return html`<section class="speaking-now" aria-label="Who is speaking">
    ${round.participants.map((speaker) => html`<${Turn} key=${speaker.runId ?? speaker.participantId} chatId=${chat.id} speaker=${speaker} />`)}
  </section>`;
}

function Turn({ chatId, speaker }: { readonly chatId: string; readonly speaker: Speaker }) {
  const { participantId, runId, status } = speaker;
  const participant = participants.value.get(participantId);
  const name = participant?.displayName ?? participantId;
  const text = runId === undefined ? '' : liveTextOf(runId);
  const waiting = waitingOf(runId);
  const isBusy = isSpeaking(speaker);
  return html`<${Colored} colorHex=${participant?.colorHex} className=${`message speaking ${status}`}>
    <${Avatar} name=${name} colorHex=${participant?.colorHex} />
    <div class="bubble" data-part>
      <p class="author">
        <b><${Shown} text=${name} /></b>
        <span class="muted">${waiting.length > 0 ? 'waits for your decision' : TURN_LABELS[status]}</span>
        ${status === 'running' && waiting.length === 0 && html`<span class="typing" aria-hidden="true"><i></i><i></i><i></i></span>`}
        ${runId !== undefined && html`<a class="run-link" href=${hrefOf('runs', runId)}>run</a>`}
        ${
          isBusy &&
          html`<button
            ...${nearKeyed('X', 'Cancel this turn')}
            class="bare danger for-approver"
            aria-label=${visible(`Cancel the turn of ${name}`)}
            onClick=${() => void attempt(() => cancelTurns(chatId, participantId))}
          >
            <${Icon} name="stop" />Cancel
          </button>`
        }
      </p>
      ${text !== '' && html`<div aria-busy=${status === 'running' ? 'true' : 'false'}><${Markdown} text=${text} /></div>`}
      <${WaitingCards} runId=${runId} />
    </div>
  <//>`;
}
