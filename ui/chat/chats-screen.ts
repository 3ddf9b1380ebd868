import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { AlwaysDialog } from '../approval/always-dialog.ts';
import { useKeys } from '../shell/keys.ts';
import { mayDo } from '../shell/person.ts';
import { go, route } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { ChatHead } from './chat-head.ts';
import { ChatList } from './chat-list.ts';
import { chats, loadChats, refreshChats } from './chats.ts';
import { Composer } from './composer.ts';
import { EditChat } from './form/edit-chat.ts';
import { NewChatForm } from './form/new-chat.ts';
import { ParticipantDialog } from './participant-dialog.ts';
import { watchSeen } from './seen.ts';
import { closeChat, showChat, shownChat } from './shown-chat.ts';
import { Timeline } from './timeline.ts';

/** Words of the address that are no ids: `#/chats/new`, `#/chats/<id>/edit`. */
const NEW = 'new';
const EDIT = 'edit';

/** The list of chats on the left; on the right the open one, its form, or the form of a new one. */
export function ChatsScreen() {
  const [id, part] = route.value.ids;
  useEffect(() => void loadChats({ open: true }), []);
  useEffect(watchSeen, []);
  const move = (step: number) => {
    const items = chats.items.value;
    const from = items.findIndex((chat) => chat.id === id);
    const next = items[from < 0 ? 0 : Math.min(items.length - 1, Math.max(0, from + step))];
    if (next !== undefined) go('chats', [next.id], { replace: true });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    u: () => go('chats', part !== undefined && id !== undefined ? [id] : []),
    r: refreshChats,
  });
  const right = html`<button class="back bare" title="All chats (u)" onClick=${() => go('chats')}>
      <${Icon} name="back" />All chats
    </button>
    ${rightOf(id, part)}`;
  return html`<${Split}
    label="Chats"
    detail=${id !== undefined}
    left=${html`<${ChatList} selectedId=${id} />`}
    right=${id === undefined ? html`<${NoChat} />` : right}
  />`;
}

function rightOf(id: string | undefined, part: string | undefined) {
  if (id === undefined) return null;
  return id === NEW ? html`<${NewChatForm} />` : html`<${OneChat} key=${id} id=${id} isEdited=${part === EDIT} />`;
}

function NoChat() {
  return html`<${Empty} icon="chat" title="Talk with several agents at once.">
    <p>
      A chat has participants: models, command-line agents, and agents of your config. A message that mentions one
      with${' '}
      <code>@</code> has it answer, and its answer may mention others.
    </p>
    ${mayDo('admin') && html`<button class="primary" title="New chat (n)" onClick=${() => go('chats', [NEW])}><${Icon} name="plus" />New chat</button>`}
  <//>`;
}

function OneChat({ id, isEdited }: { readonly id: string; readonly isEdited: boolean }) {
  useEffect(() => {
    showChat(id);
    return closeChat;
  }, [id]);
  const { key, data, error } = shownChat.state.value;
  // One that somebody has deleted meanwhile is shown no more: nothing can be written in it.
  if (key !== id || data === undefined || error?.code === 'NOT_FOUND') {
    return key === id && error !== undefined
      ? html`<div class="body pad"><${ErrorNotice} error=${error} /></div>`
      : html`<div class="body"></div>`;
  }
  if (isEdited) return html`<${EditChat} chat=${data} />`;
  return html`<${ChatHead} chat=${data} />
    <${Timeline} chat=${data} />
    <${Composer} chat=${data} />
    <${ParticipantDialog} chat=${data} />
    <${AlwaysDialog} />`;
}
