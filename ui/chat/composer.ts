import { html } from 'htm/preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown } from '../http/request.ts';
import type { Chat, Participant } from '../http/api-types.ts';
import { digitOf, keyed, MAIN_KEY, nearKeyed, useKeys } from '../shell/keys.ts';
import { useFocus } from '../widget/focus.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown, visible } from '../widget/visible.ts';
import { attempt } from '../widget/toast.ts';
import { archiveChat } from './chats.ts';
import { chatDrafts, inserted, setChatDraft, takeAwaited } from './drafts.ts';
import { matching, mentionOf, type Typed, typedMention } from './mentions.ts';
import { cancelTurns, sendMessage, speakNext } from './shown-chat.ts';
import { isSpeaking, speakersOf } from './speakers.ts';
import { Avatar } from './who.ts';

const LIST_ID = 'mention-list';
const optionId = (index: number) => `mention-${index}`;

/** The field for a message; a chat in the archive has none until it is brought back. */
export function Composer({ chat }: { readonly chat: Chat }) {
  if (!chat.archived) return html`<${OpenComposer} chat=${chat} />`;
  return html`<div class="composer row for-approver">
    <p class="muted">This chat is in the archive.</p>
    <button ...${keyed('B', 'Bring it back')} class="for-admin" onClick=${() => void archiveChat(chat, false)}>
      Bring it back
    </button>
  </div>`;
}

/** The field for the person's message, with completion of mentions, and a button for each participant that has it speak next. */
function OpenComposer({ chat }: { readonly chat: Chat }) {
  const [isAwaited] = useState(takeAwaited);
  const field = useFocus<HTMLTextAreaElement>(isAwaited);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorBody | undefined>(undefined);
  const text = chatDrafts.value.get(chat.id) ?? '';
  const completion = useCompletion(chat, field);
  useInserted(chat.id, field);
  useKeys({ m: () => field.current?.focus() });
  const isEmpty = text.trim() === '';

  const send = async () => {
    if (isEmpty || isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    try {
      await sendMessage(chat.id, text);
      // What was typed meanwhile stays.
      const now = chatDrafts.value.get(chat.id) ?? '';
      if (now.startsWith(text)) setChatDraft(chat.id, now.slice(text.length).trimStart());
    } catch (thrown) {
      setFailure(errorOfThrown(thrown));
    }
    setIsBusy(false);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (completion.onKeyDown(event)) return;
    if (event.key === 'Escape') field.current?.blur();
  };
  return html`<div class="composer for-approver" data-part>
    <${SpeakNext} chat=${chat} />
    ${failure !== undefined && html`<${ErrorNotice} error=${failure} />`}
    <div class="composer-field">
      ${completion.isOpen && html`<${Options} ...${completion} />`}
      <textarea
        ref=${field}
        rows="2"
        aria-label="Message"
        placeholder="Write a message. @ mentions a participant, who then answers. Ctrl+Enter sends."
        spellcheck="true"
        value=${text}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls=${completion.isOpen ? LIST_ID : undefined}
        aria-activedescendant=${completion.isOpen ? optionId(completion.index) : undefined}
        onInput=${(e: InputEvent) => {
          if (e.target instanceof HTMLTextAreaElement) setChatDraft(chat.id, e.target.value);
          completion.read();
        }}
        onClick=${completion.read}
        onKeyDown=${onKeyDown}
        onBlur=${completion.close}
      ></textarea>
      <button ...${keyed(MAIN_KEY, 'Send')} class="primary" disabled=${isEmpty || isBusy} onClick=${() => void send()}>
        Send
      </button>
    </div>
    <p class="sr" role="status">
      ${completion.isOpen ? `${completion.options.length} to mention: arrows choose, Enter takes` : ''}
    </p>
  </div>`;
}

/** A button for each participant, with its state, and one that ends all turns. */
function SpeakNext({ chat }: { readonly chat: Chat }) {
  const speakers = speakersOf(chat);
  const busy = chat.participants.filter(({ id }) => isSpeaking(speakers.get(id)));
  return html`<div class="speak-next" role="group" aria-label="Who speaks next">
    ${chat.participants.length > 0 && html`<span class="caption">Speak next</span>`}
    ${chat.participants.map((each, i) => {
      const isBusy = busy.includes(each);
      return html`<button
        ...${nearKeyed(digitOf(i), visible(`${each.displayName} speaks next`))}
        key=${each.id}
        class="speak"
        disabled=${isBusy}
        onClick=${() => void attempt(() => speakNext(chat.id, each.id))}
      >
        <${Avatar} name=${each.displayName} colorHex=${each.colorHex} /><${Shown} text=${each.displayName} />
        <span class="sr">${isBusy ? 'is speaking' : 'speaks next'}</span>
        ${isBusy && html`<span class="dot busy"><${Icon} name="spark" /></span>`}
      </button>`;
    })}
    ${
      busy.length > 0 &&
      html`<button
        class="danger"
        aria-keyshortcuts="X"
        title="Cancel all turns (X)"
        onClick=${() => void attempt(() => cancelTurns(chat.id))}
      >
        <${Icon} name="stop" />Cancel all
      </button>`
    }
  </div>`;
}

interface OptionsProps {
  readonly options: readonly Participant[];
  readonly index: number;
  readonly choose: (participant: Participant) => void;
}

function Options({ options, index, choose }: OptionsProps) {
  return html`<ul class="mention-list" id=${LIST_ID} role="listbox" aria-label="Participants">
    ${options.map(
      (each, i) =>
        html`<li
          key=${each.id}
          id=${optionId(i)}
          role="option"
          aria-selected=${i === index ? 'true' : 'false'}
          onMouseDown=${(event: MouseEvent) => {
            // The field keeps the focus.
            event.preventDefault();
            choose(each);
          }}
        >
          <${Avatar} name=${each.displayName} colorHex=${each.colorHex} />
          <b><${Shown} text=${each.displayName} /></b>
          <span class="muted">@<${Shown} text=${each.handle} /></span>
        </li>`,
    )}
  </ul>`;
}

/** The list of names while somebody types a mention: arrows move in it, Enter and Tab take a name, Escape closes it. */
function useCompletion(chat: Chat, field: { readonly current: HTMLTextAreaElement | null }) {
  const [typed, setTyped] = useState<Typed | undefined>(undefined);
  const [index, setIndex] = useState(0);
  const options = typed === undefined ? [] : matching(chat.participants, typed.query);
  const isOpen = options.length > 0;
  const close = () => setTyped(undefined);
  const read = () => {
    const area = field.current;
    if (area === null) return;
    const next = area.selectionStart === area.selectionEnd ? typedMention(area.value, area.selectionStart) : undefined;
    if (next?.at !== typed?.at || next?.query !== typed?.query) setIndex(0);
    setTyped(next);
  };
  const choose = (participant: Participant) => {
    const area = field.current;
    if (area === null || typed === undefined) return;
    insertText(area, `${mentionOf(participant, chat.participants)} `, typed.at, area.selectionStart);
    close();
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const option = options[index];
    if (!isOpen || option === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setIndex((index + step + options.length) % options.length);
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) choose(option);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    return true;
  };
  return { isOpen, options, index: Math.min(index, Math.max(0, options.length - 1)), read, close, choose, onKeyDown };
}

/** Replaces a part of the field, with the event that typing has. */
function insertText(area: HTMLTextAreaElement, text: string, from: number, to: number): void {
  area.setRangeText(text, from, to, 'end');
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** Inserts what another part of the page puts into the composer. */
function useInserted(chatId: string, field: { readonly current: HTMLTextAreaElement | null }): void {
  const { count, text } = inserted.value;
  const seen = useRef(count);
  useLayoutEffect(() => {
    const area = field.current;
    if (seen.current === count || area === null) return;
    seen.current = count;
    const { selectionStart: at, value } = area;
    const space = at > 0 && !/\s/.test(value.charAt(at - 1)) ? ' ' : '';
    insertText(area, `${space}${text} `, at, area.selectionEnd);
    area.focus();
  }, [count]);
  // The draft of another chat has its own cursor.
  useEffect(() => {
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [chatId]);
}
