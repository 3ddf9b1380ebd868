import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { useKeys } from '../shell/keys.ts';
import { mayDo } from '../shell/person.ts';
import { go, route } from '../shell/route.ts';
import { Choice } from '../widget/choice.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { NewTask } from './new-task.ts';
import { TaskRow } from './task-row.ts';
import { cancelTask, loadTasks, retryTask, shiftPriority, shownLists, shownTasks, tasksInOrder } from './tasks.ts';
import { TodoList } from './todo-list.ts';
import { loadTodos } from './todos.ts';

/** Word of the address that is no id: `#/todos/new`. */
const NEW = 'new';

const VIEWS = [
  ['open', 'Open'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
] as const;

/** Tasks for directors and agents, and below them the local to-do list; or the form of a new task. */
export function TasksScreen() {
  return route.value.ids[0] === NEW ? html`<${NewTask} />` : html`<${Lists} />`;
}

function Lists() {
  useEffect(() => void loadTasks({ open: true }), []);
  const tasks = tasksInOrder(Date.now());
  const error = shownLists().find((list) => list.error.value !== undefined)?.error.value;
  const withMore = shownLists().filter(({ nextCursor }) => nextCursor.value !== null);
  const start = () => mayDo('admin') && go('todos', [NEW]);
  const current = () => tasks.find(({ id }) => document.activeElement?.closest('.task')?.id === `task-${id}`);
  const onCurrent = (act: (task: (typeof tasks)[number]) => Promise<void>) => () => {
    const task = current();
    if (task !== undefined && mayDo('admin')) void act(task);
  };
  useKeys({
    'j': () => moveFocus(1),
    'k': () => moveFocus(-1),
    'n': start,
    '+': onCurrent((task) => shiftPriority(task, 1)),
    '-': onCurrent((task) => shiftPriority(task, -1)),
    '#': onCurrent(cancelTask),
    'R': onCurrent(retryTask),
    'o': () => {
      const runId = current()?.runId;
      if (runId !== undefined) go('runs', [runId]);
    },
    'r': () => {
      void loadTasks();
      void loadTodos();
    },
  });
  return html`<div class="page">
    <header class="tasks-head">
      <h1>Tasks and to-dos</h1>
      <button class="primary for-admin" title="New task (n)" onClick=${start}><${Icon} name="plus" />New task</button>
    </header>
    <section class="task-part" aria-labelledby="tasks-title">
      <div class="tasks-head">
        <h2 id="tasks-title">Tasks</h2>
        <${Choice}
          label="Which tasks"
          nextKey="V"
          options=${VIEWS}
          value=${shownTasks.value}
          onChoose=${(view: (typeof VIEWS)[number][0]) => {
            shownTasks.value = view;
            void loadTasks();
          }}
        />
      </div>
      ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
      ${tasks.length === 0 && error === undefined && html`<${NoTasks} />`}
      ${
        tasks.length > 0 &&
        html`<ul class="tasks">
          ${tasks.map((task) => html`<${TaskRow} key=${task.id} task=${task} />`)}
        </ul>`
      }
      ${
        withMore.length > 0 &&
        html`<div class="more">
          <button
            aria-keyshortcuts="L"
            title="Load more tasks (L)"
            onClick=${() => void Promise.all(withMore.map((list) => list.load({ more: true })))}
          >
            Load more tasks
          </button>
        </div>`
      }
    </section>
    <${TodoList} />
  </div>`;
}

function NoTasks() {
  if (shownTasks.value !== 'open') return html`<p class="muted none">No ${shownTasks.value} tasks.</p>`;
  return html`<${Empty} icon="check" title="No open tasks.">
    <p>A task is work for a director or an agent, now or for later. <b>New task</b> adds one.</p>
  <//>`;
}

/** Gives the next or previous task the focus; without one, the first. */
function moveFocus(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.task')];
  const from = rows.findIndex((row) => row.contains(document.activeElement));
  rows[from < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, from + step))]?.focus();
}
