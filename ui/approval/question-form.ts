import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { ApprovalView } from '../http/api-types.ts';
import { mayDo } from '../shell/person.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown, visible } from '../widget/visible.ts';
import { decide } from './approvals.ts';
import { answers, keepAnswer, sendAnswer } from './questions.ts';
import { digitOf, keyed, MAIN_KEY, nearKeyed } from '../shell/keys.ts';

/** The text of a question. Line breaks stay. */
export function QuestionText({ question }: { readonly question: ApprovalView }) {
  return html`<p class="question-text"><${Shown} text=${String(question.arguments['question'] ?? '')} /></p>`;
}

/** The field that answers a question: its choices as buttons, and a text of one's own. Ctrl+Enter sends it. */
export function QuestionForm({ question }: { readonly question: ApprovalView }) {
  const { id } = question;
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorBody | undefined>(undefined);
  const text = answers.value.get(id) ?? '';
  const isEmpty = text.trim() === '';
  const work = async (send: () => Promise<ErrorBody | undefined>) => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(await send());
    setIsBusy(false);
  };
  const answer = (words: string) => work(() => sendAnswer(question, words));
  const choices = choicesOf(question);
  if (!mayDo('approver')) return html`<p class="muted">People with the role approver can answer.</p>`;
  return html`<div class="question-form" aria-busy=${isBusy ? 'true' : undefined}>
    ${failure !== undefined && html`<${ErrorNotice} error=${failure} />`}
    ${
      choices.length > 0 &&
      html`<div class="row choices" role="group" aria-label="Suggested answers">
        ${choices.map(
          (choice, i) =>
            html`<button
              ...${nearKeyed(digitOf(i), visible(choice))}
              key=${choice}
              disabled=${isBusy}
              onClick=${() => void answer(choice)}
            >
              <${Shown} text=${choice} />
            </button>`,
        )}
      </div>`
    }
    <label class="field"
      ><span>${choices.length > 0 ? 'Or in your own words' : 'Your answer'}</span
      ><textarea
        rows="2"
        spellcheck="true"
        value=${text}
        onInput=${(e: InputEvent) => e.target instanceof HTMLTextAreaElement && keepAnswer(id, e.target.value)}
      ></textarea>
    </label>
    <div class="row">
      <button
        ...${keyed(MAIN_KEY, 'Answer')}
        class="primary"
        disabled=${isBusy || isEmpty}
        onClick=${() => void answer(text.trim())}
      >
        <${Icon} name="check" />Answer
      </button>
      <button
        ...${nearKeyed('N', 'The run is told that you do not answer, and goes on without')}
        disabled=${isBusy}
        onClick=${() => void work(() => decide(id, { decision: 'deny' }))}
      >
        Don’t answer
      </button>
    </div>
  </div>`;
}

function choicesOf({ arguments: { choices } }: ApprovalView): readonly string[] {
  return Array.isArray(choices) ? choices.map(String) : [];
}
