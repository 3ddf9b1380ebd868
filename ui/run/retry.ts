import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { path, request } from '../http/request.ts';
import type { Run, RunRetries } from '../http/api-types.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { attempt, showToast } from '../widget/toast.ts';
import { loadRuns, shownRun } from './runs.ts';

/** Most runs that one request may repeat. */
const MAX_IDS = 200;

/** Whether a run can be repeated: it failed, was not repeated yet, and is of a director. */
export function canRetry({ status, retriedBy, directorId }: Pick<Run, 'status' | 'retriedBy' | 'directorId'>): boolean {
  return status === 'failed' && retriedBy === undefined && directorId !== '';
}

/** The button that repeats a failed run; nothing for others. */
export function RetryButton({ run }: { run: Pick<Run, 'id' | 'status' | 'retriedBy' | 'directorId'> }) {
  const [isBusy, setIsBusy] = useState(false);
  if (!canRetry(run)) return null;
  const retry = async () => {
    setIsBusy(true);
    await attempt(async () => {
      await request<Run>('POST', path`/api/runs/${run.id}/retry`, { body: {} });
      showToast('The run was started again.');
    });
    shownRun.refresh();
    await loadRuns();
    setIsBusy(false);
  };
  return html`<button disabled=${isBusy} onClick=${() => void retry()}><${Icon} name="refresh" />Retry</button>`;
}

/** Repeats several failed runs after a confirmation. Resolves to whether it was done. */
export async function retryRuns(ids: readonly string[]): Promise<boolean> {
  const count = ids.length === 1 ? 'this run' : `${ids.length} runs`;
  const text =
    'Each starts again from its e-mail or message. Calls that already changed something wait for your approval.';
  if (!(await confirm({ title: `Run ${count} again?`, text, action: 'Retry', isSafe: true }))) return false;
  const isDone = await attempt(async () => {
    let started = 0;
    const refused: string[] = [];
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const part = ids.slice(from, from + MAX_IDS).map(encodeURIComponent);
      const result = await request<RunRetries>('POST', `/api/runs/retry?ids=${part.join(',')}`, { body: {} });
      started += result.retried.length;
      refused.push(...result.refused.map(({ error }) => error.message));
    }
    const not = refused.length === 0 ? '' : ` ${refused.length} could not be: ${refused[0]}`;
    showToast(
      `${started} ${started === 1 ? 'run was' : 'runs were'} started again.${not}`,
      not === '' ? 'info' : 'warn',
    );
  });
  await loadRuns();
  return isDone;
}
