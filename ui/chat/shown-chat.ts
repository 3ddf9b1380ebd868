import { computed, signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { Chat, ChatMessage, Page, Participant } from '../http/api-types.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { dropAnswersOf } from '../run/live-answer.ts';

/** The chat that is open, with its round. */
export const shownChat = createResource((id, signal) => request<Chat>('GET', path`/api/chats/${id}`, { signal }));

/** The messages of the open chat that were fetched so far. */
interface Messages {
  readonly chatId: string;
  /** Oldest first, without a gap; undefined until the first page is there. */
  readonly items?: readonly ChatMessage[];
  /** Start of the page before; null when everything is there. */
  readonly earlier: string | null;
  readonly error?: ErrorBody;
}

const NONE: Messages = { chatId: '', earlier: null };
const PAGE_SIZE = 50;
/** Most pages that are fetched to close a gap; beyond, the list begins anew with the newest page. */
const MAX_GAP_PAGES = 4;

/** The messages of the open chat. */
export const messages = signal<Messages>(NONE);

/** The participants of the open chat, by id. */
export const participants = computed<ReadonlyMap<string, Participant>>(
  () => new Map((shownChat.state.value.data?.participants ?? []).map((each) => [each.id, each])),
);

/** Opens a chat: fetches it and its newest messages. */
export function showChat(id: string): void {
  if (messages.value.chatId === id) return;
  messages.value = { ...NONE, chatId: id };
  shownChat.reload(id);
  void loadNewest();
}

/** Forgets the open chat, so that events fetch nothing for it. */
export function closeChat(): void {
  messages.value = NONE;
}

/** Fetches the open chat and its new messages again. Nothing where none is open. */
export function refreshShownChat(): void {
  if (messages.value.chatId === '') return;
  shownChat.refresh();
  void loadNewest();
}

let newest: AbortController | undefined;

/** Fetches the newest messages, back to those that are there already. */
async function loadNewest(): Promise<void> {
  newest?.abort();
  const own = (newest = new AbortController());
  const { chatId } = messages.value;
  try {
    const known = messages.value.items?.at(-1)?.seq ?? 0;
    let page = await fetchPage(chatId, null, own.signal);
    let items = page.items;
    for (
      let pages = 1;
      known > 0 && pages < MAX_GAP_PAGES && startOf(items) > known + 1 && page.nextCursor !== null;
      pages++
    ) {
      page = await fetchPage(chatId, page.nextCursor, own.signal);
      items = [...page.items, ...items];
    }
    // Read after the requests: a page of earlier messages may have come meanwhile.
    const { items: shown, earlier } = messages.value;
    const hasGap = shown === undefined || startOf(items) > known + 1;
    messages.value = {
      chatId,
      items: hasGap ? items : joined(shown, items),
      earlier: hasGap ? page.nextCursor : earlier,
    };
    dropAnswersOf(new Set(items.flatMap(({ meta }) => meta.runId ?? [])));
  } catch (thrown) {
    if (!own.signal.aborted) messages.value = { ...messages.value, error: errorOfThrown(thrown) };
  }
}

const startOf = (items: readonly ChatMessage[]) => items[0]?.seq ?? 0;

/** Messages in their order, each once. */
function joined(...parts: readonly (readonly ChatMessage[])[]): readonly ChatMessage[] {
  const all = new Map(parts.flat().map((message) => [message.seq, message]));
  return [...all.values()].sort((a, b) => a.seq - b.seq);
}

let isLoadingEarlier = false;

/** Fetches the page before the shown messages, unless there is none or it is on its way. */
export async function loadEarlier(): Promise<void> {
  const { chatId, earlier } = messages.value;
  if (earlier === null || isLoadingEarlier) return;
  isLoadingEarlier = true;
  try {
    const page = await fetchPage(chatId, earlier);
    const now = messages.value;
    if (now.chatId === chatId && now.earlier === earlier)
      messages.value = { chatId, items: joined(page.items, now.items ?? []), earlier: page.nextCursor };
  } catch (thrown) {
    messages.value = { ...messages.value, error: errorOfThrown(thrown) };
  } finally {
    isLoadingEarlier = false;
  }
}

function fetchPage(chatId: string, cursor: string | null, signal?: AbortSignal): Promise<Page<ChatMessage>> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) });
  return request('GET', `${path`/api/chats/${chatId}/messages`}?${query}`, signal === undefined ? {} : { signal });
}

/** Sends a message of the person. Rejects with `ApiError`. */
export async function sendMessage(chatId: string, text: string): Promise<void> {
  const message = await request<ChatMessage>('POST', path`/api/chats/${chatId}/messages`, { body: { text } });
  const { items, ...rest } = messages.value;
  // It appears at once, unless messages between are missing: then the next fetch has them all.
  if (rest.chatId === chatId && items !== undefined && message.seq === (items.at(-1)?.seq ?? 0) + 1)
    messages.value = { ...rest, items: [...items, message] };
  refreshShownChat();
}

/** Has a participant speak next. Rejects with `ApiError`. */
export async function speakNext(chatId: string, participantId: string): Promise<void> {
  await request('POST', path`/api/chats/${chatId}/participants/${participantId}/run`, { body: {} });
  refreshShownChat();
}

/** Cancels the turn of one participant, or of all and the rounds that would follow. Rejects with `ApiError`. */
export async function cancelTurns(chatId: string, participantId?: string): Promise<void> {
  const body = participantId === undefined ? {} : { participantId };
  await request('POST', path`/api/chats/${chatId}/cancel`, { body });
  refreshShownChat();
}
