import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { Todo } from '../http/shapes.ts';
import { useKeys } from '../shell/keys.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Age } from '../widget/time.ts';
import { loadTodos, remove, tick, todos, todosCursor, todosError } from './todos.ts';

/** The local list of to-dos: what is open, then what was ticked off. */
export function TodosScreen() {
  useEffect(() => void loadTodos(), []);
  useKeys({ r: () => void loadTodos() });
  const list = todos.value;
  const of = (status: Todo['status']) => (list ?? []).filter((todo) => todo.status === status);
  const rows = (status: Todo['status']) =>
    html`<ul class="todos">
      ${of(status).map((todo) => html`<${Row} key=${todo.id} todo=${todo} />`)}
    </ul>`;
  return html`<div class="page">
    <h1>To-dos</h1>
    ${todosError.value !== undefined && html`<${ErrorNotice} error=${todosError.value} />`}
    ${
      list?.length === 0 &&
      html`<${Empty} icon="list" title="Nothing is to be done.">
        <p>
          What a director or an agent adds with <code>todo_add</code> comes here. Lists at Google and Microsoft are
          worked off there.
        </p>
      <//>`
    }
    ${of('open').length > 0 && rows('open')}
    ${
      of('done').length > 0 &&
      html`<h2>Done</h2>
        ${rows('done')}`
    }
    ${todosCursor.value !== null && html`<div class="more"><button onClick=${() => void loadTodos({ more: true })}>Load more</button></div>`}
  </div>`;
}

function Row({ todo }: { todo: Todo }) {
  const { title, notes, due, status, createdAt } = todo;
  const isDone = status === 'done';
  const drop = async () => {
    const text = 'It leaves the list for good.';
    if (await confirm({ title: 'Delete this to-do?', text, action: 'Delete' })) await remove(todo);
  };
  return html`<li class=${isDone ? 'done' : ''}>
    <label>
      <input
        type="checkbox"
        checked=${isDone}
        onChange=${(e: Event) => e.target instanceof HTMLInputElement && void tick(todo, e.target.checked)}
      />
      <span class="what">
        <b>${title}</b>
        ${notes !== undefined && html`<span class="muted">${notes}</span>`}
      </span>
    </label>
    ${due !== undefined && html`<span class="chip quiet">due ${due}</span>`}
    ${createdAt !== undefined && html`<${Age} at=${createdAt} />`}
    <button class="bare danger" aria-label=${`Delete ${title}`} title="Delete" onClick=${() => void drop()}>
      <${Icon} name="trash" />
    </button>
  </li>`;
}
