import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { ApprovalCard } from './approval-card.ts';
import { waiting } from './held.ts';
import { QuestionCard } from './question-card.ts';

/** The calls and questions of a run that wait for a person. */
export const waitingOf = (runId: string | undefined) =>
  runId === undefined ? [] : waiting.value.filter((approval) => approval.runId === runId);

/** The cards of what waits in a run, inside a conversation. The card with the focus has the keys `y`, `n` and `e`. */
export function WaitingCards({ runId }: { readonly runId: string | undefined }) {
  const [currentId, setCurrentId] = useState('');
  return html`${waitingOf(runId).map(
    (approval) =>
      html`<${approval.kind === 'question' ? QuestionCard : ApprovalCard}
        key=${approval.id}
        approval=${approval}
        isCurrent=${approval.kind !== 'question' && approval.id === currentId}
        onFocus=${() => setCurrentId(approval.id)}
      />`,
  )}`;
}
