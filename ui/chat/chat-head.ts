import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Chat } from '../http/api-types.ts';
import { keyed, MAIN_KEY, useKeys } from '../shell/keys.ts';
import { mayDo } from '../shell/person.ts';
import { amend, go } from '../shell/route.ts';
import { confirm } from '../widget/confirm.ts';
import { useFocus } from '../widget/focus.ts';
import { Icon } from '../widget/icon.ts';
import { attempt } from '../widget/toast.ts';
import { Shown, visible } from '../widget/visible.ts';
import { archiveChat, changeChat, deleteChat } from './chats.ts';
import { openParticipant } from './participant-dialog.ts';
import { Avatar, colorStyle, kindOf } from './who.ts';

/** A context that is longer opens on demand. */
const SHORT_CHARS = 60;
/** More of it than the widest line shows. */
const MAX_SUMMARY_CHARS = 400;

/** Title, context and participants of a chat, and what can be done with it. `e` renames it, `#` deletes it. */
export function ChatHead({ chat }: { readonly chat: Chat }) {
  const [isRenaming, setIsRenaming] = useState(false);
  const canChange = mayDo('admin');
  const remove = async () => {
    const text = 'Its messages and the records of its turns are deleted too. This cannot be undone.';
    if (!(await confirm({ title: `Delete “${chat.title}”?`, text, action: 'Delete' }))) return;
    if (await deleteChat(chat)) amend('chats', []);
  };
  useKeys({ 'e': () => canChange && setIsRenaming(true), '#': () => mayDo('admin') && void remove() });
  return html`<header class="head chat-head">
    ${
      isRenaming
        ? html`<${Rename} chat=${chat} onClose=${() => setIsRenaming(false)} />`
        : html`<div class="name">
            <h1><${Shown} text=${chat.title} /></h1>
            <button class="bare for-admin" aria-label="Rename" title="Rename (e)" onClick=${() => setIsRenaming(true)}>
              <${Icon} name="edit" />
            </button>
            ${chat.archived && html`<span class="chip quiet"><${Icon} name="archive" />archived</span>`}
            <${Actions} chat=${chat} onDelete=${() => void remove()} />
          </div>`
    }
    <${Context} text=${chat.context} />
    <ul class="roster" aria-label="Participants">
      ${chat.participants.map(
        (each) =>
          html`<li key=${each.id}>
            <button
              class="person who-color"
              style=${colorStyle(each.colorHex)}
              title=${visible(`${each.displayName}, ${kindOf(each)}`)}
              onClick=${() => openParticipant(each.id)}
            >
              <${Avatar} name=${each.displayName} colorHex=${each.colorHex} /><${Shown} text=${each.displayName} />
              ${each.roaming.enabled && html`<${Icon} name="folder" /><span class="sr">roams</span>`}
            </button>
          </li>`,
      )}
    </ul>
  </header>`;
}

function Actions({ chat, onDelete }: { readonly chat: Chat; readonly onDelete: () => void }) {
  const archive = chat.archived ? 'Bring back from the archive' : 'Archive';
  return html`<div class="row for-admin">
    <button
      aria-keyshortcuts="E"
      title="Edit title, context and participants (E)"
      onClick=${() => go('chats', [chat.id, 'edit'])}
    >
      <${Icon} name="list" /><span>Edit chat</span>
    </button>
    <button
      aria-label=${archive}
      aria-keyshortcuts="A"
      title=${`${archive} (A)`}
      onClick=${() => void archiveChat(chat, !chat.archived)}
    >
      <${Icon} name="archive" />
    </button>
    <button class="danger" aria-label="Delete" title="Delete (#)" onClick=${onDelete}>
      <${Icon} name="trash" />
    </button>
  </div>`;
}

/** The title in a field: Enter keeps it, Escape does not. */
function Rename({ chat, onClose }: { readonly chat: Chat; readonly onClose: () => void }) {
  const [title, setTitle] = useState(chat.title);
  const field = useFocus<HTMLInputElement>(true);
  const save = async () => {
    const wanted = title.trim();
    if (wanted !== '' && wanted !== chat.title && !(await attempt(() => changeChat(chat.id, { title: wanted }))))
      return;
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save();
    if (event.key === 'Escape') onClose();
  };
  return html`<div class="name" data-part>
    <input
      ref=${field}
      aria-label="Title"
      value=${title}
      onInput=${(e: InputEvent) => e.target instanceof HTMLInputElement && setTitle(e.target.value)}
      onKeyDown=${onKeyDown}
    />
    <button
      ...${keyed(MAIN_KEY, 'Rename')}
      class="primary"
      disabled=${title.trim() === ''}
      onClick=${() => void save()}
    >
      Rename
    </button>
    <button ...${keyed('Escape', 'Cancel')} onClick=${onClose}>Cancel</button>
  </div>`;
}

/** The first line of the context, until somebody opens it. */
function Context({ text }: { readonly text: string }) {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return null;
  if (line.length <= SHORT_CHARS) return html`<p class="context"><${Shown} text=${line} /></p>`;
  return html`<details class="context">
    <summary>
      <${Icon} name="chevron" className="turn" /><span class="cut"
        ><${Shown} text=${line.slice(0, MAX_SUMMARY_CHARS)}
      /></span>
    </summary>
    <p class="whole"><${Shown} text=${text} /></p>
  </details>`;
}
