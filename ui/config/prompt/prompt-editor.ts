import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import { isRecord } from '../../http/json.ts';
import { errorOfThrown, path as urlPath, request } from '../../http/request.ts';
import { Choice } from '../../widget/choice.ts';
import { confirm } from '../../widget/confirm.ts';
import { Icon } from '../../widget/icon.ts';
import { useLatest } from '../../widget/latest.ts';
import { Shown } from '../../widget/visible.ts';
import { attempt, showToast } from '../../widget/toast.ts';
import { createDocument } from '../documents.ts';
import type { FieldProps } from '../form/context.ts';
import { Help } from '../form/field.ts';
import { MapField } from '../form/map-field.ts';
import { moved, OrderList } from '../form/order-list.ts';
import { pointer } from '../form/schema.ts';
import { MessageCard, messageOf, type PromptMessage } from './message-card.ts';
import { PromptPreview } from './prompt-preview.ts';
import { keyed, nearKeyed } from '../../shell/keys.ts';

/**
 * Edits a prompt: its messages in their order, or the template that it uses. Messages come from a template, and can become one.
 */
export function PromptEditor(props: FieldProps) {
  const { context, schema, path, label, value, isRequired, onChange } = props;
  const use = isRecord(value) && typeof value['use'] === 'string' ? value['use'] : undefined;
  const messages: readonly PromptMessage[] = Array.isArray(value) ? value.map(messageOf) : [];
  const error = context.errors.get(path);
  const templates = context.idsIn('prompts');
  const canUse = context.kind !== 'prompt';
  const set = (next: readonly PromptMessage[]) => onChange(next.length === 0 && !isRequired ? undefined : next);
  // What the other choice held comes back with it.
  const kept = useRef<{ own?: unknown; template?: unknown }>({});
  const latest = useLatest(onChange);
  const choose = (kind: string) => {
    if (kind === 'own' && use !== undefined) {
      kept.current.template = value;
      if (kept.current.own !== undefined) onChange(kept.current.own);
      else void loadTemplate(use).then((loaded) => loaded && latest.current(loaded));
    }
    if (kind === 'template' && use === undefined) {
      kept.current.own = messages.length > 0 ? value : undefined;
      onChange(kept.current.template ?? { use: templates[0] ?? '' });
    }
  };
  const load = async (loaded: readonly PromptMessage[]) => {
    const text = 'The messages of the template take the place of those in the form.';
    if (messages.length === 0 || (await confirm({ title: 'Replace the messages?', text, action: 'Replace' })))
      latest.current(loaded);
  };
  const add = () => set([...messages, { role: messages.length === 0 ? 'system' : 'user', content: '' }]);
  return html`<fieldset class="form-field prompt-editor" data-path=${path}>
    <legend>${label}</legend>
    ${schema.description !== undefined && html`<p class="help-text"><${Help} text=${schema.description} /></p>`}
    ${
      canUse &&
      html`<${Choice}
        label="Kind of prompt"
        nextKey="K"
        options=${[
          ['own', 'Own messages'],
          ['template', 'A template'],
        ]}
        value=${use === undefined ? 'own' : 'template'}
        onChoose=${choose}
      />`
    }
    ${error !== undefined && html`<p class="bad-text"><${Shown} text=${error} /></p>`}
    ${
      use === undefined
        ? html`${
              messages.length > 0 &&
              html`<${OrderList}
                label="Messages"
                count=${messages.length}
                isCard=${true}
                nameOf=${(index: number) => `message ${index + 1}`}
                onMove=${(from: number, to: number) => set(moved(messages, from, to))}
                onRemove=${(index: number) => set(messages.filter((_one, i) => i !== index))}
              >
                ${(index: number) =>
                  html`<${MessageCard}
                    context=${context}
                    path=${pointer(path, index)}
                    number=${index + 1}
                    message=${messages[index]}
                    onChange=${(next: PromptMessage) => set(messages.map((one, i) => (i === index ? next : one)))}
                  />`}
              <//>`
            }
            <div class="row">
              <button ...${nearKeyed('+', 'Add message')} type="button" onClick=${add}>
                <${Icon} name="plus" />Add message
              </button>
              ${canUse && templates.length > 0 && html`<${LoadTemplate} templates=${templates} onLoad=${(loaded: readonly PromptMessage[]) => void load(loaded)} />`}
              ${canUse && messages.length > 0 && html`<${SaveTemplate} messages=${messages} />`}
            </div>`
        : html`<${UseTemplate} ...${props} use=${use} templates=${templates} />`
    }
    ${context.id !== '' && html`<${Preview} context=${context} prompt=${value} />`}
  </fieldset>`;
}

/** The preview, which asks the server only while it is open. */
function Preview({ context, prompt }: Pick<FieldProps, 'context'> & { readonly prompt: unknown }) {
  const [isOpen, setOpen] = useState(false);
  return html`<details
    class="form-group"
    onToggle=${(event: Event) => event.target instanceof HTMLDetailsElement && setOpen(event.target.open)}
  >
    <summary><b>Preview</b><span class="muted"> with the variables of an e-mail</span></summary>
    ${isOpen && html`<${PromptPreview} context=${context} prompt=${prompt} />`}
  </details>`;
}

/** The messages of a template; undefined where it cannot be read. */
async function loadTemplate(id: string): Promise<readonly PromptMessage[] | undefined> {
  let loaded: readonly PromptMessage[] | undefined;
  await attempt(async () => {
    const { messages } = await request<{ readonly messages?: readonly unknown[] }>('GET', urlPath`/api/prompts/${id}`);
    loaded = (messages ?? []).map(messageOf);
  });
  return loaded;
}

interface LoadProps {
  readonly templates: readonly string[];
  readonly onLoad: (messages: readonly PromptMessage[]) => void;
}

function LoadTemplate({ templates, onLoad }: LoadProps) {
  const load = (event: Event) => {
    if (!(event.target instanceof HTMLSelectElement) || event.target.value === '') return;
    void loadTemplate(event.target.value).then((messages) => messages && onLoad(messages));
    event.target.value = '';
  };
  return html`<select aria-label="Load the messages of a template" onChange=${load}>
    <option value="">Load a template…</option>
    ${templates.map((id) => html`<option key=${id} value=${id}>${id}</option>`)}
  </select>`;
}

/** Focuses an element when it appears. */
const focusOn = (element: HTMLElement | null) => element?.focus();

/** Saves the messages as a new template. */
function SaveTemplate({ messages }: { readonly messages: readonly PromptMessage[] }) {
  const [id, setId] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState('');
  if (id === undefined)
    return html`<button ...${keyed('T', 'Save as template')} type="button" onClick=${() => setId('')}>
      Save as template…
    </button>`;
  const save = async () => {
    try {
      await createDocument('prompt', id, { messages });
    } catch (thrown) {
      setProblem(errorOfThrown(thrown).message);
      return;
    }
    setId(undefined);
    setProblem('');
    showToast(`The template ${id} is stored.`);
  };
  return html`<span class="row">
      <input
        value=${id}
        aria-label="Id of the new template"
        placeholder="polite-reply"
        ref=${focusOn}
        onInput=${(event: Event) => event.target instanceof HTMLInputElement && setId(event.target.value)}
      />
      <button
        ...${nearKeyed('Enter', 'Save template')}
        type="button"
        disabled=${id === ''}
        onClick=${() => void save()}
      >
        Save template
      </button>
      <button ...${keyed('Escape', 'Cancel')} type="button" class="bare" onClick=${() => setId(undefined)}>
        Cancel
      </button>
    </span>
    ${problem !== '' && html`<p class="bad-text" role="alert"><${Shown} text=${problem} /></p>`}`;
}

function UseTemplate(props: FieldProps & { readonly use: string; readonly templates: readonly string[] }) {
  const { context, path, value, use, templates, onChange } = props;
  const fields = isRecord(value) ? value : {};
  const all = templates.includes(use) ? templates : [use, ...templates];
  return html`<label class="row"
      >Template
      <select
        onChange=${(event: Event) => event.target instanceof HTMLSelectElement && onChange({ ...fields, use: event.target.value })}
      >
        ${all.map((id) => html`<option key=${id} value=${id} selected=${id === use}>${id}</option>`)}
      </select></label
    >
    <${MapField}
      context=${context}
      schema=${{ description: 'Values for the variables of the template. Others keep its defaults.' }}
      path=${pointer(path, 'with')}
      label="Variables of the template"
      value=${fields['with']}
      isRequired=${false}
      onChange=${(next: unknown) => {
        const { with: _old, ...others } = fields;
        onChange(next === undefined ? others : { ...others, with: next });
      }}
    />`;
}
