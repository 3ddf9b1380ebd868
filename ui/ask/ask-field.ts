import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { chatDrafts, setChatDraft } from '../chat/drafts.ts';
import { errorOfThrown } from '../http/request.ts';
import { keyed, MAIN_KEY, nearKeyed, useKeys } from '../shell/keys.ts';
import { amend, go } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { bytes } from '../widget/number.ts';
import { attempt } from '../widget/toast.ts';
import { Shown, visible } from '../widget/visible.ts';
import { attach, attachedTo, detach, forgetAttached, MAX_FILES } from './attachments.ts';
import { EstimateLine } from './estimate-line.ts';
import { type Asked, isOpen, type Talk } from './talk.ts';
import { ask, refreshAsk } from './talks.ts';

/** Key of the draft of a question. */
export const draftOf = (asked: Asked, talk?: Talk) => `ask ${asked.kind}/${talk?.id ?? `new ${asked.id}`}`;

interface Props {
  readonly asked: Asked;
  readonly talk?: Talk;
}

/** The field for a question, with files for a director, and what it will cost. A talk that is over has none. */
export function AskField({ asked, talk }: Props) {
  const role = asked.kind === 'director' ? 'for-admin' : 'for-approver';
  if (talk !== undefined && talk.over !== '')
    return html`<div class=${`composer row ${role}`}>
      <p class="muted">${talk.over}</p>
      <button title="New session (n)" onClick=${() => go('ask', [asked.kind, asked.id])}>
        <${Icon} name="plus" />New session
      </button>
    </div>`;
  return html`<${OpenField} key=${draftOf(asked, talk)} asked=${asked} talk=${talk} role=${role} />`;
}

function OpenField({ asked, talk, role }: Props & { readonly role: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorBody | undefined>(undefined);
  const draft = draftOf(asked, talk);
  const text = chatDrafts.value.get(draft) ?? '';
  const isEmpty = text.trim() === '';
  const isWorking = isOpen(talk?.turns.at(-1));
  const files = attachedTo(draft);
  useKeys({ m: () => field.current?.focus() });
  useEffect(() => {
    const area = field.current;
    if (talk === undefined) area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const work = async (act: () => Promise<void>) => {
    setIsBusy(true);
    setFailure(undefined);
    await act().catch((thrown: unknown) => setFailure(errorOfThrown(thrown)));
    setIsBusy(false);
  };
  const send = () =>
    work(async () => {
      const place = await ask(asked, talk?.id, { message: text, attachments: files.map(({ id }) => id) });
      // What was typed meanwhile stays.
      if (chatDrafts.value.get(draft) === text) setChatDraft(draft, '');
      forgetAttached(draft);
      refreshAsk();
      if (talk === undefined) amend('ask', place);
      field.current?.focus();
    });
  const canSend = !isEmpty && !isBusy && !isWorking;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') field.current?.blur();
  };
  const add = (chosen: readonly File[]) =>
    work(async () => {
      for (const file of chosen) await attach(draft, file);
    });
  return html`<div class=${`composer ${role}`} data-part>
    ${failure !== undefined && html`<${ErrorNotice} error=${failure} />`}
    ${
      files.length > 0 &&
      html`<ul class="attached" aria-label="Attached files">
        ${files.map(
          ({ id, name, size, note }) =>
            html`<li key=${id} class="chip" title=${visible(note ?? name)}>
              <${Icon} name="clip" /><span class="name"><${Shown} text=${name} /></span> ${bytes(size)}
              <button
                ...${nearKeyed('X', 'Remove')}
                class="bare"
                aria-label=${visible(`Remove ${name}`)}
                onClick=${() => void attempt(() => detach(draft, id))}
              >
                <${Icon} name="cross" />
              </button>
            </li>`,
        )}
      </ul>`
    }
    <div class="composer-field">
      <textarea
        ref=${field}
        rows="2"
        aria-label="Question"
        placeholder=${talk === undefined ? 'What do you want to know or have done?' : 'Go on…'}
        spellcheck="true"
        value=${text}
        onInput=${(e: InputEvent) => e.target instanceof HTMLTextAreaElement && setChatDraft(draft, e.target.value)}
        onKeyDown=${onKeyDown}
      ></textarea>
      ${asked.kind === 'director' && html`<${AttachButton} isDisabled=${isBusy || files.length >= MAX_FILES} add=${add} />`}
      <button ...${keyed(MAIN_KEY, 'Send')} class="primary" disabled=${!canSend} onClick=${() => void send()}>
        Send
      </button>
    </div>
    <${EstimateLine} asked=${asked} message=${text} threadId=${talk?.threadId} />
  </div>`;
}

function AttachButton({
  isDisabled,
  add,
}: {
  readonly isDisabled: boolean;
  readonly add: (files: readonly File[]) => Promise<void>;
}) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = () => {
    const chosen = [...(input.current?.files ?? [])].slice(0, MAX_FILES);
    if (input.current !== null) input.current.value = '';
    void add(chosen);
  };
  return html`<input ref=${input} type="file" multiple hidden aria-label="Files" onChange=${onChange} />
    <button
      disabled=${isDisabled}
      aria-label="Attach files"
      aria-keyshortcuts="+"
      title="Attach files: PDF, DOCX, HTML, CSV or text (+)"
      onClick=${() => input.current?.click()}
    >
      <${Icon} name="clip" />
    </button>`;
}
