import { html } from 'htm/preact';
import { questionOf } from '../approval/questions.ts';
import { QuestionForm } from '../approval/question-form.ts';
import type { ObjectiveView } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';

/** What stands open: the error, the question with its answer, the call that waits for approval, the draft. */
export function Next({ objective }: { readonly objective: ObjectiveView }) {
  const { error, waitingFor, draft, status } = objective;
  return html`
    ${
      error !== undefined &&
      html`<${ErrorNotice} error=${error}
        ><p><a href=${hrefOf('runs', objective.id)}>Open the run to repeat it</a></p><//
      >`
    }
    <${Question} objective=${objective} />
    ${
      waitingFor === 'approval' &&
      html`<section class="notice warn">
        <${Icon} name="shield" />
        <p>A call waits for your decision. <a href=${hrefOf('approvals')}>Open approvals</a></p>
      </section>`
    }
    ${draft !== null && html`<${Draft} draft=${draft} isOpen=${status !== 'done' && status !== 'error'} />`}
  `;
}

function Question({
  objective: { id, question, waitingFor, proposal, userQuery },
}: {
  readonly objective: ObjectiveView;
}) {
  if (question === null || waitingFor !== 'answer') return null;
  const open = questionOf(id);
  return html`<section class="open-question" aria-labelledby="question-title">
    <h2 id="question-title"><${Icon} name="help" />It asks you</h2>
    <p class="words"><${Shown} text=${question} /></p>
    ${proposal !== undefined && userQuery === '' && html`<p class="muted">A plain yes takes the proposal: <${Shown} text=${proposal} /></p>`}
    ${open !== undefined && html`<${QuestionForm} key=${open.id} question=${open} />`}
  </section>`;
}

function Draft({
  draft: { accountId, to, at, text, isFollowUp },
  isOpen,
}: {
  readonly draft: NonNullable<ObjectiveView['draft']>;
  readonly isOpen: boolean;
}) {
  return html`<section class="open-draft" aria-labelledby="draft-title">
    <h2 id="draft-title"><${Icon} name="edit" />${isFollowUp ? 'Draft of a follow-up' : 'Draft'}</h2>
    <p class="muted">
      To <${Shown} text=${to.join(', ') || 'nobody yet'} />, in Drafts of ${accountId} since <${Age} at=${at} />.
      ${isOpen && ' Change it and send it there; both is noticed.'}
    </p>
    ${text !== undefined && html`<${LongText} text=${text} className="letter-text" />`}
  </section>`;
}
