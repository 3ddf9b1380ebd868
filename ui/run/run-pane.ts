import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { Run } from '../http/api-types.ts';
import { isActive } from '../mail/tree-rows.ts';
import { useKeys } from '../shell/keys.ts';
import { hrefOf } from '../shell/route.ts';
import { ScriptedBadge, StatusChip } from '../widget/chip.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { duration, short } from '../widget/number.ts';
import { fullTime } from '../widget/time.ts';
import { attempt } from '../widget/toast.ts';
import { Shown } from '../widget/visible.ts';
import { titleOf } from './run-title.ts';
import { PlanSteps } from './plan-steps.ts';
import { canRetry, canRunAgain, runAgain } from './retry.ts';
import { RunNotices } from './run-notices.ts';
import { RunResults } from './run-results.ts';
import { RunSpend } from './run-spend.ts';
import { canSaveTest, saveTest } from './save-test.ts';
import { type CallPlace, Transcript } from './transcript.ts';
import { cancelRun, shownRun } from './runs.ts';

interface Props {
  readonly runId: string;
  /** Address of an item of the run. */
  readonly itemHref: (itemId: string) => string;
  /** Address of another run, for the one that repeats it and the one that it repeats. */
  readonly runHref: (runId: string) => string;
  /** The tool call to show, and the thread that contains it. */
  readonly place?: (CallPlace & { readonly threadId: string }) | undefined;
  /** Whether it links to its e-mail; not needed when the screen shows the e-mail already. */
  readonly linksMail?: boolean;
}

/** One run: its state, what it waits for, usage and cost, results and transcript. */
export function RunPane({ runId, itemHref, runHref, place, linksMail = false }: Props) {
  useEffect(() => shownRun.show(runId), [runId]);
  const { key, data: run, error } = shownRun.state.value;
  if (key !== runId || (run === undefined && error === undefined)) return html`<div class="body"></div>`;
  if (run === undefined)
    return html`<div class="body pad">${error !== undefined && html`<${ErrorNotice} error=${error} />`}</div>`;
  return html`<header class="head">
      <div class="title">
        <h1><${Shown} text=${linksMail ? titleOf(run) : (run.agentName ?? run.directorName)} /></h1>
        <p class="sub">
          ${linksMail && html`<span>${run.agentName ?? run.directorName}</span>`}
          <${StatusChip} status=${run.status} waitingFor=${run.waitingFor} />
          ${run.scripted && html`<${ScriptedBadge} />`}
          ${run.sessionId !== undefined && html`<span>agent session</span>`}
          <span>${fullTime(run.createdAt)}</span>
          ${run.startedByName !== undefined && run.startedBy !== 'local' && html`<span>started by <${Shown} text=${run.startedByName} /></span>`}
          ${linksMail && run.emailId !== undefined && html`<a href=${hrefOf('inbox', run.emailId, run.id)}>Open e-mail</a>`}
        </p>
      </div>
      ${
        isActive(run.status) &&
        html`<div class="row">
          <button class="danger for-admin" title="Cancel the run (X)" onClick=${() => void confirmCancel(run.id)}>
            <${Icon} name="cross" />Cancel run
          </button>
          <${Key} name="X" act=${() => void confirmCancel(run.id)} />
        </div>`
      }
      ${
        canRunAgain(run) &&
        !canRetry(run) &&
        html`<div class="row">
          <button class="for-admin" title="Run it again (R)" onClick=${() => void runAgain([run])}>
            <${Icon} name="refresh" />Run again
          </button>
          <${Key} name="R" act=${() => void runAgain([run])} />
        </div>`
      }
      ${
        canSaveTest(run) &&
        html`<div class="row">
          <button class="for-admin" title="Save as test (T)" onClick=${() => void saveTest(run)}>
            <${Icon} name="check" />Save as test
          </button>
          <${Key} name="T" act=${() => void saveTest(run)} />
        </div>`
      }
    </header>
    <div class="body pad">
      <${RunNotices} run=${run} runHref=${runHref} /><${Repeats} run=${run} runHref=${runHref} />
      <${Facts} run=${run} /><${RunSpend} run=${run} /><${PlanSteps} plan=${run.plan} /><${RunResults}
        run=${run}
        itemHref=${itemHref}
      />
      ${
        place !== undefined && place.threadId !== threadOf(run)
          ? html`<h2 class="section">Transcript of the agent</h2>
              <${Transcript} key=${place.threadId} threadId=${place.threadId} place=${place} />
              <p><a href=${runHref(run.id)}>Show the transcript of the run</a></p>`
          : html`<h2 class="section">Transcript</h2>
              <${Transcript} key=${threadOf(run)} threadId=${threadOf(run)} place=${place} />`
      }
    </div>`;
}

/** The run that this one repeats, and the calls that a person decides because the earlier run carried them out. */
function Repeats({ run, runHref }: { run: Run; runHref: Props['runHref'] }) {
  const { retryOf, doneBefore = [] } = run;
  if (retryOf === undefined) return null;
  return html`<p class="muted">
    This run repeats <a href=${runHref(retryOf)}>an earlier one</a>.
    ${doneBefore.length > 0 && ` It already carried out ${doneBefore.join(', ')}: each such call waits for your approval.`}
  </p>`;
}

/** The thread to show. A run of a session with an agent shows the thread of the whole session. */
const threadOf = ({ sessionId, dirThreadId }: Run) => sessionId ?? dirThreadId;

function Facts({ run }: { run: Run }) {
  const { turns, inputTokens, outputTokens, cost } = run.usage;
  const end = run.endedAt === undefined ? Date.now() : Date.parse(run.endedAt);
  return html`<dl class="facts">
    <div>
      <dt>Turns</dt>
      <dd>${turns}</dd>
    </div>
    <div>
      <dt>Tokens in / out</dt>
      <dd>${short(inputTokens)} / ${short(outputTokens)}</dd>
    </div>
    <div>
      <dt>Cost</dt>
      <dd>${cost === null ? 'unknown' : `$${cost.toFixed(4)}`}</dd>
    </div>
    <div>
      <dt>Duration</dt>
      <dd>${duration(Math.max(0, end - Date.parse(run.createdAt)))}</dd>
    </div>
    <div>
      <dt>Model</dt>
      <dd>${run.apis.map((api) => `${api.id}${api.model ? ` · ${api.model}` : ''}`).join(', ') || '–'}</dd>
    </div>
    <div>
      <dt>Config revision</dt>
      <dd class="mono" title=${run.revision}>${run.revision.slice(0, 8)}</dd>
    </div>
  </dl>`;
}

/** Binds a key while its button is on the page. */
function Key({ name, act }: { name: string; act: () => void }) {
  useKeys({ [name]: act });
  return null;
}

async function confirmCancel(id: string): Promise<void> {
  const text = 'The run and its agents stop now. Results made so far stay.';
  if (await confirm({ title: 'Cancel this run?', text, action: 'Cancel run' })) await attempt(() => cancelRun(id));
}

/** The right pane while no run is selected. */
export function NoRun() {
  return html`<${Empty} icon="director" title="Select a run to see its details" />`;
}
