import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Shown } from '../../widget/visible.ts';
import type { FieldProps } from './context.ts';
import { oneLine, type Schema } from './schema.ts';

/** What a control needs so that label, help and error belong to it. */
export interface Described {
  readonly 'id': string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

type LineProps = Pick<FieldProps, 'context' | 'schema' | 'path' | 'label' | 'isRequired'> & {
  readonly children: (described: Described) => ComponentChildren;
};

/** A control with its label, its description as help, and why its value was refused. */
export function Line({ context, schema, path, label, isRequired, children }: LineProps) {
  const id = useId();
  const error = context.errors.get(path);
  const { description } = schema;
  const about = [description !== undefined && `${id}-help`, error !== undefined && `${id}-error`].filter(Boolean);
  return html`<div class="form-field" data-path=${path}>
    <label for=${id}>${label}${isRequired && html`<span class="muted"> (required)</span>`}</label>
    ${children({
      'id': id,
      'aria-describedby': about.length === 0 ? undefined : about.join(' '),
      'aria-invalid': error === undefined ? undefined : 'true',
    })}
    ${description !== undefined && html`<p id=${`${id}-help`} class="help-text"><${Help} text=${description} /></p>`}
    ${error !== undefined && html`<p id=${`${id}-error`} class="bad-text"><${Shown} text=${error} /></p>`}
  </div>`;
}

/** A description of a schema; what it has in backquotes is code. */
export function Help({ text }: { readonly text: string }) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code key=${i}>${part}</code>` : part));
}

/** The default of a key, or an example, as the placeholder of an empty field. */
export function placeholderOf(schema: Schema): string {
  if (schema.default !== undefined && schema.default !== '') return oneLine(schema.default);
  if (schema['x-default-from'] !== undefined) return `the ${schema['x-default-from']}`;
  const [example] = schema.examples ?? [];
  return example === undefined || typeof example === 'object' ? '' : `e.g. ${oneLine(example)}`;
}

/** A key as a label: `sessionTimeoutMinutes` is "Session timeout minutes". */
export function labelOf(key: string): string {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/\bapi config id\b/i, 'API')
    .replace(/\bapi\b/i, 'API')
    .replace(/ ids?$/, (end) => (end === ' ids' ? 's' : ''));
  return words.charAt(0).toUpperCase() + words.slice(1);
}
