import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import type { Chat } from '../../http/api-types.ts';
import { errorOfThrown, request } from '../../http/request.ts';
import { amend, go } from '../../shell/route.ts';
import { useInvalidFocus } from '../../widget/focus.ts';
import { Icon } from '../../widget/icon.ts';
import { ErrorNotice } from '../../widget/notice.ts';
import { loadChats } from '../chats.ts';
import { awaitComposer, newChat, type NewChat } from '../drafts.ts';
import { type Choices, choices, type Preset } from './choices.ts';
import { CHAT_FIELDS, errorsByField, PARTICIPANT_FIELDS } from './errors.ts';
import { SelectField, TextField } from './field.ts';
import { type MoreDraft, moreBody, moreDraft, MoreFields } from './more-fields.ts';
import { ParticipantCard } from './participant-card.ts';
import { draftOfPreset, gapsOf, newBody, newDraft, type ParticipantDraft } from './participant-draft.ts';
import { keyed, MAIN_KEY, nearKeyed } from '../../shell/keys.ts';

const EMPTY: NewChat = { presetId: '', title: '', context: '', participants: [], more: moreDraft({}) };
const change = (part: Partial<NewChat>) => (newChat.value = { ...(newChat.value ?? EMPTY), ...part });

/** Begins a chat: a preset fills the form, and everything can be changed before the chat exists. */
export function NewChatForm() {
  useEffect(() => choices.reload('new'), []);
  const { data, error } = choices.state.value;
  return html`<header class="head"><h1>New chat</h1></header>
    <div class="body pad">
      ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
      ${data !== undefined && html`<${Form} known=${data} />`}
    </div>`;
}

function Form({ known }: { readonly known: Choices }) {
  const [failure, setFailure] = useState<ErrorBody | undefined>(undefined);
  const [tries, setTries] = useState(0);
  const element = useInvalidFocus<HTMLFormElement>(tries);
  useEffect(() => element.current?.querySelector<HTMLElement>('select, input')?.focus(), []);
  const [isBusy, setIsBusy] = useState(false);
  const { presetId, title, context, participants, more } = newChat.value ?? EMPTY;
  const refused = errorsByField(failure, ['preset', ...CHAT_FIELDS, ...PARTICIPANT_FIELDS]);
  const changeOne = (key: string, part: Partial<ParticipantDraft>) => {
    setFailure(undefined);
    change({ participants: participants.map((each) => (each.key === key ? { ...each, ...part } : each)) });
  };
  const remove = (key: string) => {
    setFailure(undefined);
    change({ participants: participants.filter((each) => each.key !== key) });
  };
  const create = async () => {
    setFailure(undefined);
    if (isBusy) return;
    if (participants.some((each) => Object.keys(gapsOf(each, known)).length > 0)) return setTries(tries + 1);
    setIsBusy(true);
    try {
      const chat = await createChat(newChat.value ?? EMPTY, known);
      newChat.value = undefined;
      awaitComposer();
      amend('chats', [chat.id]);
    } catch (thrown) {
      setFailure(errorOfThrown(thrown));
      setTries(tries + 1);
    }
    setIsBusy(false);
  };
  return html`<form
    ref=${element}
    class="chat-form"
    aria-busy=${isBusy ? 'true' : undefined}
    onSubmit=${(event: Event) => {
      event.preventDefault();
      void create();
    }}
  >
    ${
      known.presets.length > 0 &&
      html`<${SelectField}
        label="Preset"
        hint="Fills the form; the chat keeps a copy. Presets are files in config/chats."
        value=${presetId}
        error=${refused.chat['preset']}
        options=${[['', 'None'] as const, ...known.presets.map((one) => [one.id, one.title || one.id] as const)]}
        onChoose=${(id: string) => change(filledBy(id, known))}
      />`
    }
    <${TextField}
      label="Title"
      placeholder="New chat, with the date"
      value=${title}
      error=${refused.chat['title']}
      onInput=${(next: string) => change({ title: next })}
    />
    <${TextField}
      label="Context"
      hint="What the chat is about. Part of each prompt."
      rows=${5}
      value=${context}
      error=${refused.chat['context']}
      onInput=${(next: string) => change({ context: next })}
    />
    <h2>Participants</h2>
    ${participants.length === 0 && html`<p class="muted">You are always there. Add the agents that you want to talk with.</p>`}
    ${participants.map(
      (each, i) =>
        html`<${ParticipantCard}
          key=${each.key}
          draft=${each}
          choices=${known}
          isNew=${each.displayName === ''}
          errors=${{ ...(tries > 0 && gapsOf(each, known)), ...refused.participants.get(i) }}
          onChange=${(part: Partial<ParticipantDraft>) => changeOne(each.key, part)}
        >
          <button ...${nearKeyed('X', 'Remove')} type="button" class="danger" onClick=${() => remove(each.key)}>
            <${Icon} name="trash" />Remove
          </button>
        <//>`,
    )}
    <div class="row">
      <button
        ...${keyed('P', 'Add participant')}
        type="button"
        onClick=${() => change({ participants: [...participants, newDraft(known, participants)] })}
      >
        <${Icon} name="plus" />Add participant
      </button>
    </div>
    <${MoreFields}
      draft=${more}
      apis=${known.apis}
      errors=${refused.chat}
      onChange=${(part: Partial<MoreDraft>) => change({ more: { ...more, ...part } })}
    />
    ${refused.rest !== undefined && html`<${ErrorNotice} error=${refused.rest} />`}
    <div class="row end">
      <button
        ...${nearKeyed('Q', 'Cancel, and drop these texts')}
        type="button"
        onClick=${() => {
          newChat.value = undefined;
          go('chats');
        }}
      >
        Cancel
      </button>
      <button ...${keyed(MAIN_KEY, 'Create')} class="primary" disabled=${isBusy}>Create chat</button>
    </div>
  </form>`;
}

/** The form as a preset fills it; without one it is empty. */
function filledBy(presetId: string, known: Choices): NewChat {
  const preset: Preset | undefined = known.presets.find(({ id }) => id === presetId);
  const participants: ParticipantDraft[] = [];
  for (const each of preset?.participants ?? []) participants.push(draftOfPreset(each, participants, known));
  return {
    presetId,
    title: preset?.title ?? '',
    context: preset?.context ?? '',
    participants,
    more: moreDraft(preset ?? {}),
  };
}

/** Creates the chat, with the roaming that the person has ticked. */
async function createChat({ presetId, title, context, participants, more }: NewChat, { apis }: Choices): Promise<Chat> {
  const chat = await request<Chat>('POST', '/api/chats', {
    body: {
      ...(presetId !== '' && { preset: presetId }),
      ...(title.trim() !== '' && { title: title.trim() }),
      context: context.trim(),
      participants: participants.map((draft) => newBody(draft, apis)),
      ...moreBody(more),
    },
  });
  await loadChats();
  return chat;
}
