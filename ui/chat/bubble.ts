import { html } from 'htm/preact';
import type { ChatMessage, Participant } from '../http/api-types.ts';
import { person } from '../shell/person.ts';
import { hrefOf } from '../shell/route.ts';
import { copyText } from '../widget/copy.ts';
import { Icon } from '../widget/icon.ts';
import { attempt } from '../widget/toast.ts';
import { Age } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { ChangesCard } from './changes-card.ts';
import type { FindMention } from '../markdown/inline.ts';
import { Markdown } from '../markdown/markdown.ts';
import { openParticipant } from './participant-dialog.ts';
import { participants, speakNext } from './shown-chat.ts';
import { Avatar, Colored, colorStyle } from './who.ts';
import { nearKeyed } from '../shell/keys.ts';

interface Props {
  readonly chatId: string;
  readonly message: ChatMessage;
  readonly findMention: FindMention;
  /** Whether the message above is of the same author and minute: name and mark are not repeated. */
  readonly isMore: boolean;
}

/** One message in the colour of its author. */
export function Bubble({ chatId, message, findMention, isMore }: Props) {
  const { id, authorKind, authorId, authorDisplayName, text, meta, ts } = message;
  const isOwn = authorKind === 'user';
  const author = participants.value.get(authorId);
  const className = `message${isOwn ? ' own' : ''}${endOf(meta)}${isMore ? ' more-of' : ''}`;
  return html`<article id=${`message-${id}`} aria-labelledby=${`author-${id}`}>
    <${Colored} colorHex=${author?.colorHex} className=${className}>
      ${!isOwn && html`<${Avatar} name=${authorDisplayName} colorHex=${author?.colorHex} />`}
      <div class="bubble">
        <p class="author">
          <b id=${`author-${id}`}><${Shown} text=${isOwn && isMe(meta.userId) ? 'You' : authorDisplayName} /></b>
          <${Age} at=${ts} />
          <${Origin} meta=${meta} />
          <button
            ...${nearKeyed('c', 'Copy the text')}
            class="bare copy"
            aria-label=${visible(`Copy the message of ${authorDisplayName}`)}
            onClick=${() => copyText(text)}
          >
            <${Icon} name="copy" />
          </button>
        </p>
        ${
          meta.error === undefined
            ? html`<${Markdown} text=${text} findMention=${findMention} mention=${chipOf} />`
            : html`<${Failure} message=${message} author=${author} chatId=${chatId} />`
        }
        ${meta.changesId !== undefined && html`<${ChangesCard} chatId=${chatId} id=${meta.changesId} />`}
      </div>
    <//>
  </article>`;
}

/** Class of a turn without an answer. One that a person has cancelled is no failure. */
function endOf({ error }: ChatMessage['meta']): string {
  if (error === undefined) return '';
  return error.code === 'RUN_CANCELLED' ? ' cancelled' : ' failed';
}

/** Whether a message is of the person at this browser. */
function isMe(userId: string | undefined): boolean {
  const { data } = person.state.value;
  return userId === undefined || data === undefined || data.id === userId;
}

/** The round of a reply, and its run. */
function Origin({ meta: { tagSessionIndex, trigger, runId, provider } }: Pick<ChatMessage, 'meta'>) {
  const why = trigger === 'mention' && tagSessionIndex !== undefined ? `round ${tagSessionIndex}` : '';
  return html`${provider !== undefined && html`<span class="muted"><${Shown} text=${provider} /></span>`}
  ${why !== '' && html`<span class="muted" title="The round of mentions that this reply belongs to">${why}</span>`}
  ${runId !== undefined && html`<a class="run-link" href=${hrefOf('runs', runId)}>run</a>`}`;
}

/** Why a participant has no answer. The text is the server's, and mentions nobody. */
function Failure({
  message: { text, meta },
  author,
  chatId,
}: {
  readonly message: ChatMessage;
  readonly author: Participant | undefined;
  readonly chatId: string;
}) {
  return html`<div class="failure">
    <${Icon} name=${meta.error?.code === 'RUN_CANCELLED' ? 'stop' : 'alert'} />
    <div>
      <p><${Shown} text=${text} /></p>
      <div class="row">
        ${meta.error?.code !== 'RUN_CANCELLED' && html`<code>${meta.error?.code}</code>`}
        ${meta.error?.hint !== undefined && html`<span class="muted"><${Shown} text=${meta.error.hint} /></span>`}
        ${
          author !== undefined &&
          html`<button
            ...${nearKeyed('R', 'Ask again')}
            class="for-approver"
            onClick=${() => void attempt(() => speakNext(chatId, author.id))}
          >
            <${Icon} name="refresh" />Ask again
          </button>`
        }
      </div>
    </div>
  </div>`;
}

/** A mention that leads to the participant. */
function chipOf(participantId: string, text: string) {
  const participant = participants.value.get(participantId);
  if (participant === undefined) return html`<${Shown} text=${text} />`;
  const { displayName, colorHex } = participant;
  return html`<button
    class="mention who-color"
    style=${colorStyle(colorHex)}
    title=${visible(`About ${displayName}`)}
    onClick=${() => openParticipant(participantId)}
  >
    @<${Shown} text=${displayName} />
  </button>`;
}
