import { html } from 'htm/preact';
import type { ItemView, MailEntry, ReplyProposal } from '../http/api-types.ts';
import { visible } from '../widget/visible.ts';
import type { Reply } from './replies.ts';

interface Props {
  readonly mail: MailEntry;
  readonly reply: Reply;
  /** What the reply begins with; undefined until it is loaded. */
  readonly proposal: ReplyProposal | undefined;
  readonly onChange: (part: Partial<Reply>) => void;
}

const FIELDS = [
  ['to', 'To'],
  ['cc', 'Cc'],
  ['bcc', 'Bcc'],
  ['subject', 'Subject'],
] as const;

/** Recipients and subject of a reply, and the results that go along. */
export function ReplyFields({ mail, reply, proposal, onChange }: Props) {
  const known = { to: proposal?.to.join(', '), cc: proposal?.cc.join(', '), bcc: '', subject: proposal?.subject };
  return html`<div class="reply-fields">
      ${FIELDS.map(
        ([name, label]) =>
          html`<label key=${name}
            ><span>${label}</span
            ><input
              value=${visible(reply[name] ?? known[name] ?? '')}
              onInput=${(e: InputEvent) => e.target instanceof HTMLInputElement && onChange({ [name]: e.target.value })}
          /></label>`,
      )}
    </div>
    <${Attachments} items=${itemsOf(mail)} chosen=${reply.attachments ?? []} onChange=${onChange} />`;
}

/** The results of all runs of a mail, each once. */
function itemsOf({ runs }: MailEntry): readonly ItemView[] {
  return [...new Map(runs.flatMap(({ items }) => items.map((item) => [item.id, item]))).values()];
}

function Attachments({
  items,
  chosen,
  onChange,
}: {
  items: readonly ItemView[];
  chosen: readonly string[];
  onChange: Props['onChange'];
}) {
  if (items.length === 0) return null;
  const toggle = (id: string) =>
    onChange({ attachments: chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id] });
  return html`<details class="reply-files" open=${chosen.length > 0}>
    <summary class="muted">Attach results${chosen.length > 0 && ` (${chosen.length})`}</summary>
    <div class="row">
      ${items.map(
        ({ id, label, mimeType }) =>
          html`<label key=${id} class="check"
            ><input type="checkbox" checked=${chosen.includes(id)} onChange=${() => toggle(id)} />${visible(
              label || mimeType,
            )}</label
          >`,
      )}
    </div>
  </details>`;
}

/** What a reply says beyond its text. Addresses are sent only where the person changed them. */
export function fieldsOf(reply: Reply, proposal: ReplyProposal | undefined): Readonly<Record<string, unknown>> {
  const { to, cc, bcc = '', subject, all, attachments = [] } = reply;
  const isOwn = to !== undefined || cc !== undefined;
  const list = (text: string) => (text.trim() === '' ? [] : [text.trim()]);
  return {
    ...(isOwn && { to: list(to ?? proposal?.to.join(', ') ?? ''), cc: list(cc ?? proposal?.cc.join(', ') ?? '') }),
    ...(!isOwn && all && { all }),
    ...(bcc.trim() !== '' && { bcc: list(bcc) }),
    ...(subject !== undefined && { subject }),
    ...(attachments.length > 0 && { attachments }),
  };
}
