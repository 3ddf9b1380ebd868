import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { Field, SelectField, TextField } from '../chat/form/field.ts';
import { errorOfThrown } from '../http/request.ts';
import { keyed, MAIN_KEY, useKeys } from '../shell/keys.ts';
import { go, hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import { addTask, assignees, EMPTY_TASK, PRIORITIES, typedTask } from './tasks.ts';

const change = (part: Partial<typeof EMPTY_TASK>) => (typedTask.value = { ...typedTask.value, ...part });

/** The form of a new task. */
export function NewTask() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorBody | undefined>(undefined);
  useEffect(() => assignees.reload('all'), []);
  useKeys({ u: () => go('todos') });
  const { data = [], error } = assignees.state.value;
  const { title, instructions, dueAt, priority } = typedTask.value;
  const assignedTo = typedTask.value.assignedTo || (data[0]?.value ?? '');
  const isReady = title.trim() !== '' && assignedTo !== '' && !isBusy;
  const add = async () => {
    if (!isReady) return;
    setIsBusy(true);
    try {
      await addTask({ title, assignedTo, instructions, priority, ...(dueAt !== '' && { dueAt }) });
      typedTask.value = EMPTY_TASK;
      showToast('Added.');
      go('todos', [], { replace: true });
    } catch (thrown) {
      setFailure(errorOfThrown(thrown));
      setIsBusy(false);
    }
  };
  return html`<div class="page">
    <p class="crumb">
      <a href=${hrefOf('todos')}><${Icon} name="back" />All tasks</a>
    </p>
    <h1>New task</h1>
    ${[failure, error].map((one) => one !== undefined && html`<${ErrorNotice} key=${one.code} error=${one} />`)}
    <form
      class="chat-form wish-form"
      onSubmit=${(event: Event) => {
        event.preventDefault();
        void add();
      }}
    >
      <${TextField} label="Title" value=${title} onInput=${(text: string) => change({ title: text })} />
      <${SelectField}
        label="For"
        value=${assignedTo}
        options=${data.map(({ value, name }) => [value, name] as const)}
        onChoose=${(value: string) => change({ assignedTo: value })}
      />
      <${TextField}
        label="Instructions"
        rows=${5}
        value=${instructions}
        onInput=${(text: string) => change({ instructions: text })}
      />
      <${Field} label="Due" hint="Empty: at once. A time in the time zone of the settings.">
        ${(described: object) =>
          html`<input
            type="datetime-local"
            ...${described}
            value=${dueAt}
            onInput=${({ target }: InputEvent) => target instanceof HTMLInputElement && change({ dueAt: target.value })}
          />`}
      <//>
      <${SelectField}
        label="Priority"
        hint="Of the tasks that are due, the highest starts first."
        value=${priority}
        options=${PRIORITIES.map((one) => [one, one] as const)}
        onChoose=${(value: string) => change({ priority: value })}
      />
      <div class="row end">
        <button ...${keyed(MAIN_KEY, 'Add')} class="primary" disabled=${!isReady}>Add task</button>
      </div>
    </form>
  </div>`;
}
