import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import type { Chat, Participant } from '../../http/api-types.ts';
import { errorOfThrown, path, request } from '../../http/request.ts';
import { mayDo } from '../../shell/person.ts';
import { go } from '../../shell/route.ts';
import { confirm } from '../../widget/confirm.ts';
import { useInvalidFocus } from '../../widget/focus.ts';
import { Icon } from '../../widget/icon.ts';
import { ErrorNotice } from '../../widget/notice.ts';
import { attempt, showToast } from '../../widget/toast.ts';
import { Shown } from '../../widget/visible.ts';
import { changeChat } from '../chats.ts';
import { refreshShownChat } from '../shown-chat.ts';
import { type Choices, choices } from './choices.ts';
import { CHAT_FIELDS, errorsByField, PARTICIPANT_FIELDS } from './errors.ts';
import { TextField } from './field.ts';
import { type MoreDraft, moreBody, moreDraft, MoreFields } from './more-fields.ts';
import { ParticipantCard } from './participant-card.ts';
import { bodyOf, draftOf, gapsOf, newBody, newDraft, type ParticipantDraft, roamingBody } from './participant-draft.ts';
import { keyed, MAIN_KEY, nearKeyed } from '../../shell/keys.ts';

/** Changes title, context and participants of a chat. Old messages keep the old names. */
export function EditChat({ chat }: { readonly chat: Chat }) {
  useEffect(() => choices.reload('edit'), []);
  const { data, error } = choices.state.value;
  return html`<header class="head">
      <h1>Edit <${Shown} text=${chat.title} /></h1>
      <button ...${keyed('u', 'Back to the chat')} onClick=${() => go('chats', [chat.id])}>
        <${Icon} name="chat" />Back to the chat
      </button>
    </header>
    <div class="body pad">
      ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
      <${About} key=${chat.id} chat=${chat} apis=${data?.apis ?? []} />
      ${data !== undefined && html`<${Participants} key=${`who-${chat.id}`} chat=${chat} known=${data} />`}
    </div>`;
}

function About({ chat, apis }: { readonly chat: Chat; readonly apis: Choices['apis'] }) {
  const [title, setTitle] = useState(chat.title);
  const [context, setContext] = useState(chat.context);
  const [more, setMore] = useState(moreDraft(chat));
  const { failure, tries, isBusy, submit } = useSubmit();
  const { chat: errors, rest } = errorsByField(failure, CHAT_FIELDS);
  const form = useInvalidFocus<HTMLFormElement>(tries);
  const isChanged =
    title.trim() !== chat.title || context !== chat.context || JSON.stringify(more) !== JSON.stringify(moreDraft(chat));
  const save = () =>
    submit(async () => {
      await changeChat(chat.id, { title: title.trim(), context, ...moreBody(more) });
      showToast('Saved.');
    });
  return html`<form
    ref=${form}
    class="chat-form"
    onSubmit=${(event: Event) => {
      event.preventDefault();
      void save();
    }}
  >
    <${TextField} label="Title" value=${title} error=${errors['title']} onInput=${setTitle} />
    <${TextField}
      label="Context"
      hint="What the chat is about. Part of each prompt from now on."
      rows=${5}
      value=${context}
      error=${errors['context']}
      onInput=${setContext}
    />
    <${MoreFields}
      draft=${more}
      apis=${apis}
      errors=${errors}
      onChange=${(part: Partial<MoreDraft>) => setMore((now) => ({ ...now, ...part }))}
    />
    ${rest !== undefined && html`<${ErrorNotice} error=${rest} />`}
    <div class="row end">
      <button ...${keyed(MAIN_KEY, 'Save')} class="primary" disabled=${isBusy || !isChanged || title.trim() === ''}>
        Save
      </button>
    </div>
  </form>`;
}

function Participants({ chat, known }: { readonly chat: Chat; readonly known: Choices }) {
  const [added, setAdded] = useState<readonly ParticipantDraft[]>([]);
  const remove = (key: string) => setAdded((all) => all.filter((each) => each.key !== key));
  return html`<section class="chat-form" aria-label="Participants">
    <h2>Participants</h2>
    ${chat.participants.map((each) => html`<${Known} key=${each.id} chatId=${chat.id} participant=${each} known=${known} />`)}
    ${added.map((each) => html`<${Added} key=${each.key} chatId=${chat.id} start=${each} known=${known} onDone=${() => remove(each.key)} />`)}
    <div class="row">
      <button
        ...${keyed('P', 'Add participant')}
        onClick=${() => setAdded([...added, newDraft(known, [...chat.participants, ...added])])}
      >
        <${Icon} name="plus" />Add participant
      </button>
    </div>
  </section>`;
}

interface OneProps {
  readonly chatId: string;
  readonly known: Choices;
}

/** A participant of the chat: changed and removed. */
function Known({ chatId, participant, known }: OneProps & { readonly participant: Participant }) {
  const stored = draftOf(participant);
  const [draft, setDraft] = useState(stored);
  const { failure, tries, isBusy, submit } = useSubmit();
  const address = path`/api/chats/${chatId}/participants/${participant.id}`;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored);
  const save = () =>
    submit(async () => {
      await request('PUT', address, { body: { ...bodyOf(draft), ...changedRoaming(draft, stored, known) } });
      refreshShownChat();
      showToast('Saved.');
    });
  const remove = async () => {
    const text = 'Its messages stay, under its name. It cannot be mentioned any more.';
    if (!(await confirm({ title: `Remove ${participant.displayName}?`, text, action: 'Remove' }))) return;
    await attempt(async () => {
      await request('DELETE', address);
      refreshShownChat();
    });
  };
  return html`<${OneCard}
    draft=${draft}
    known=${known}
    isNew=${false}
    failure=${failure}
    tries=${tries}
    isTried=${isChanged}
    onChange=${setDraft}
  >
    <button ...${nearKeyed('X', 'Remove')} class="danger for-admin" onClick=${() => void remove()}>
      <${Icon} name="trash" />Remove
    </button>
    <button
      ...${keyed(MAIN_KEY, 'Save')}
      class="primary"
      disabled=${isBusy || !isChanged || !mayDo('admin') || Object.keys(gapsOf(draft, known)).length > 0}
      onClick=${() => void save()}
    >
      Save
    </button>
  <//>`;
}

/** Roaming is sent only where it changed: what was confirmed stays confirmed. */
function changedRoaming(draft: ParticipantDraft, stored: ParticipantDraft, { apis }: Choices): object {
  const before = roamingBody(stored, apis);
  const now = roamingBody(draft, apis);
  return JSON.stringify(before) === JSON.stringify(now) ? {} : { roaming: now };
}

/** A participant that is not in the chat yet. */
function Added({
  chatId,
  start,
  known,
  onDone,
}: OneProps & { readonly start: ParticipantDraft; readonly onDone: () => void }) {
  const [draft, setDraft] = useState(start);
  const { failure, tries, isBusy, submit, refuse } = useSubmit();
  const add = () => {
    if (Object.keys(gapsOf(draft, known)).length > 0) return refuse();
    void submit(async () => {
      await request('POST', path`/api/chats/${chatId}/participants`, { body: newBody(draft, known.apis) });
      refreshShownChat();
      onDone();
    });
  };
  return html`<${OneCard}
    draft=${draft}
    known=${known}
    isNew=${true}
    failure=${failure}
    tries=${tries}
    isTried=${tries > 0}
    onChange=${setDraft}
  >
    <button ...${nearKeyed('X', 'Cancel')} onClick=${onDone}>Cancel</button>
    <button ...${keyed(MAIN_KEY, 'Add')} class="primary" disabled=${isBusy} onClick=${add}>Add</button>
  <//>`;
}

interface CardProps {
  readonly draft: ParticipantDraft;
  readonly known: Choices;
  readonly isNew: boolean;
  readonly failure: ErrorBody | undefined;
  readonly tries: number;
  /** Whether gaps are shown already. */
  readonly isTried: boolean;
  readonly onChange: (change: (draft: ParticipantDraft) => ParticipantDraft) => void;
  readonly children: unknown;
}

function OneCard({ draft, known, isNew, failure, tries, isTried, onChange, children }: CardProps) {
  const { chat: errors, rest } = errorsByField(failure, PARTICIPANT_FIELDS);
  const form = useInvalidFocus<HTMLDivElement>(tries);
  return html`<div ref=${form} class="one-card">
    <${ParticipantCard}
      draft=${draft}
      choices=${known}
      isNew=${isNew}
      errors=${{ ...(isTried && gapsOf(draft, known)), ...errors }}
      onChange=${(part: Partial<ParticipantDraft>) => onChange((now) => ({ ...now, ...part }))}
      >${children}<//
    >
    ${rest !== undefined && html`<${ErrorNotice} error=${rest} />`}
  </div>`;
}

/** Sends something: its failure stays until the next try. `tries`: those that were refused, by `refuse` for what was not sent. */
function useSubmit() {
  const [failure, setFailure] = useState<ErrorBody | undefined>(undefined);
  const [tries, setTries] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const refuse = () => setTries((count) => count + 1);
  const submit = async (send: () => Promise<void>) => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      await send();
    } catch (thrown) {
      setFailure(errorOfThrown(thrown));
      refuse();
    }
    setIsBusy(false);
  };
  return { failure, tries, isBusy, submit, refuse };
}
