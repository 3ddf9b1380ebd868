import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import type { MailEntry } from '../http/api-types.ts';
import { refreshMails } from '../mail/mails.ts';
import { useFocus } from '../widget/focus.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import { Shown } from '../widget/visible.ts';
import { type Reply, setReply, replies } from './replies.ts';

interface Props {
  readonly mail: MailEntry;
  /** Key of the reply: the id of a mail, or the key of an item. */
  readonly draftKey: string;
  /** Text at the start. */
  readonly text?: string;
  /** The item that the text was made from: its run learns how the text was changed. */
  readonly itemId?: string;
  /** Whether the text is Markdown, which is sent as HTML too. */
  readonly isMarkdown?: boolean;
  /** Whether the text field gets the focus: yes after a click on Reply, no when an unsent reply is shown again. */
  readonly takesFocus: boolean;
  readonly onClose: () => void;
}

/** Writes a reply to a mail, to send or to save as a draft in the account. The server adds signature and quotation. */
export function ReplyBox(props: Props) {
  const { mail, draftKey, text = '', takesFocus, onClose } = props;
  const area = useFocus<HTMLTextAreaElement>(takesFocus);
  const reply = replies.value.get(draftKey) ?? { text, all: false };
  const change = (part: Partial<Reply>) => setReply(draftKey, { ...reply, ...part });
  const close = () => {
    setReply(draftKey, undefined);
    onClose();
  };
  const { submit, error, isBusy } = useSubmit(props, reply, close);
  const isEmpty = reply.text.trim() === '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isBusy && !isEmpty) void submit('send');
    // The text stays: only Cancel discards it.
    if (event.key === 'Escape') onClose();
  };
  return html`<div class="editor" onKeyDown=${onKeyDown}>
    ${
      error?.code === 'REPLY_HAS_GAPS'
        ? html`<${Gaps} error=${error} onSend=${() => void submit('send', { allowGaps: true })} />`
        : error !== undefined && html`<${ErrorNotice} error=${error} />`
    }
    <label class="field grow">
      <span>Reply to <${Shown} text=${recipient(mail)} /></span>
      <textarea
        spellcheck="true"
        ref=${area}
        value=${reply.text}
        onInput=${(e: InputEvent) => e.target instanceof HTMLTextAreaElement && change({ text: e.target.value })}
      ></textarea>
    </label>
    <p class="muted">
      Ctrl+Enter sends. Esc closes this and keeps your text. The server adds the signature of the account and quotes
      this e-mail below your
      text.${
        mail.list ? ' This e-mail came from a mailing list or in bulk: a reply may reach many people, or nobody.' : ''
      }${mail.autoSubmitted ? ' A program sent this e-mail: perhaps nobody reads a reply.' : ''}
    </p>
    <div class="row end">
      ${
        mail.to.length + mail.cc.length > 1 &&
        html`<label class="check"
          ><input
            type="checkbox"
            checked=${reply.all}
            onChange=${(e: Event) => e.target instanceof HTMLInputElement && change({ all: e.target.checked })}
          />Reply to all</label
        >`
      }
      <button onClick=${close}>Cancel</button>
      <button disabled=${isBusy || isEmpty} onClick=${() => void submit('draft')}>Save as draft</button>
      <button class="primary" disabled=${isBusy || isEmpty} onClick=${() => void submit('send')}>Send</button>
    </div>
  </div>`;
}

type Mode = 'draft' | 'send';

/** The text still has gaps such as `[time]`. It was not sent. */
function Gaps({ error, onSend }: { error: ErrorBody; onSend: () => void }) {
  return html`<div class="notice warn" role="alert">
    <${Icon} name="alert" />
    <div>
      <p>
        <b><${Shown} text=${error.message} /></b>
      </p>
      <p>Fill them in, or send the text as it is.</p>
      <div class="row"><button onClick=${onSend}>Send anyway</button></div>
    </div>
  </div>`;
}

/** Sends a reply or saves it as a draft. The server sends one id only once. */
function useSubmit({ mail, draftKey, itemId, isMarkdown = false }: Props, reply: Reply, close: () => void) {
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const isShown = useRef(true);
  useEffect(() => () => void (isShown.current = false), []);
  const fail = (mode: Mode, failure: ErrorBody) => {
    // It may have been sent. A person who checked and sends again means a new mail: it gets a new id.
    if (failure.code === 'TOOL_OUTCOME_UNKNOWN') setReply(draftKey, { text: reply.text, all: reply.all });
    if (isShown.current) setError(failure);
    // The box is closed, but the person still has to see the error.
    else
      showToast(
        `${mode === 'send' ? 'Reply not sent' : 'Draft not saved'} ("${mail.subject}"): ${failure.message}`,
        'bad',
      );
  };
  const submit = async (mode: Mode, more: { allowGaps?: true } = {}) => {
    const body = {
      ...{ mode, ...more, [isMarkdown ? 'markdown' : 'text']: reply.text },
      ...(reply.all && { all: true }),
      ...(itemId !== undefined && { draftOf: itemId }),
    };
    const content = JSON.stringify(body);
    const id = reply.lastRequest?.body === content ? reply.lastRequest.id : crypto.randomUUID();
    setReply(draftKey, { ...reply, lastRequest: { body: content, id } });
    setIsBusy(true);
    setError(undefined);
    try {
      const { note, gaps = [] } = await request<{ note?: string; gaps?: readonly string[] }>(
        'POST',
        path`/api/emails/${mail.id}/reply`,
        {
          body: { ...body, id },
        },
      );
      const done = `${mode === 'send' ? 'Sent from' : 'Saved as a draft in'} ${mail.accountId}.`;
      const more = [
        ...(note === undefined ? [] : [note]),
        ...(gaps.length > 0 ? [`It has gaps: ${gaps.join(', ')}.`] : []),
      ];
      showToast([done, ...more].join(' '), more.length > 0 ? 'warn' : 'info');
      close();
      void refreshMails([mail.id]);
    } catch (thrown) {
      fail(mode, errorOfThrown(thrown));
    }
    setIsBusy(false);
  };
  return { submit, error, isBusy };
}

function recipient({ from, replyTo, to, own }: MailEntry): string {
  const [first] = own ? to : replyTo.length > 0 ? replyTo : from;
  if (first === undefined) return 'nobody';
  return first.name === '' ? first.address : `${first.name} <${first.address}>`;
}
