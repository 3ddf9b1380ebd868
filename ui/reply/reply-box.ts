import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { MailEntry, ReplyProposal } from '../http/api-types.ts';
import { refreshMails } from '../mail/mails.ts';
import { useFocus } from '../widget/focus.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import { Shown, visible } from '../widget/visible.ts';
import { holdReply, replyErrors, setReplyError, takeBack } from './held.ts';
import { fieldsOf, ReplyFields } from './reply-fields.ts';
import { type Reply, setReply, replies } from './replies.ts';
import { keyed, MAIN_KEY, nearKeyed } from '../shell/keys.ts';

/** What the reply to a mail begins with. The key: the id of the mail, and whether it goes to all. */
const proposal = createResource((key, signal) => {
  const [id = '', all = 'false'] = key.split(' ');
  return request<ReplyProposal>('GET', path`/api/emails/${id}/reply?all=${all}`, { signal });
});

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
  // Whoever opens the text again, to correct or to discard it, does not want it sent.
  useEffect(() => void takeBack(draftKey), [draftKey]);
  const reply = replies.value.get(draftKey) ?? { text, all: false };
  const change = (part: Partial<Reply>) => setReply(draftKey, { ...reply, ...part });
  const close = () => {
    setReply(draftKey, undefined);
    onClose();
  };
  const key = `${mail.id} ${reply.all}`;
  useEffect(() => proposal.show(key), [key]);
  const proposed = proposal.state.value.key === key ? proposal.state.value.data : undefined;
  const { submit, error, isBusy } = useSubmit(props, reply, proposed, close);
  const setAll = (all: boolean) => {
    // The recipients are again those that are proposed.
    const { to: _to, cc: _cc, ...rest } = reply;
    setReply(draftKey, { ...rest, all });
  };
  const isEmpty = reply.text.trim() === '';
  const onKeyDown = (event: KeyboardEvent) => {
    // The text stays: only Cancel discards it.
    if (event.key === 'Escape') onClose();
  };
  return html`<div class="editor" data-part onKeyDown=${onKeyDown}>
    ${
      error?.code === 'REPLY_HAS_GAPS'
        ? html`<${Gaps} error=${error} onSend=${() => void submit('send', { allowGaps: true })} />`
        : error !== undefined && html`<${ErrorNotice} error=${error} />`
    }
    <${ReplyFields} mail=${mail} reply=${reply} proposal=${proposed} onChange=${change} />
    <label class="field grow">
      <span>Reply to <${Shown} text=${recipient(mail)} /></span>
      <textarea
        spellcheck="true"
        ref=${area}
        value=${reply.text}
        onInput=${(e: InputEvent) => e.target instanceof HTMLTextAreaElement && change({ text: e.target.value })}
      ></textarea>
    </label>
    ${proposed?.signature !== undefined && html`<pre class="signature" aria-label="Signature">${visible(proposed.signature)}</pre>`}
    <p class="muted">
      Ctrl+Enter sends, with ten seconds to take it back. Esc closes this and keeps your text. The server adds the
      signature of the account and quotes this e-mail below your
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
            onChange=${(e: Event) => e.target instanceof HTMLInputElement && setAll(e.target.checked)}
          />Reply to all</label
        >`
      }
      <button ...${nearKeyed('Q', 'Close, and drop this text')} onClick=${close}>Cancel</button>
      <button ...${keyed('S', 'Save as draft')} disabled=${isBusy || isEmpty} onClick=${() => void submit('draft')}>
        Save as draft
      </button>
      <button
        ...${keyed(MAIN_KEY, 'Send')}
        class="primary"
        disabled=${isBusy || isEmpty}
        onClick=${() => void submit('send')}
      >
        Send
      </button>
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
      <div class="row"><button ...${keyed('Y', 'Send anyway')} onClick=${onSend}>Send anyway</button></div>
    </div>
  </div>`;
}

/** Saves a reply as a draft; or checks it and hands it on to be sent. The server sends one id only once. */
function useSubmit(
  { mail, draftKey, itemId, isMarkdown = false, onClose }: Props,
  reply: Reply,
  proposed: ReplyProposal | undefined,
  close: () => void,
) {
  const [isBusy, setIsBusy] = useState(false);
  const error = replyErrors.value.get(draftKey);
  const submit = async (mode: Mode, more: { allowGaps?: true } = {}) => {
    const fields = fieldsOf(reply, proposed);
    const body = {
      ...{ mode, ...more, ...fields, [isMarkdown ? 'markdown' : 'text']: reply.text },
      ...(itemId !== undefined && { draftOf: itemId }),
    };
    const content = JSON.stringify(body);
    const id = reply.lastRequest?.body === content ? reply.lastRequest.id : crypto.randomUUID();
    const stored: Reply = { ...reply, lastRequest: { body: content, id } };
    setReply(draftKey, stored);
    setIsBusy(true);
    setReplyError(draftKey, undefined);
    try {
      const first = mode === 'send' ? { ...body, mode: 'check' } : { ...body, id };
      const { note, gaps = [] } = await request<Answer>('POST', path`/api/emails/${mail.id}/reply`, { body: first });
      if (mode === 'send') {
        holdReply({ key: draftKey, mail, stored, body: { ...body, id } });
        onClose();
      } else {
        const more = [note ?? '', gaps.length > 0 ? `It has gaps: ${gaps.join(', ')}.` : ''].filter(
          (text) => text !== '',
        );
        showToast([`Saved as a draft in ${mail.accountId}.`, ...more].join(' '), more.length > 0 ? 'warn' : 'info');
        // What was written meanwhile stays.
        if (replies.value.get(draftKey) === stored) close();
        void refreshMails([mail.id]);
      }
    } catch (thrown) {
      setReplyError(draftKey, errorOfThrown(thrown));
    }
    setIsBusy(false);
  };
  return { submit, error, isBusy };
}

interface Answer {
  readonly note?: string;
  readonly gaps?: readonly string[];
}

function recipient({ from, replyTo, to, own }: MailEntry): string {
  const [first] = own ? to : replyTo.length > 0 ? replyTo : from;
  if (first === undefined) return 'nobody';
  return first.name === '' ? first.address : `${first.name} <${first.address}>`;
}
