import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Chat, ChatMessage } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Bubble } from './bubble.ts';
import { mentionFinder } from './mentions.ts';
import { loadEarlier, messages } from './shown-chat.ts';
import { Turns } from './turns.ts';
import { keyed } from '../shell/keys.ts';

/** Distance from the end, in pixels, within which somebody reads along. */
const NEAR_PX = 160;
/** Distance from the start within which the page before is fetched. */
const EARLY_PX = 400;
/** Messages of one author within this time stand together. */
const TOGETHER_MS = 5 * 60_000;

/** Whether the newest message is out of sight. */
const isAway = signal(false);

/** The messages, oldest first, and who is speaking. Opens at the newest message and stays there for whoever is at the end. */
export function Timeline({ chat }: { readonly chat: Chat }) {
  const pane = useRef<HTMLDivElement>(null);
  const { items, earlier, error } = messages.value;
  const findMention = useMemo(() => mentionFinder(chat), [chat.participants, chat.mentions.caseSensitive]);
  useScroll(pane, items);
  const toEnd = () => pane.current?.scrollTo({ top: pane.current.scrollHeight });
  return html`<div class="timeline">
    <div class="body" ref=${pane} tabindex="0" role="region" aria-label="Conversation">
      <div class="messages">
        ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
        ${earlier !== null && html`<div class="more"><button ...${keyed('L', 'Earlier messages')} onClick=${() => void loadEarlier()}>Earlier messages</button></div>`}
        <div class="log" role="log" aria-label="Messages">
          ${items?.map((message, i) => {
            const before = items[i - 1];
            const isNewDay = before === undefined || dayOf(before.ts) !== dayOf(message.ts);
            return html`${isNewDay && html`<p key=${`day-${message.id}`} class="day"><span>${dayOf(message.ts)}</span></p>`}<${Bubble}
                key=${message.id}
                chatId=${chat.id}
                message=${message}
                findMention=${findMention}
                isMore=${!isNewDay && isTogether(before, message)}
              />`;
          })}
        </div>
        ${items?.length === 0 && chat.round === undefined && html`<${Nothing} chat=${chat} />`}
        <${Turns} chat=${chat} />
      </div>
    </div>
    ${isAway.value && html`<button ...${keyed('G', 'Newest')} class="to-end" onClick=${toEnd}><${Icon} name="down" />Newest</button>`}
  </div>`;
}

function Nothing({ chat }: { readonly chat: Chat }) {
  const [first] = chat.participants;
  return html`<div class="empty">
    <${Icon} name="chat" />
    <h2>No messages yet.</h2>
    <p>
      ${
        first === undefined
          ? 'You can write, but nobody answers: edit the chat to add participants.'
          : `Write a message. A mention such as @${first.handle} has that participant answer; a button above the field has one speak next.`
      }
    </p>
  </div>`;
}

const dayOf = (iso: string) =>
  new Date(iso).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

function isTogether(before: ChatMessage | undefined, message: ChatMessage): boolean {
  return (
    before?.authorId === message.authorId &&
    before.authorDisplayName === message.authorDisplayName &&
    Date.parse(message.ts) - Date.parse(before.ts) < TOGETHER_MS
  );
}

/** Keeps the end in view for whoever reads along, and the place of everybody else while earlier messages come. */
function useScroll(pane: { readonly current: HTMLDivElement | null }, items: readonly ChatMessage[] | undefined): void {
  const state = useRef({ isAtEnd: true, fromEnd: 0, first: 0, last: 0 });
  useEffect(() => {
    const area = pane.current;
    const content = area?.firstElementChild;
    if (!area || !content) return;
    const note = () => {
      state.current.fromEnd = area.scrollHeight - area.scrollTop;
      state.current.isAtEnd = state.current.fromEnd - area.clientHeight < NEAR_PX;
      isAway.value = !state.current.isAtEnd;
    };
    const onScroll = () => {
      note();
      if (area.scrollTop < EARLY_PX) void loadEarlier();
    };
    // Text that arrives, and a field that grows, change the size without a new message.
    const observer = new ResizeObserver(() => {
      if (state.current.isAtEnd) area.scrollTop = area.scrollHeight;
      note();
    });
    observer.observe(content);
    observer.observe(area);
    area.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      area.removeEventListener('scroll', onScroll);
      isAway.value = false;
    };
  }, []);
  useLayoutEffect(() => {
    const area = pane.current;
    const first = items?.[0]?.seq ?? 0;
    if (area === null || items === undefined) return;
    const isEarlier = first < state.current.first;
    const last = items.at(-1);
    const hasSent = last?.authorKind === 'user' && last.seq > state.current.last;
    Object.assign(state.current, { first, last: last?.seq ?? 0 });
    if (isEarlier) area.scrollTop = area.scrollHeight - state.current.fromEnd;
    else if (state.current.isAtEnd || hasSent) area.scrollTop = area.scrollHeight;
  }, [items]);
}
