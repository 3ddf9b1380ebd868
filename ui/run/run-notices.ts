import { html } from 'htm/preact';
import { QuestionForm, QuestionText } from '../approval/question-form.ts';
import { questionOf } from '../approval/questions.ts';
import type { ApprovalView, Run } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { fullTime } from '../widget/time.ts';
import { canRetry, isOutage, isStopped, RetryButton } from './retry.ts';

const WAITS: Readonly<Record<string, string>> = {
  answer: 'The run waits for the answer to a question: it is on the page Approvals.',
  draft: 'The run waits until you send its draft.',
  reply: 'The run waits for a reply.',
  date: 'The run waits for a date.',
  limit: 'The run has reached a limit and continues by itself.',
};

type Noticed = Pick<
  Run,
  'id' | 'status' | 'directorId' | 'waitingFor' | 'limit' | 'until' | 'error' | 'outage' | 'retriedBy' | 'retryOf'
>;

interface Props {
  readonly run: Noticed;
  /** Address of a run. */
  readonly runHref: (runId: string) => string;
  /** Whether it links to the run; not needed on the page of the run. */
  readonly linksRun?: boolean;
}

/** Why a run failed or waits, and what to do about it. Nothing for a run that is well. */
export function RunNotices({ run, runHref, linksRun = false }: Props) {
  const question = questionOf(run.id);
  return html`${
    run.error !== undefined &&
    html`<${ErrorNotice} error=${run.error}>
      ${isOutage(run) && canRetry(run) && run.error.hint === undefined && html`<p>No model answered. Run it again when the provider is back.</p>`}
      <div class="row">
        <${RetryButton} run=${run} />
        ${linksRun && html`<a href=${runHref(run.id)}>See what happened</a>`}
        ${run.retriedBy !== undefined && html`<span>It was run again: <a href=${runHref(run.retriedBy)}>open the later run</a></span>`}
      </div>
    <//>`
  }
  ${
    isStopped(run) &&
    html`<div class="row">
      <${RetryButton} run=${run} />
      <span>No model answered. The objective goes on where it was.</span>
    </div>`
  }
  ${
    question !== undefined
      ? html`<${Asking} question=${question} />`
      : run.status === 'waiting' && html`<${Waiting} run=${run} />`
  }`;
}

/** The open question of a run, with the field that answers it. */
function Asking({ question }: { question: ApprovalView }) {
  return html`<section class="notice ask" aria-label="Question of the run">
    <${Icon} name="help" />
    <div>
      <p><b>The run asks you a question, and waits for your answer.</b></p>
      <${QuestionText} question=${question} />
      <${QuestionForm} key=${question.id} question=${question} />
    </div>
  </section>`;
}

function Waiting({ run }: { run: Noticed }) {
  const { waitingFor, limit, until = '' } = run;
  return html`<div class="notice warn">
    <${Icon} name="clock" />
    <div>
      ${
        waitingFor === 'approval'
          ? html`<p><b>The run waits for your decision.</b> <a href=${hrefOf('approvals')}>Open approvals</a></p>`
          : html`<p>
              ${
                limit === undefined
                  ? (WAITS[waitingFor ?? ''] ?? `The run waits for ${waitingFor ?? 'something'}.`)
                  : `The run has reached the limit of ${limit} and continues by itself at ${fullTime(until)}.`
              }
            </p>`
      }
    </div>
  </div>`;
}
