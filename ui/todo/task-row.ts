import { html } from 'htm/preact';
import type { Task, TaskStatus } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { StatusChip } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { Age, fullTime } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { cancelTask, isOpenTask, PRIORITIES, retryTask, shiftPriority } from './tasks.ts';

/** The chip of a run that is in the same state. */
const LIKE_RUN = {
  pending: 'queued',
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<TaskStatus, string>;

/** One task with its buttons. The whole row takes the focus, for the keys of the page. */
export function TaskRow({ task }: { readonly task: Task }) {
  const { id, title, assignedTo, status, waitingFor, priority, dueAt, createdAt, runId, summary, error } = task;
  const isWaiting = status === 'running' && waitingFor !== undefined;
  const result = error?.message ?? summary ?? '';
  return html`<li id=${`task-${id}`} class="task" tabindex="0" aria-label=${`${visible(title)}, ${status}`}>
    <span class="what">
      <b><${Shown} text=${title} /></b>
      <span class="muted"
        >${assignedTo}${dueAt !== undefined && ` · due ${fullTime(dueAt)}`} · added <${Age} at=${createdAt}
      /></span>
      ${result !== '' && html`<span class=${error === undefined ? 'muted' : 'bad-text'}><${Shown} text=${result} /></span>`}
    </span>
    <span class="row end">
      ${priority !== 'normal' && html`<span class=${`chip ${priority === 'low' ? 'quiet' : 'wait'}`}>${priority}</span>`}
      <${StatusChip} status=${isWaiting ? 'waiting' : LIKE_RUN[status]} waitingFor=${waitingFor} />
      ${runId !== undefined && html`<a href=${hrefOf('runs', runId)} title="Open run (o)">Open run</a>`}
      ${status === 'pending' && html`<${PriorityButtons} task=${task} />`}
      ${
        isOpenTask(task) &&
        html`<button
          class="bare danger for-admin"
          aria-label=${`Cancel ${visible(title)}`}
          title="Cancel (#)"
          onClick=${() => void cancelTask(task)}
        >
          <${Icon} name="cross" />
        </button>`
      }
      ${
        (status === 'failed' || status === 'cancelled') &&
        html`<button class="for-admin" title="Try again (R)" onClick=${() => void retryTask(task)}>
          <${Icon} name="refresh" />Try again
        </button>`
      }
    </span>
  </li>`;
}

function PriorityButtons({ task }: { readonly task: Task }) {
  const { title, priority } = task;
  return html`<button
      class="bare for-admin"
      aria-label=${`Raise the priority of ${visible(title)}`}
      title="Raise the priority (+)"
      disabled=${priority === PRIORITIES.at(-1)}
      onClick=${() => void shiftPriority(task, 1)}
    >
      <span class="up"><${Icon} name="down" /></span>
    </button>
    <button
      class="bare for-admin"
      aria-label=${`Lower the priority of ${visible(title)}`}
      title="Lower the priority (-)"
      disabled=${priority === PRIORITIES[0]}
      onClick=${() => void shiftPriority(task, -1)}
    >
      <${Icon} name="down" />
    </button>`;
}
