import { html } from 'htm/preact';
import type { Chat } from '../http/api-types.ts';
import { go, hrefOf } from '../shell/route.ts';
import { Choice } from '../widget/choice.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { chats, loadChats, showsArchived } from './chats.ts';
import { hasNews } from './seen.ts';
import { Avatar } from './who.ts';

const VIEWS = [
  ['open', 'Open'],
  ['archived', 'Archived'],
] as const;

/** Marks of participants in one row of the list. */
const MAX_MARKS = 5;

/** The list of chats, newest first, with a button that begins one. */
export function ChatList({ selectedId }: { readonly selectedId: string | undefined }) {
  const items = chats.items.value;
  const error = chats.error.value;
  const choose = (view: (typeof VIEWS)[number][0]) => {
    showsArchived.value = view === 'archived';
    void loadChats();
  };
  return html`${selectedId === undefined && html`<h1 class="sr">Chats</h1>`}
    <div class="list-head chats">
      <button
        class="primary for-admin"
        aria-keyshortcuts="n"
        title="New chat (n)"
        onClick=${() => go('chats', ['new'])}
      >
        <${Icon} name="plus" />New chat
      </button>
      <${Choice}
        label="Which chats"
        nextKey="V"
        options=${VIEWS}
        value=${showsArchived.value ? 'archived' : 'open'}
        onChoose=${choose}
      />
    </div>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    <div class="scroll">
      ${items.length === 0 && error === undefined && html`<${Empty} icon="chat" title=${showsArchived.value ? 'No archived chats.' : 'No chats yet.'} />`}
      <nav class="chat-list" aria-label="Chats">
        ${items.map((chat) => html`<${Entry} key=${chat.id} chat=${chat} isSelected=${chat.id === selectedId} />`)}
      </nav>
      ${chats.nextCursor.value !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void loadChats({ more: true })}>Load more</button></div>`}
    </div>`;
}

function Entry({ chat, isSelected }: { readonly chat: Chat; readonly isSelected: boolean }) {
  const { id, title, participants, updatedAt, isSpeaking = false } = chat;
  const isNew = !isSelected && hasNews(chat);
  return html`<a
    class=${`tree-row chat-row${isNew ? ' news' : ''}`}
    href=${hrefOf('chats', id)}
    aria-current=${isSelected ? 'true' : undefined}
  >
    <div class="mail-line">
      <div class="line">
        <span class="from"><${Shown} text=${title} /></span>${isNew && html`<span class="sr">new</span>`}<${Age}
          at=${updatedAt}
        />
      </div>
      <div class="line">
        <span class="marks-row">
          ${participants.slice(0, MAX_MARKS).map((each) => html`<${Avatar} key=${each.id} name=${each.displayName} colorHex=${each.colorHex} />`)}
        </span>
        <span class="snippet"
          ><${Shown} text=${participants.map(({ displayName }) => displayName).join(', ') || 'no participants'}
        /></span>
        ${isSpeaking && html`<span class="typing" role="img" aria-label="somebody speaks" title="somebody speaks"><i></i><i></i><i></i></span>`}
      </div>
    </div>
  </a>`;
}
