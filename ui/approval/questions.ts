import { signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { ApprovalView } from '../http/api-types.ts';
import { ApiError, path, request } from '../http/request.ts';
import { shownRun } from '../run/runs.ts';
import { attempt, showToast } from '../widget/toast.ts';
import { approvals } from './approvals.ts';

/** Unsent answers by the id of their question. They stay while other pages are shown. */
export const answers = signal<ReadonlyMap<string, string>>(new Map());

/** Keeps an unsent answer, or forgets it. */
export function keepAnswer(id: string, text: string): void {
  const next = new Map(answers.value);
  if (text === '') next.delete(id);
  else next.set(id, text);
  answers.value = next;
}

/** The open question of a run, among the fetched approvals; undefined where there is none. */
export function questionOf(runId: string): ApprovalView | undefined {
  return approvals.items.value.find((entry) => entry.kind === 'question' && entry.runId === runId);
}

/** Says that nobody can answer any more: somebody else did, or the run is over. */
const OVER: ReadonlySet<string> = new Set(['QUESTION_ANSWERED', 'RUN_NOT_ACTIVE', 'RUN_NOT_ASKING', 'NOT_FOUND']);

/** Sends the answer to a question. The server accepts only the first one. Resolves to the error where it waits on. */
export async function sendAnswer({ id, runId }: ApprovalView, text: string): Promise<ErrorBody | undefined> {
  let refusal: ErrorBody | undefined;
  await attempt(async () => {
    try {
      await request('POST', path`/api/runs/${runId}/message`, { body: { message: text, questionId: id } });
      showToast('Answered. The run continues.');
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status === 0 || thrown.status >= 500) throw thrown;
      if (!OVER.has(thrown.body.code)) {
        refusal = thrown.body;
        return;
      }
      showToast(thrown.message, 'warn');
    }
    keepAnswer(id, '');
    approvals.items.value = approvals.items.value.filter((entry) => entry.id !== id);
    shownRun.refresh();
  });
  return refusal;
}
