import { html } from 'htm/preact';
import type { RunStatus } from '../http/api-types.ts';
import { Icon } from './icon.ts';

/** Meaning of a colour. */
export type Tone = 'ok' | 'busy' | 'wait' | 'bad' | 'quiet';

const STATUS_STYLES: Readonly<Record<RunStatus, readonly [tone: Tone, icon: string]>> = {
  queued: ['quiet', 'clock'],
  running: ['busy', 'spark'],
  waiting: ['wait', 'clock'],
  completed: ['ok', 'check'],
  failed: ['bad', 'alert'],
  cancelled: ['quiet', 'cross'],
};

/** The status of a run as text, with what it waits for. */
export function statusLabel(status: RunStatus, waitingFor?: string): string {
  return status === 'waiting' && waitingFor !== undefined ? `waiting for ${waitingFor}` : status;
}

/** The status of a run as a chip with icon and text. */
export function StatusChip({ status, waitingFor }: { status: RunStatus; waitingFor?: string }) {
  const [tone, icon] = STATUS_STYLES[status];
  return html`<span class=${`chip ${tone}`}><${Icon} name=${icon} />${statusLabel(status, waitingFor)}</span>`;
}

/** The status of a run as an icon, for lists. The text is in the tooltip, also for screen readers. */
export function StatusDot({ status, waitingFor }: { status: RunStatus; waitingFor?: string }) {
  const [tone, icon] = STATUS_STYLES[status];
  const word = statusLabel(status, waitingFor);
  return html`<span class=${`dot ${tone}`} role="img" aria-label=${word} title=${word}><${Icon} name=${icon} /></span>`;
}

/** A badge for results of the scripted model. */
export function ScriptedBadge() {
  return html`<span
    class="chip scripted"
    title="The scripted model answers from fixed rules. Set an API key to use a real model."
    >scripted, no AI</span
  >`;
}
