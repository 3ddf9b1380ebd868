import { html } from 'htm/preact';
import type { ObjectiveView } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Age, fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { isOpen } from './objectives.ts';
import { costText, StateChip, waitsForUser, waitText, wishOf } from './waiting.ts';

/** One objective on the board: a link to it. */
export function ObjectiveCard({ objective }: { readonly objective: ObjectiveView }) {
  const { id, directorId, subject, followUp, lastActionTime, createdAt, error, paused } = objective;
  const wish = wishOf(objective);
  const wait = waitText(objective);
  const cost = costText(objective);
  return html`<li>
    <a
      id=${`objective-${id}`}
      class=${`objective-card${waitsForUser(objective) ? ' yours' : ''}`}
      href=${hrefOf('objectives', id)}
    >
      <span class="line"
        ><b class="wish"><${Shown} text=${wish} /></b><${Age} at=${lastActionTime ?? createdAt} />
      </span>
      ${subject !== '' && !wish.startsWith(subject) && html`<span class="muted"><${Icon} name="mail" /><${Shown} text=${subject} /></span>`}
      ${wait !== '' && html`<span class="wait-line"><${Shown} text=${wait} /></span>`}
      ${error !== undefined && html`<span class="bad-text"><${Shown} text=${error.message} /></span>`}
      ${
        followUp.nextAt !== null &&
        isOpen(objective) &&
        html`<span class="muted"
          ><${Icon} name="clock" />follow-up ${followUp.sent + 1} of ${followUp.max}: ${fullTime(followUp.nextAt)}</span
        >`
      }
      <span class="line foot">
        <span class="muted">${directorId}</span>
        <span class="row">
          ${cost !== '' && html`<span class="muted">${cost}</span>`}
          ${(paused || objective.outcome === 'gaveUp' || objective.outcome === 'cancelled') && html`<${StateChip} objective=${objective} />`}
        </span>
      </span>
    </a>
  </li>`;
}
