import { html } from 'htm/preact';
import type { ApprovalView } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { ApprovalTimes } from './approval-head.ts';
import { QuestionForm, QuestionText } from './question-form.ts';

interface Props {
  readonly approval: ApprovalView;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
}

/** A question of a run, with the field that answers it, as a card among the approvals. */
export function QuestionCard({ approval, isCurrent, onFocus }: Props) {
  const { id, runId, requestedBy, email, createdAt } = approval;
  return html`<article
    id=${`approval-${id}`}
    class=${`approval question${isCurrent ? ' current' : ''}`}
    tabindex="-1"
    aria-labelledby=${`title-${id}`}
    aria-current=${isCurrent ? 'true' : undefined}
    onFocusIn=${onFocus}
  >
    <header>
      <${Icon} name="help" />
      <h2 id=${`title-${id}`}><b>${requestedBy.directorId}</b> asks you</h2>
      <${Age} at=${createdAt} />
    </header>
    <${QuestionText} question=${approval} />
    <p class="muted">
      ${
        email !== undefined &&
        html`About${' '}
          <a href=${hrefOf('inbox', email.id)}><${Shown} text=${email.subject || '(no subject)'} /></a
          >${' from '}<${Shown} text=${email.from} />${' · '}`
      }<a href=${hrefOf('runs', runId)}>Open the run</a>
    </p>
    <${ApprovalTimes} approval=${approval} />
    <${QuestionForm} key=${id} question=${approval} />
  </article>`;
}
