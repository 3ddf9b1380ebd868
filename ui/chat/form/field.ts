import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Shown, visible } from '../../widget/visible.ts';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Why the server does not accept the value. */
  readonly error?: string | undefined;
}

/** What a control needs so that label, hint and error belong to it. */
interface Described {
  readonly 'id': string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/** A labelled control with its hint, and with its error below. */
export function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { readonly children: (described: Described) => ComponentChildren }) {
  const id = useId();
  const about = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  return html`<div class="form-field">
    <label for=${id}>${label}</label>
    ${children({ id, 'aria-describedby': about || undefined, 'aria-invalid': error === undefined ? undefined : 'true' })}
    ${hint !== undefined && html`<p id=${`${id}-hint`} class="help-text">${hint}</p>`}
    ${error !== undefined && html`<p id=${`${id}-error`} class="bad-text" role="alert"><${Shown} text=${error} /></p>`}
  </div>`;
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Lines of the field; one line is an input that Enter does not break. */
  readonly rows?: number;
  readonly placeholder?: string;
  readonly list?: string;
}

/** A field for text. */
export function TextField({ value, onInput, rows = 1, placeholder, list, ...field }: TextProps) {
  const read = (e: InputEvent) =>
    (e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement) && onInput(e.target.value);
  return html`<${Field} ...${field}>
    ${(described: Described) =>
      rows === 1
        ? html`<input ...${described} value=${value} placeholder=${placeholder} list=${list} onInput=${read} />`
        : html`<textarea
            ...${described}
            rows=${rows}
            value=${value}
            placeholder=${placeholder}
            onInput=${read}
          ></textarea>`}
  <//>`;
}

interface SelectProps extends FieldProps {
  readonly value: string;
  /** Value and text of each option. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}

/** A choice from a list. A value that the list does not have is an option too, so that nothing changes unseen. */
export function SelectField({ value, options, onChoose, ...field }: SelectProps) {
  const all = options.some(([known]) => known === value) ? options : [[value, value] as const, ...options];
  return html`<${Field} ...${field}>
    ${(described: Described) =>
      html`<select
        ...${described}
        value=${value}
        onChange=${(e: Event) => e.target instanceof HTMLSelectElement && onChoose(e.target.value)}
      >
        ${all.map(([option, text]) => html`<option key=${option} value=${option} selected=${option === value}>${visible(text)}</option>`)}
      </select>`}
  <//>`;
}
