import { signal } from '@preact/signals';
import type { Chat } from '../http/api-types.ts';
import { createPagedList } from '../http/list.ts';
import { path, request } from '../http/request.ts';
import { attempt, showToast } from '../widget/toast.ts';
import { messages, refreshShownChat, shownChat } from './shown-chat.ts';

/** Whether the list shows the archived chats in place of the open ones. */
export const showsArchived = signal(false);

/** The chats, newest first. */
export const chats = createPagedList<Chat>('/api/chats', () => ({
  limit: '50',
  archived: String(showsArchived.value),
}));

/** False until the page is shown for the first time. */
let isOpened = false;

/** Fetches the first page of chats, or with `more` the next one. Fetches nothing before a call with `open`. */
export async function loadChats({ more = false, open = false } = {}): Promise<void> {
  isOpened ||= open;
  if (isOpened) await chats.load({ more });
}

/** What the page shows, again: the list, and the chat that is open. */
export function refreshChats(): void {
  void loadChats();
  refreshShownChat();
}

/** What has to be fetched after an event: the list, and the chat if it is the open one. */
export function chatChanged({ id }: { readonly id: string }): readonly (() => void)[] {
  return messages.value.chatId === id ? [reloadList, refreshShownChat] : [reloadList];
}

const reloadList = () => void loadChats();

/** What a person changes of a chat. */
export type ChatChange = Partial<Pick<Chat, 'title' | 'context' | 'archived' | 'maxRounds' | 'files' | 'mentions'>>;

/** Changes a chat. Rejects with `ApiError`. */
export async function changeChat(id: string, change: ChatChange): Promise<void> {
  const chat = await request<Chat>('PUT', path`/api/chats/${id}`, { body: change });
  noteChat(chat);
  await loadChats();
}

/** Shows what the server answered, without another request. A round that goes on stays. */
export function noteChat(chat: Chat): void {
  const { key, data } = shownChat.state.value;
  if (key === chat.id) shownChat.set(data?.round === undefined ? chat : { round: data.round, ...chat });
}

/** Moves a chat into the archive, or back. Resolves to whether it worked. */
export function archiveChat({ id, title }: Chat, archived: boolean): Promise<boolean> {
  return attempt(async () => {
    await changeChat(id, { archived });
    showToast(archived ? `“${title}” is in the archive.` : `“${title}” is back among the open chats.`);
  });
}

/** Deletes a chat with its messages. Resolves to whether it worked. */
export function deleteChat({ id }: Chat): Promise<boolean> {
  return attempt(async () => {
    await request('DELETE', path`/api/chats/${id}`);
    await loadChats();
  });
}
