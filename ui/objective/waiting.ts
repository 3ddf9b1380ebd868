import { html } from 'htm/preact';
import type { ObjectiveOutcome, ObjectiveStatus, ObjectiveWait } from '../../engine/src/run/objective/objective.ts';
import type { ObjectiveView } from '../http/api-types.ts';
import type { Tone } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';

const STATES: Readonly<Record<ObjectiveStatus, readonly [tone: Tone, icon: string, text: string]>> = {
  pending: ['quiet', 'clock', 'pending'],
  in_progress: ['busy', 'spark', 'in progress'],
  waiting: ['quiet', 'clock', 'waiting'],
  done: ['ok', 'check', 'done'],
  error: ['bad', 'alert', 'error'],
};

/** What waits for the user: the page shows these first. */
const YOURS: ReadonlySet<ObjectiveWait> = new Set(['draft', 'answer', 'approval']);

const OUTCOMES: Readonly<Record<ObjectiveOutcome, string>> = {
  reached: 'reached',
  gaveUp: 'gave up',
  cancelled: 'cancelled',
};

/** Whether the objective goes on only after the user has done something. */
export function waitsForUser({ status, waitingFor, paused }: ObjectiveView): boolean {
  return !paused && status === 'waiting' && waitingFor !== null && YOURS.has(waitingFor);
}

/** Who or what a waiting objective waits for, as a sentence part; `''` where it does not wait. */
export function waitText({ status, waitingFor, silentRecipients }: ObjectiveView): string {
  if (status !== 'waiting' || waitingFor === null) return '';
  const people = silentRecipients.slice(0, 2).join(', ');
  const more = silentRecipients.length > 2 ? ` and ${silentRecipients.length - 2} more` : '';
  return {
    draft: 'waits for you to send the draft',
    reply: people === '' ? 'waits for a reply' : `waits for a reply of ${people}${more}`,
    date: 'waits for its date',
    answer: 'waits for your answer',
    approval: 'waits for your approval',
    limit: 'waits for a limit of an api',
  }[waitingFor];
}

/** The status of an objective as a chip: `paused`, or the status with its outcome. */
export function StateChip({ objective }: { readonly objective: ObjectiveView }) {
  const { status, paused, outcome } = objective;
  if (paused) return html`<span class="chip wait"><${Icon} name="pause" />paused</span>`;
  const [tone, icon, text] = STATES[status];
  const words = outcome === null || outcome === 'reached' ? text : OUTCOMES[outcome];
  return html`<span class=${`chip ${waitsForUser(objective) ? 'wait' : tone}`}><${Icon} name=${icon} />${words}</span>`;
}

/** What the user wants, or until that is known what the objective is about. */
export function wishOf({ userQuery, proposal, subject }: ObjectiveView): string {
  return userQuery || proposal || subject || 'No wish yet';
}

/** The cost as text; `''` where nothing was spent or a price is unknown. */
export function costText({ cost }: Pick<ObjectiveView, 'cost'>): string {
  return cost === 0 || cost === null ? '' : `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}
