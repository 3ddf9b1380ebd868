import { html } from 'htm/preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isRecord } from '../../http/json.ts';
import { Shown } from '../../widget/visible.ts';
import type { FormContext } from '../form/context.ts';
import { pointer } from '../form/schema.ts';
import { YamlField } from '../form/yaml-field.ts';

/** A message of a prompt, as the file spells it. */
export interface PromptMessage {
  readonly role: string;
  readonly content: string;
  readonly [key: string]: unknown;
}

/** A value as a message; what is no text becomes one. Unknown keys stay. */
export function messageOf(value: unknown): PromptMessage {
  const fields = isRecord(value) ? value : {};
  const { role, content } = fields;
  return {
    ...fields,
    role: typeof role === 'string' ? role : 'user',
    content: typeof content === 'string' ? content : '',
  };
}

const ROLES = ['system', 'user', 'assistant', 'tool'] as const;

interface Props {
  readonly context: FormContext;
  readonly path: string;
  readonly number: number;
  readonly message: PromptMessage;
  readonly onChange: (message: PromptMessage) => void;
}

/** One message: its role, its text with completion of variables, and the call that an example of a tool's result answers. */
export function MessageCard({ context, path, number, message, onChange }: Props) {
  const problems = [path, pointer(path, 'role'), pointer(path, 'content'), pointer(path, 'name')].flatMap(
    (at) => context.errors.get(at) ?? [],
  );
  const input = (key: string) => (event: Event) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const { [key]: _old, ...others } = message;
    onChange(messageOf(event.target.value === '' ? others : { ...others, [key]: event.target.value }));
  };
  return html`<div class=${`message-card ${message.role}`} data-path=${path}>
    <select
      aria-label=${`Role of message ${number}`}
      onChange=${(event: Event) => event.target instanceof HTMLSelectElement && onChange({ ...message, role: event.target.value })}
    >
      ${ROLES.map((role) => html`<option key=${role} value=${role} selected=${role === message.role}>${role}</option>`)}
    </select>
    <${ContentField}
      context=${context}
      label=${`Text of message ${number}`}
      role=${message.role}
      value=${message.content}
      isInvalid=${context.errors.has(pointer(path, 'content'))}
      onChange=${(content: string) => onChange({ ...message, content })}
    />
    ${
      message.role === 'tool' &&
      html`<label
          >Tool that was called
          <input value=${typeof message['name'] === 'string' ? message['name'] : ''} onInput=${input('name')} />
        </label>
        <${YamlField}
          context=${context}
          schema=${{ description: 'Arguments of the call, as YAML.' }}
          path=${pointer(path, 'arguments')}
          label="Arguments"
          value=${message['arguments']}
          isRequired=${false}
          onChange=${(next: unknown) => {
            const { arguments: _old, ...others } = message;
            onChange(messageOf(next === undefined ? others : { ...others, arguments: next }));
          }}
        />`
    }
    ${problems.map((problem, i) => html`<p key=${i} class="bad-text"><${Shown} text=${problem} /></p>`)}
  </div>`;
}

interface ContentProps {
  readonly context: FormContext;
  readonly label: string;
  readonly role: string;
  readonly value: string;
  readonly isInvalid: boolean;
  readonly onChange: (text: string) => void;
}

/** A text area that completes variables after `{{`: arrows choose, Enter or Tab inserts, Esc closes the list. */
function ContentField({ context, label, role, value, isInvalid, onChange }: ContentProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<{ readonly at: number; readonly query: string } | undefined>(undefined);
  const [active, setActive] = useState(0);
  const cursor = useRef<number | undefined>(undefined);
  const list = useId();
  const own = Object.keys(context.ownVariables);
  // Text from outside is allowed in role user only.
  const names = [
    ...own,
    ...context.variables.filter((one) => role === 'user' || !one.isUntrusted).map(({ name }) => name),
  ];
  const offered = typed === undefined ? [] : names.filter((name) => name.startsWith(typed.query)).slice(0, 8);
  const chosen = Math.min(active, offered.length - 1);
  useLayoutEffect(() => {
    if (cursor.current === undefined) return;
    area.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = undefined;
  });
  const insert = (name: string, from: number, to: number) => {
    const rest = value.slice(to).replace(/^\s*\}\}/, '');
    cursor.current = from + name.length + 4;
    onChange(`${value.slice(0, from)}{{${name}}}${rest}`);
    setTyped(undefined);
    area.current?.focus();
  };
  const look = () => {
    const { value: text = '', selectionStart = 0 } = area.current ?? {};
    const found = /\{\{\s*([\w.-]*)$/.exec(text.slice(0, selectionStart));
    setTyped(found === null ? undefined : { at: found.index, query: found[1] ?? '' });
    setActive(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (typed === undefined || offered.length === 0 || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((chosen + step + offered.length) % offered.length);
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab')
      insert(offered[chosen] ?? '', typed.at, area.current?.selectionStart ?? typed.at);
    else if (event.key === 'Escape') setTyped(undefined);
    else return;
    event.preventDefault();
  };
  const isOpen = typed !== undefined && offered.length > 0;
  return html`<div class="completed">
    <textarea
      ref=${area}
      rows="3"
      aria-label=${label}
      aria-invalid=${isInvalid ? 'true' : undefined}
      aria-autocomplete="list"
      aria-controls=${isOpen ? list : undefined}
      aria-activedescendant=${isOpen ? `${list}-${chosen}` : undefined}
      value=${value}
      onInput=${(event: Event) => {
        if (event.target instanceof HTMLTextAreaElement) onChange(event.target.value);
        look();
      }}
      onKeyDown=${onKeyDown}
      onBlur=${() => setTyped(undefined)}
    ></textarea>
    ${
      isOpen &&
      html`<ul id=${list} class="completions" role="listbox" aria-label="Variables">
        ${offered.map(
          (name, i) =>
            html`<li
              key=${name}
              id=${`${list}-${i}`}
              role="option"
              aria-selected=${i === chosen ? 'true' : 'false'}
              onMouseDown=${(event: MouseEvent) => {
                event.preventDefault();
                insert(name, typed.at, area.current?.selectionStart ?? typed.at);
              }}
            >
              <code>${`{{${name}}}`}</code>
            </li>`,
        )}
      </ul>`
    }
    <select
      class="insert-variable"
      aria-label=${`Insert a variable into ${label.toLowerCase()}`}
      onChange=${(event: Event) => {
        if (!(event.target instanceof HTMLSelectElement) || event.target.value === '') return;
        const at = area.current?.selectionEnd ?? value.length;
        insert(event.target.value, at, at);
        event.target.value = '';
      }}
    >
      <option value="">Insert variable…</option>
      ${names.map((name) => html`<option key=${name} value=${name}>${`{{${name}}}`}</option>`)}
    </select>
  </div>`;
}
