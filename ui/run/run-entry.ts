import { html } from 'htm/preact';
import type { Run } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { StatusChip, StatusDot } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { duration } from '../widget/number.ts';
import { Age } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { marked, toggleMark } from './run-marks.ts';
import { titleOf } from './run-title.ts';
import { runFilter } from './runs.ts';

/** A run in the list: title first, then who, how long, what it cost and its state. */
export function RunEntry({ entry, isSelected }: { entry: Run; isSelected: boolean }) {
  // The server sends only id, director and error of a run that is damaged in the store.
  if (entry.status === undefined)
    return html`<p class="tree-row bad-text">
      <${Icon} name="alert" /><${Shown} text=${entry.error?.message ?? entry.id} />
    </p>`;
  const { id, status, waitingFor, limit, error, summary } = entry;
  const title = titleOf(entry);
  // The summary of a run that only repeats its subject says nothing new.
  const more = error?.message ?? (summary === title ? '' : summary);
  const query = runFilter.value;
  return html`<div class="run-entry">
    <input
      type="checkbox"
      title="Mark (x)"
      aria-label=${`Mark ${visible(title)}`}
      checked=${marked.value.has(id)}
      onChange=${() => toggleMark(id)}
    />
    <a
      class="tree-row run-row"
      href=${`${hrefOf('runs', id)}${query === '' ? '' : `?${query}`}`}
      aria-current=${isSelected ? 'true' : undefined}
    >
      <div class="mail-line">
        <div class="line">
          <span class="from"><${Shown} text=${title} /></span><${Age} at=${entry.createdAt} />
        </div>
        <div class="line">
          <span class="subject"><${Shown} text=${entry.agentName ?? entry.directorName} /></span>
          <span class="hint">${factsOf(entry)}</span>
          ${
            status === 'failed' || status === 'waiting'
              ? html`<${StatusChip} status=${status} waitingFor=${limit ?? waitingFor} />`
              : html`<${StatusDot} status=${status} />`
          }
        </div>
        ${
          more !== '' &&
          html`<div class="line">
            <span class="snippet"><${Shown} text=${more} /></span>
          </div>`
        }
      </div>
    </a>
  </div>`;
}

/** How long a run took so far, and what it cost. */
function factsOf({ createdAt, endedAt, usage }: Run): string {
  const took = endedAt === undefined ? undefined : duration(Math.max(0, Date.parse(endedAt) - Date.parse(createdAt)));
  return [took, costOf(usage.cost)].filter((fact) => fact !== undefined).join(' · ');
}

/** A cost in as many digits as it needs: `$0.0041`, `$12.30`. */
export function costOf(cost: number | null): string {
  if (cost === null) return 'cost unknown';
  return cost === 0 ? '$0' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
}
