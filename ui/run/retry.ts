import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ErrorCode } from '../../engine/src/base/error-code.ts';
import { path, request } from '../http/request.ts';
import type { Run, RunRetries } from '../http/api-types.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { attempt, showToast } from '../widget/toast.ts';
import { loadRuns, shownRun } from './runs.ts';

/** Most runs that one request may repeat. */
const MAX_IDS = 200;

/** What says whether a run can be repeated. */
type Retried = Pick<Run, 'id' | 'status' | 'waitingFor' | 'outage' | 'retriedBy' | 'directorId'>;

/** Whether a run can be repeated: it failed, was not repeated yet, and is of a director; or it is an objective that can go on. */
export function canRetry(run: Omit<Retried, 'id'>): boolean {
  const { status, retriedBy, directorId } = run;
  return isStopped(run) || (status === 'failed' && retriedBy === undefined && directorId !== '');
}

/** Whether a run is an objective that asks whether to go on, since no model answered. */
export function isStopped({ status, waitingFor, outage }: Pick<Run, 'status' | 'waitingFor' | 'outage'>): boolean {
  return status === 'waiting' && waitingFor === 'answer' && outage !== undefined;
}

/** Errors of a run that no model answered, as `engine/src/run/lifecycle/outage.ts` has them. */
const OUTAGES: readonly string[] = [
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_RATE_LIMIT',
  'MODEL_NONE_AVAILABLE',
] satisfies ErrorCode[];

/** Whether a run failed or stopped since no model answered: the same run may succeed later. */
export function isOutage(run: Pick<Run, 'status' | 'waitingFor' | 'outage' | 'error'>): boolean {
  const { status, error } = run;
  return isStopped(run) || (status === 'failed' && error !== undefined && OUTAGES.includes(error.code));
}

/** The button that repeats a failed run, or lets a stopped objective go on; nothing for others. */
export function RetryButton({ run }: { run: Retried }) {
  const [isBusy, setIsBusy] = useState(false);
  if (!canRetry(run)) return null;
  const retry = async () => {
    setIsBusy(true);
    await attempt(async () => {
      await request<Run>('POST', path`/api/runs/${run.id}/retry`, { body: {} });
      showToast(isStopped(run) ? 'The objective goes on.' : 'The run was started again.');
    });
    shownRun.refresh();
    await loadRuns();
    setIsBusy(false);
  };
  return html`<button
    class="for-admin"
    aria-keyshortcuts="R"
    title="Retry (R)"
    disabled=${isBusy}
    onClick=${() => void retry()}
  >
    <${Icon} name="refresh" />Retry
  </button>`;
}

/** Whether a run that is over can be made again, whatever became of it: a director on a mail or on a person's message. */
export function canRunAgain(run: Pick<Run, 'status' | 'directorId' | 'trigger' | 'emailId'>): boolean {
  const isOver = run.status === 'completed' || run.status === 'failed' || run.status === 'cancelled';
  const { kind, message } = run.trigger;
  return (
    isOver &&
    run.directorId !== '' &&
    (kind === 'mail' ? run.emailId !== undefined : kind === 'message' && message !== undefined)
  );
}

/**
 * Starts the directors of these runs again on the same mails and messages, after a confirmation. Calls `onStarted` for each. Resolves to
 * whether all were started.
 */
export async function runAgain(again: readonly Run[], onStarted: (id: string) => void = () => {}): Promise<boolean> {
  const count = again.length === 1 ? 'this run' : `${again.length} runs`;
  const text = 'Each is a new run under the newest config. The results of the earlier runs stay.';
  if (!(await confirm({ title: `Run ${count} again?`, text, action: 'Run again', isSafe: true }))) return false;
  const isDone = await attempt(async () => {
    for (const { id, directorId, emailId, trigger } of again) {
      const body = {
        directorId,
        ...(emailId !== undefined && { emailId }),
        ...(trigger.message !== undefined && { message: trigger.message }),
      };
      await request('POST', '/api/runs', { body });
      onStarted(id);
    }
    showToast(again.length === 1 ? 'The run was started again.' : `${again.length} runs were started again.`);
  });
  await loadRuns();
  return isDone;
}

/** Repeats several failed runs after a confirmation. Resolves to whether it was done. */
export async function retryRuns(ids: readonly string[]): Promise<boolean> {
  const count = ids.length === 1 ? 'this run' : `${ids.length} runs`;
  const text =
    'Each starts again from its e-mail or message; objectives that have stopped go on where they were. Calls that already changed something wait for your approval.';
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
