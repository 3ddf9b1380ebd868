import { html } from 'htm/preact';
import { useId, useState } from 'preact/hooks';
import { Icon } from '../../widget/icon.ts';
import { Shown } from '../../widget/visible.ts';
import { type FieldProps, hasErrorBelow } from './context.ts';
import { Help } from './field.ts';
import { moved, OrderList } from './order-list.ts';
import { emptyOf, folderNamed, oneLine, pointer, resolve, type Schema, shapeOf } from './schema.ts';
import { oneOfTexts } from './texts.ts';
import { nearKeyed } from '../../shell/keys.ts';

/** A list. Its entries move by drag and by keys. A list of texts may also be written as one text. */
export function ListField(props: FieldProps) {
  const { context, schema, path, label, value, isRequired, onChange } = props;
  const items = resolve(schema.items ?? {}, context.root);
  const list: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const isOneText = typeof value === 'string';
  const change = (next: readonly unknown[]) => {
    if (next.length === 0 && !isRequired) onChange(undefined);
    else onChange(isOneText && next.length === 1 ? next[0] : next);
  };
  const isTexts = shapeOf(items, undefined, context.root) === 'text';
  const error = context.errors.get(path);
  const itemPath = (index: number) => (isOneText ? path : pointer(path, index));
  const nameOf = (index: number) => (isTexts ? oneLine(list[index]) : `${label} ${index + 1}`);
  return html`<fieldset class="form-field list-field" data-path=${path}>
    <legend>${label}${isRequired && html`<span class="muted"> (required)</span>`}</legend>
    ${schema.description !== undefined && html`<p class="help-text"><${Help} text=${schema.description} /></p>`}
    ${
      value === undefined &&
      schema.default !== undefined &&
      oneOfTexts(schema.default).length > 0 &&
      html`<p class="help-text">Default: <code>${oneLine(schema.default)}</code></p>`
    }
    ${
      list.length > 0 &&
      html`<${OrderList}
        label=${label}
        count=${list.length}
        nameOf=${nameOf}
        isCard=${!isTexts}
        onMove=${(from: number, to: number) => change(moved(list, from, to))}
        onRemove=${(index: number) => change(list.filter((_one, i) => i !== index))}
      >
        ${(index: number) =>
          isTexts
            ? html`<${TextEntry}
                text=${oneLine(list[index])}
                error=${index === 0 && isOneText ? undefined : context.errors.get(itemPath(index))}
                label=${`${label} ${index + 1}`}
                isKnown=${isKnown(props, items, oneLine(list[index]))}
                onChange=${(text: string) => change(list.map((one, i) => (i === index ? text : one)))}
              />`
            : html`<${context.Field}
                context=${context}
                schema=${items}
                path=${itemPath(index)}
                label=${`${label} ${index + 1}`}
                value=${list[index]}
                isRequired=${true}
                isOpen=${true}
                onChange=${(next: unknown) => change(list.map((one, i) => (i === index ? next : one)))}
              />`}
      <//>`
    }
    ${
      isTexts
        ? html`<${AddText}
            label=${label}
            options=${optionsOf(props, items).filter((one) => !list.includes(one))}
            onAdd=${(text: string) => change([...list, text])}
          />`
        : html`<button
            ...${nearKeyed('+', 'Add')}
            type="button"
            onClick=${() => change([...list, emptyOf(items, context.root)])}
          >
            <${Icon} name="plus" />Add to ${label.toLowerCase()}
          </button>`
    }
    ${error !== undefined && html`<p class="bad-text"><${Shown} text=${error} /></p>`}
    ${!isTexts && error === undefined && hasErrorBelow(context.errors, path) && html`<p class="bad-text">An entry was refused.</p>`}
  </fieldset>`;
}

/** What a list can name; undefined where every text is allowed. */
function namesOf({ context, path }: FieldProps, items: Schema): readonly string[] | undefined {
  const folder = folderNamed(items);
  if (folder !== undefined) return context.idsIn(folder);
  if (path === '/tools') return [...context.tools, ...context.idsIn('tools')];
  if (path.endsWith('/notebooks')) return ['*', ...context.notebooks];
  return undefined;
}

function optionsOf(props: FieldProps, items: Schema): readonly string[] {
  return namesOf(props, items) ?? oneOfTexts(items.examples);
}

function isKnown(props: FieldProps, items: Schema, text: string): boolean {
  const names = namesOf(props, items);
  // A tool of an MCP server is `<id>__<tool>`, a tool of an agent `agent__<id>`.
  return names === undefined || names.includes(text) || text.includes('__');
}

interface EntryProps {
  readonly text: string;
  readonly label: string;
  readonly isKnown: boolean;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

function TextEntry({ text, label, isKnown: isThere, error, onChange }: EntryProps) {
  return html`<input
      value=${text}
      aria-label=${label}
      aria-invalid=${error === undefined && isThere ? undefined : 'true'}
      onInput=${(event: Event) => event.target instanceof HTMLInputElement && onChange(event.target.value)}
    />
    ${!isThere && error === undefined && html`<p class="bad-text">There is no “${text}”.</p>`}
    ${error !== undefined && html`<p class="bad-text"><${Shown} text=${error} /></p>`}`;
}

interface AddProps {
  readonly label: string;
  readonly options: readonly string[];
  readonly onAdd: (text: string) => void;
}

/** Adds a text: Enter or the button. The known names are offered while somebody types. */
function AddText({ label, options, onAdd }: AddProps) {
  const [text, setText] = useState('');
  const id = useId();
  const add = () => {
    if (text.trim() === '') return;
    onAdd(text.trim());
    setText('');
  };
  return html`<div class="add-text">
    <input
      list=${id}
      value=${text}
      aria-label=${`Add to ${label.toLowerCase()}`}
      placeholder=${options.length === 0 ? 'Add…' : `Add, e.g. ${options[0]}`}
      onInput=${(event: Event) => event.target instanceof HTMLInputElement && setText(event.target.value)}
      onKeyDown=${(event: KeyboardEvent) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        add();
      }}
    />
    <datalist id=${id}>${options.map((one) => html`<option key=${one} value=${one}></option>`)}</datalist>
    <button ...${nearKeyed('Enter', 'Add')} type="button" disabled=${text.trim() === ''} onClick=${add}>
      <${Icon} name="plus" />Add
    </button>
  </div>`;
}
