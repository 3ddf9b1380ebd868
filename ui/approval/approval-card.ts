import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import type { ApprovalView } from '../http/api-types.ts';
import { formatValue } from '../http/json.ts';
import { useKeys } from '../shell/keys.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Age } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { decide } from './approvals.ts';
import { Diff, DIFF } from './diff.ts';
import { Letter } from './letter.ts';

interface Props {
  readonly approval: ApprovalView;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
}

/** A tool call that waits for approval, with its arguments and buttons. `y` allows the current card, `n` denies it. */
export function ApprovalCard({ approval, isCurrent, onFocus }: Props) {
  // Hidden characters are escaped, which is the same JSON.
  const original = visible(formatValue(approval.arguments));
  const [text, setText] = useState(original);
  const [reason, setReason] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const isDiff = approval.preview.mimeType === DIFF;
  const [isOpen, setIsOpen] = useState(approval.letter === undefined && !isDiff);
  const area = useRef<HTMLTextAreaElement>(null);
  const parsed = parseJson(text);
  const isEdited = text !== original;

  const answer = async (decision: 'allow' | 'deny') => {
    if (isBusy || (decision === 'allow' && !parsed.ok)) return;
    setIsBusy(true);
    await decide(approval.id, {
      decision,
      ...(decision === 'allow' && isEdited && parsed.ok && { arguments: parsed.value }),
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    });
    setIsBusy(false);
  };
  const edit = () => {
    const details = area.current?.closest('details');
    if (details) details.open = true;
    area.current?.focus();
  };
  return html`<article
    class=${`approval${isCurrent ? ' current' : ''}`}
    aria-current=${isCurrent ? 'true' : undefined}
    onFocusIn=${onFocus}
  >
    ${isCurrent && html`<${Keys} allow=${() => void answer('allow')} deny=${() => void answer('deny')} edit=${edit} />`}
    <${Head} approval=${approval} /><${About} email=${approval.email} />
    ${approval.reason !== '' && html`<p class="muted"><${Shown} text=${approval.reason} /></p>`}
    ${approval.letter !== undefined && html`<${Letter} letter=${approval.letter} args=${approval.arguments} isEdited=${isEdited} />`}
    ${isDiff && html`<${Diff} text=${approval.preview.data} isEdited=${isEdited} />`}
    <details
      open=${isOpen}
      onToggle=${(e: Event) => e.target instanceof HTMLDetailsElement && setIsOpen(e.target.open)}
    >
      <summary>
        <${Icon} name="chevron" className="turn" />Arguments${isEdited && html` <b class="edited">edited</b>`}
      </summary>
      <textarea
        ref=${area}
        class="mono"
        spellcheck="false"
        aria-label="Arguments"
        rows=${Math.min(14, text.split('\n').length)}
        value=${text}
        aria-invalid=${parsed.ok ? undefined : 'true'}
        onInput=${(e: InputEvent) => e.target instanceof HTMLTextAreaElement && setText(e.target.value)}
      ></textarea>
    </details>
    ${!parsed.ok && html`<p class="bad-text" role="alert">Not valid JSON: ${parsed.message}</p>`}
    ${(approval.warnings ?? []).map(
      (text) =>
        html`<p key=${text} class="notice warn">
          <${Icon} name="alert" /><span><${Shown} text=${text} /></span>
        </p>`,
    )}
    <div class="row">
      <button class="primary" disabled=${isBusy || !parsed.ok} onClick=${() => void answer('allow')}>
        <${Icon} name="check" />${isEdited ? 'Allow with edits' : 'Allow'}<kbd>y</kbd>
      </button>
      <button class="danger" disabled=${isBusy} onClick=${() => void answer('deny')}>
        <${Icon} name="cross" />Deny<kbd>n</kbd>
      </button>
      ${isEdited && html`<button onClick=${() => setText(original)}>Undo edits</button>`}
      <label class="reason"
        ><span class="sr">Reason</span
        ><input
          placeholder="Reason for the agent (optional)"
          value=${reason}
          onInput=${(e: InputEvent) => e.target instanceof HTMLInputElement && setReason(e.target.value)}
      /></label>
    </div>
  </article>`;
}

function Head({ approval }: { approval: ApprovalView }) {
  const { agentId, directorId } = approval.requestedBy;
  const requester = agentId === undefined ? directorId : `${agentId} for ${directorId === '' ? 'you' : directorId}`;
  return html`<header>
    <${Icon} name="shield" />
    <h2 class="mono"><${Shown} text=${approval.tool} /></h2>
    <span class="muted">requested by <b>${requester}</b> · <${Age} at=${approval.createdAt} /></span>
    <a href=${hrefOf('runs', approval.runId)}>Open run</a>
  </header>`;
}

/** The mail that the run works on. */
function About({ email }: Pick<ApprovalView, 'email'>) {
  if (email === undefined) return null;
  return html`<p class="about">
    <${Icon} name="mail" /><a href=${hrefOf('results', email.id)}
      ><${Shown} text=${email.subject || '(no subject)'} /></a
    ><span class="muted">from <${Shown} text=${email.from} /></span>
  </p>`;
}

/** Binds the keys of a card while that card is the current one. */
function Keys({ allow, deny, edit }: { allow: () => void; deny: () => void; edit: () => void }) {
  useKeys({ y: allow, n: deny, e: edit });
  return null;
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
