import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import type { Run } from '../http/api-types.ts';
import { isActive } from '../mail/tree-rows.ts';
import { useKeys } from '../shell/keys.ts';
import { go } from '../shell/route.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { attempt } from '../widget/toast.ts';
import { canRetry, canRunAgain, isOutage, isStopped, retryRuns, runAgain } from './retry.ts';
import { cancelRun, loadRuns, runs } from './runs.ts';

/** Ids of the marked runs. */
export const marked = signal<ReadonlySet<string>>(new Set());

/** Marks a run, or takes the mark away. */
export function toggleMark(id: string): void {
  const next = new Set(marked.value);
  if (!next.delete(id)) next.add(id);
  marked.value = next;
}

/** Takes the marks of runs away that were started again: the next try must not start them once more. */
const unmarkThese = (ids: readonly string[]) =>
  (marked.value = new Set([...marked.value].filter((id) => !ids.includes(id))));
const unmark = () => (marked.value = new Set());

/** What can be done with the marked runs, or with the failed ones that are listed while none is marked. */
export function MarkBar() {
  const open = runs.items.value.filter((run) => run.status !== undefined);
  const chosen = open.filter(({ id }) => marked.value.has(id));
  return chosen.length > 0 ? html`<${Marked} chosen=${chosen} />` : html`<${Failed} open=${open} />`;
}

function Marked({ chosen }: { chosen: readonly Run[] }) {
  const active = chosen.filter(({ status }) => isActive(status));
  const failed = chosen.filter(canRetry).map(({ id }) => id);
  const ended = chosen.filter((run) => !canRetry(run) && canRunAgain(run));
  const again = async () => {
    if (failed.length > 0 && !(await retryRuns(failed))) return;
    unmarkThese(failed);
    if (ended.length === 0 || (await runAgain(ended, (id) => unmarkThese([id])))) unmark();
  };
  const cancel = async () => {
    const title = `Cancel ${active.length === 1 ? 'this run' : `${active.length} runs`}?`;
    const text = 'They stop now, with their agents. Results made so far stay.';
    if (!(await confirm({ title, text, action: 'Cancel' }))) return;
    await attempt(async () => {
      for (const { id } of active) await cancelRun(id);
    });
    unmark();
    await loadRuns();
  };
  const compare = () => {
    const [a, b, ...more] = chosen;
    // The older one is on the left.
    if (a !== undefined && b !== undefined && more.length === 0) go('runs', ['compare', b.id, a.id]);
  };
  useKeys({ c: compare, R: () => void again(), X: () => active.length > 0 && void cancel() });
  const count = failed.length + ended.length;
  return html`<div class="marks">
    <span>${chosen.length} marked</span>
    <button
      disabled=${chosen.length !== 2}
      title=${chosen.length === 2 ? 'Compare side by side (c)' : 'Mark two runs to compare them (c)'}
      onClick=${compare}
    >
      Compare
    </button>
    ${
      count > 0 &&
      html`<button class="for-admin" title="Run again (R)" onClick=${() => void again()}>
        <${Icon} name="refresh" />${ended.length === 0 ? `Retry ${count}` : `Run ${count} again`}
      </button>`
    }
    ${
      active.length > 0 &&
      html`<button class="danger for-admin" title="Cancel (X)" onClick=${() => void cancel()}>
        <${Icon} name="cross" />Cancel ${active.length}
      </button>`
    }
    <button aria-keyshortcuts="N" title="Clear the marks (N)" onClick=${unmark}>Clear</button>
  </div>`;
}

/** Repeats all failed runs that are listed, or those that no model answered, objectives that wait for it included. */
function Failed({ open }: { open: readonly Run[] }) {
  const retried = open.filter(canRetry);
  if (retried.length === 0) return null;
  const state = retried.some(isStopped) ? 'failed or stopped' : 'failed';
  const ids = retried.map(({ id }) => id);
  const outages = retried.filter(isOutage).map(({ id }) => id);
  return html`<div class="marks">
    <span>${ids.length} ${state}</span>
    ${
      outages.length > 0 &&
      outages.length < ids.length &&
      html`<button
        class="for-admin"
        aria-keyshortcuts="O"
        title="Retry the runs that failed or stopped since no model answered (O)"
        onClick=${() => void retryRuns(outages)}
      >
        Retry ${outages.length} ${outages.length === 1 ? 'outage' : 'outages'}
      </button>`
    }
    <button class="for-admin" aria-keyshortcuts="A" title="Retry all (A)" onClick=${() => void retryRuns(ids)}>
      <${Icon} name="refresh" />Retry all
    </button>
  </div>`;
}
