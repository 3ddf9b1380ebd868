import { html } from 'htm/preact';
import { useRef } from 'preact/hooks';
import type { ApprovalView } from '../http/api-types.ts';
import { formatValue } from '../http/json.ts';
import { path } from '../http/request.ts';
import { nearKeyed, useKeys } from '../shell/keys.ts';
import { mayDo } from '../shell/person.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';
import { openAlways } from './always-dialog.ts';
import { ApprovalHead, ApprovalTimes } from './approval-head.ts';
import type { Decision } from './approvals.ts';
import { ArgumentsEditor } from './arguments-editor.ts';
import { CallPreview } from './call-preview.ts';
import { type Edit, editOf, parseEdit, useDraft } from './edits.ts';
import { hold } from './held.ts';
import { readPreview } from './preview.ts';

interface Props {
  readonly approval: ApprovalView;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
}

/**
 * A tool call that waits for a person. `y` allows the current card, `n` denies it, `e` edits its arguments, but not those of a
 * command-line agent, which runs its own input.
 */
export function ApprovalCard({ approval, isCurrent, onFocus }: Props) {
  const { id } = approval;
  const card = useRef<HTMLElement>(null);
  const edit = editOf(approval);
  const mayAnswer = mayDo('approver');
  const canEdit = approval.kind !== 'permission';
  const parsed = parseEdit(edit.text.value);
  const isEdited = edit.text.value !== edit.original;
  const stored = readPreview(approval.preview);
  // A mail of an earlier version, or one whose account did not answer in time, has no preview yet.
  const hasNoPreview = stored === undefined && approval.tool.startsWith('mail_');
  useDraft(id, edit, mayAnswer && (edit.isOpen.value || isEdited || hasNoPreview));

  const answer = (decision: Omit<Decision, 'reason' | 'arguments'>) => {
    if (decision.decision === 'allow' && !parsed.ok) return;
    edit.failure.value = undefined;
    hold(approval, {
      ...decision,
      ...(decision.decision === 'allow' && isEdited && parsed.ok && { arguments: parsed.value }),
      ...(edit.reason.value.trim() !== '' && { reason: edit.reason.value.trim() }),
    });
  };
  const startEdit = () => {
    if (!canEdit) return;
    edit.isOpen.value = true;
    // The editor is on the page after the next frame.
    requestAnimationFrame(() =>
      card.current?.querySelector<HTMLElement>('.arguments :is(textarea, input, select, button)')?.focus(),
    );
  };
  return html`<article
    ref=${card}
    id=${`approval-${id}`}
    class=${`approval${isCurrent ? ' current' : ''}`}
    tabindex="-1"
    aria-labelledby=${`title-${id}`}
    aria-current=${isCurrent ? 'true' : undefined}
    onFocusIn=${onFocus}
  >
    ${isCurrent && mayAnswer && html`<${Keys} allow=${() => answer({ decision: 'allow' })} deny=${() => answer({ decision: 'deny' })} edit=${startEdit} />`}
    <${ApprovalHead} approval=${approval} titleId=${`title-${id}`} />
    <${CallView} approval=${approval} edit=${edit} isEdited=${isEdited} />
    ${
      edit.isOpen.value
        ? html`<${ArgumentsEditor} edit=${edit} id=${`arguments-${id}`} />`
        : edit.failure.value !== undefined && html`<${ErrorNotice} error=${edit.failure.value} />`
    }
    <${ApprovalTimes} approval=${approval} />
    <div class="row decide">
      <button class="primary" title="Allow (y)" disabled=${!parsed.ok} onClick=${() => answer({ decision: 'allow' })}>
        <${Icon} name="check" />${isEdited ? 'Allow with edits' : 'Allow'}<kbd>y</kbd>
      </button>
      <button class="danger" title="Deny (n)" onClick=${() => answer({ decision: 'deny' })}>
        <${Icon} name="cross" />Deny<kbd>n</kbd>
      </button>
      ${canEdit && html`<${EditButtons} edit=${edit} isEdited=${isEdited} start=${startEdit} />`}
      <label class="reason"
        ><span class="sr">Reason</span
        ><input
          placeholder="Reason for the agent (optional)"
          value=${edit.reason.value}
          onInput=${(e: InputEvent) => e.target instanceof HTMLInputElement && (edit.reason.value = e.target.value)}
      /></label>
    </div>
    <${Remember}
      approval=${approval}
      isDisabled=${isEdited}
      isCurrent=${isCurrent}
      forRun=${() => answer({ decision: 'allow', remember: 'run' })}
      always=${() => openAlways(approval)}
    />
  </article>`;
}

function EditButtons({ edit, isEdited, start }: { edit: Edit; isEdited: boolean; start: () => void }) {
  const undo = () => {
    edit.text.value = edit.original;
    edit.draft.value = undefined;
    edit.refusal.value = undefined;
    edit.failure.value = undefined;
    edit.isOpen.value = false;
  };
  if (!edit.isOpen.value)
    return html`<button class="for-approver" title="Edit the arguments (e)" onClick=${start}>
      <${Icon} name="edit" />Edit<kbd>e</kbd>
    </button>`;
  return html`<button ...${nearKeyed('Z', isEdited ? 'Undo edits' : 'Close editor')} onClick=${undo}>
    ${isEdited ? 'Undo edits' : 'Close editor'}
  </button>`;
}

/** Preview, warnings and exact arguments: of the edited call where the server has seen it. */
function CallView({ approval, edit, isEdited }: { approval: ApprovalView; edit: Edit; isEdited: boolean }) {
  const isOfText = edit.draftText.value === edit.text.value;
  // The call as it was asked needs no answer of the server.
  const draft = isEdited || isOfText ? edit.draft.value : undefined;
  const shown = (draft && readPreview(draft.preview)) ?? readPreview(approval.preview);
  const isFresh = !isEdited || (draft !== undefined && isOfText && edit.refusal.value === undefined);
  const warnings = draft?.warnings ?? approval.warnings ?? [];
  const parsed = parseEdit(edit.text.value);
  const args = formatValue(parsed.ok ? parsed.value : approval.arguments);
  return html`${!isFresh && html`<p class="edited">${parsed.ok && edit.refusal.value === undefined ? 'Checking your edits…' : 'This is the call before your last edits.'}</p>`}
  ${
    shown !== undefined &&
    html`<${CallPreview}
      preview=${shown}
      bodyUrl=${isEdited ? undefined : path`/api/approvals/${approval.id}/body.html`}
    />`
  }
  ${warnings.map(
    (text) =>
      html`<p key=${text} class="notice warn">
        <${Icon} name="alert" /><span><${Shown} text=${text} /></span>
      </p>`,
  )}
  ${
    !edit.isOpen.value &&
    html`<details class="exact" open>
      <summary>
        <${Icon} name="chevron" className="turn" />Exact arguments${isEdited && html` <b class="edited">edited</b>`}
      </summary>
      <pre class="mono" tabindex="0" role="group" aria-label="Exact arguments"><${Shown} text=${args} /></pre>
    </details>`
  }`;
}

interface RememberProps {
  readonly approval: ApprovalView;
  /** An edited call is no call that was asked about: it is allowed once. */
  readonly isDisabled: boolean;
  /** The keys act on the current card. */
  readonly isCurrent: boolean;
  readonly forRun: () => void;
  readonly always: () => void;
}

/** The buttons that answer later calls of the same kind too. */
function Remember({ approval: { canRemember = [] }, isDisabled, isCurrent, forRun, always }: RememberProps) {
  if (canRemember.length === 0) return null;
  return html`<div class="row remember">
    ${
      canRemember.includes('run') &&
      html`<button
        disabled=${isDisabled}
        aria-keyshortcuts=${isCurrent ? 'S' : undefined}
        title="This call, and later calls of this run with the same arguments (S)"
        onClick=${forRun}
      >
        Allow the same for this run
      </button>`
    }
    ${
      canRemember.includes('always') &&
      html`<button
        class="for-admin"
        disabled=${isDisabled}
        aria-keyshortcuts=${isCurrent ? 'A' : undefined}
        title="Shows first what changes in the config (A)"
        onClick=${always}
      >
        Always allow…
      </button>`
    }
  </div>`;
}

/** Binds the keys of a card while that card is the current one. */
function Keys({ allow, deny, edit }: { allow: () => void; deny: () => void; edit: () => void }) {
  useKeys({ y: allow, n: deny, e: edit });
  return null;
}
