import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ItemView, MailEntry, RunView, WorkspaceItem } from '../http/api-types.ts';
import { askItem } from '../item/add-item.ts';
import { ItemCard } from '../item/card.ts';
import { RunNotices } from '../run/run-notices.ts';
import { useKeys } from '../shell/keys.ts';
import { hrefOf } from '../shell/route.ts';
import { ScriptedBadge, StatusChip } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { Age } from '../widget/time.ts';
import { isActive, latestRuns } from './tree-rows.ts';

interface Props {
  readonly mail: MailEntry;
  /** Items with their data, by id. */
  readonly full: ReadonlyMap<string, WorkspaceItem>;
}

/** The results of a mail by run: the newest run of each director, its earlier ones folded below it. */
export function RunSections({ mail, full }: Props) {
  // A failure or a wait must not be below the results of others.
  const shown = latestRuns(mail).toSorted((a, b) => Number(isNoticed(b)) - Number(isNoticed(a)));
  return html`${shown.map((run) => {
    const earlier = mail.runs.filter((other) => other.directorId === run.directorId && !other.latest);
    return html`<div key=${run.id} class="director">
      <${RunCards} mailId=${mail.id} run=${run} full=${full} />
      ${earlier.length > 0 && html`<${EarlierRuns} mailId=${mail.id} runs=${earlier} full=${full} />`}
    </div>`;
  })}`;
}

interface RunsProps {
  readonly mailId: string;
  readonly runs: readonly RunView[];
  readonly full: Props['full'];
}

function EarlierRuns({ mailId, runs, full }: RunsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const label = runs.length === 1 ? '1 earlier run' : `${runs.length} earlier runs`;
  return html`<details
    class="earlier"
    onToggle=${(e: Event) => e.target instanceof HTMLDetailsElement && e.target === e.currentTarget && setIsOpen(e.target.open)}
  >
    <summary><${Icon} name="chevron" className="turn" />${label} of ${runs[0]?.directorName}</summary>
    ${isOpen && runs.map((run) => html`<${RunCards} key=${run.id} mailId=${mailId} run=${run} full=${full} />`)}
  </details>`;
}

/** Name of the agent, director or person that made an item. */
function makerOf({ agentName, createdBy }: ItemView, { directorName }: RunView): string {
  if (createdBy === 'user') return 'you';
  return agentName ?? (createdBy === 'director' ? directorName : createdBy);
}

/** Whether a person may have to do something about a run. */
const isNoticed = ({ error, status }: RunView) => error !== undefined || status === 'waiting';

function noResults({ status }: RunView): string {
  if (isActive(status)) return 'No results yet.';
  return status === 'completed' ? 'Completed without a result.' : 'No results.';
}

function AddButton({ run: { id, workspaceId } }: { run: RunView }) {
  const add = () => askItem({ workspaceId, runId: id });
  useKeys({ n: add });
  return html`<button class="bare for-admin" title="Add a result (n)" aria-label="Add a result" onClick=${add}>
    <${Icon} name="plus" />
  </button>`;
}

function RunCards({ mailId, run, full }: { mailId: string; run: RunView; full: Props['full'] }) {
  return html`<section class="run-cards">
    <h2>
      <${Icon} name="director" /><a href=${hrefOf('inbox', mailId, run.id)}>${run.directorName}</a>
      <${StatusChip} status=${run.status} waitingFor=${run.waitingFor} />${run.scripted && html`<${ScriptedBadge} />`}
      ${!run.latest && html`<${Age} at=${run.createdAt} />`} ${run.latest && html`<${AddButton} run=${run} />`}
    </h2>
    <${RunNotices} run=${run} linksRun=${true} runHref=${(id: string) => hrefOf('inbox', mailId, id)} />
    ${run.items.length === 0 && !isNoticed(run) && html`<p class="muted">${noResults(run)}</p>`}
    <div class="cards">
      ${run.items.map((item) => {
        const href = hrefOf('inbox', mailId, run.id, item.id);
        return html`<${ItemCard}
          key=${item.id}
          item=${item}
          maker=${makerOf(item, run)}
          full=${full.get(item.id)}
          href=${href}
        />`;
      })}
    </div>
  </section>`;
}
