import { mayDo } from '../shell/person.ts';
import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { Todo } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Age } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { loadMoreTodos, loadTodos, deleteTodo, setDone, todos, todosError } from './todos.ts';
import { nearKeyed } from '../shell/keys.ts';

/** The local to-do list: open to-dos first, then done ones. */
export function TodoList() {
  useEffect(() => void loadTodos(), []);
  const [open, done] = [todos.open.value?.items.length, todos.done.value?.items.length];
  return html`<section class="todo-part" aria-labelledby="todos-title">
    <h2 id="todos-title">To-dos</h2>
    ${todosError.value !== undefined && html`<${ErrorNotice} error=${todosError.value} />`}
    ${
      open === 0 &&
      html`<${Empty} icon="list" title="No open to-dos.">
        <p>
          To-dos that a director or an agent adds with <code>todo_add</code> appear here. Lists at Google and Microsoft
          are not shown here.
        </p>
      <//>`
    }
    <${Rows} status="open" />
    ${
      done !== undefined &&
      done > 0 &&
      html`<h3>Done</h3>
        <${Rows} status="done" />`
    }
  </section>`;
}

function Rows({ status }: Pick<Todo, 'status'>) {
  const { items, cursor } = todos[status].value ?? { items: [], cursor: null };
  if (items.length === 0) return null;
  return html`<ul class="todos">
      ${items.map((todo) => html`<${Row} key=${todo.id} todo=${todo} />`)}
    </ul>
    ${cursor !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void loadMoreTodos(status)}>Load more</button></div>`}`;
}

function Row({ todo }: { todo: Todo }) {
  const { title, notes, due, status, createdAt, emailId, closedBy } = todo;
  const isDone = status === 'done';
  const onDelete = async () => {
    const text = 'This cannot be undone.';
    if (await confirm({ title: 'Delete this to-do?', text, action: 'Delete' })) await deleteTodo(todo);
  };
  const onChange = async ({ target: box }: Event) => {
    if (!(box instanceof HTMLInputElement)) return;
    const row = box.closest('li');
    const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('input');
    // The browser ticks the box before the server answers; on an error the tick is undone.
    if (!(await setDone(todo, box.checked))) box.checked = isDone;
    // The row moves to the other list; the focus goes to its neighbour, for people who use the keyboard.
    else if (document.activeElement === document.body) next?.focus();
  };
  return html`<li class=${isDone ? 'done' : ''}>
    <label>
      <input
        type="checkbox"
        disabled=${!mayDo('admin')}
        checked=${isDone}
        onChange=${(event: Event) => void onChange(event)}
      />
      <span class="what">
        <b><${Shown} text=${title} /></b>
        ${notes !== undefined && html`<span class="muted"><${Shown} text=${notes} /></span>`}
      </span>
    </label>
    <span class="row end">
      ${closedBy === 'reply' && html`<span class="chip quiet">closed by a reply</span>`}
      ${emailId !== undefined && html`<a href=${hrefOf('inbox', emailId)}>Open e-mail</a>`}
      ${due !== undefined && html`<span class="chip quiet">due ${due}</span>`}
      ${createdAt !== undefined && html`<${Age} at=${createdAt} />`}
      <button
        ...${nearKeyed('X', 'Delete')}
        class="bare danger for-admin"
        aria-label=${`Delete ${visible(title)}`}
        onClick=${() => void onDelete()}
      >
        <${Icon} name="trash" />
      </button>
    </span>
  </li>`;
}
