import { html } from 'htm/preact';
import type { Plan, PlanStep, StepStatus } from '../../engine/src/run/plan/plan-record.ts';
import type { Tone } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { Shown } from '../widget/visible.ts';

/** Colour, icon and words of each status of a step. */
const STYLES: Readonly<Record<StepStatus, readonly [tone: Tone, icon: string, word: string]>> = {
  pending: ['quiet', 'clock', 'to do'],
  running: ['busy', 'spark', 'at work'],
  passed: ['ok', 'check', 'done'],
  failed: ['bad', 'alert', 'failed'],
  unchecked: ['wait', 'info', 'done, not checked'],
  skipped: ['quiet', 'cross', 'skipped'],
};

/** The plan of a run: its steps with what became of each, and what the engine changed in it. Nothing without a plan. */
export function PlanSteps({ plan }: { readonly plan: Plan | undefined }) {
  if (plan === undefined) return null;
  const { steps, notes, leftOut = [] } = plan;
  return html`<section class="plan" aria-label="Plan">
    <h2 class="section">Plan</h2>
    <ol>
      ${steps.map((step) => html`<${Step} key=${step.number} step=${step} />`)}
    </ol>
    ${leftOut.length > 0 && html`<p class="muted">No room for: <${Shown} text=${leftOut.join('; ')} /></p>`}
    ${notes.map((note, i) => html`<p key=${i} class="muted"><${Shown} text=${note} /></p>`)}
  </section>`;
}

function Step({ step }: { readonly step: PlanStep }) {
  const { number, title, task, tool, status, tries } = step;
  const [tone, icon, word] = STYLES[status];
  return html`<li>
    <details>
      <summary>
        <span class=${`dot ${tone}`}><${Icon} name=${icon} /></span>
        <span class="plan-title">${number}. <${Shown} text=${title} /></span>
        <span class="muted">${word}${tries.length > 1 && ` after ${tries.length} tries`}</span>
      </summary>
      <p><${Shown} text=${task} /></p>
      ${tool !== undefined && html`<p class="muted">Tool: <code>${tool}</code></p>`}
      ${tries.map(
        ({ threadId, verdict, reason, output }, i) =>
          html`<div key=${threadId} class="plan-try">
            <p class="muted">Try ${i + 1}: ${verdict}${reason !== '' && html`. <${Shown} text=${reason} />`}</p>
            <p class="words"><${Shown} text=${output} /></p>
          </div>`,
      )}
    </details>
  </li>`;
}
