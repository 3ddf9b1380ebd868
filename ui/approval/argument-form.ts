import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { isRecord } from '../http/json.ts';
import { Icon } from '../widget/icon.ts';
import { partsOf, Shown } from '../widget/visible.ts';

type Values = Readonly<Record<string, unknown>>;

interface Props {
  /** JSON Schema of an object. */
  readonly schema: object;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  /** Names of the objects around it, for ids and labels. */
  readonly path?: string;
}

/** A field for each parameter of a tool. What has no simple field, such as a list of objects, is shown and edited as JSON. */
export function ArgumentForm({ schema, values, onChange, path = '' }: Props) {
  const properties = 'properties' in schema && isRecord(schema.properties) ? schema.properties : {};
  const required: readonly unknown[] = 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  // A value that the schema does not know stays in sight.
  const names = [...new Set([...Object.keys(properties), ...Object.keys(values)])];
  // Chosen once: a field that is emptied or filled stays where it is.
  const [first] = useState(
    () => new Set(names.filter((name) => required.includes(name) || values[name] !== undefined)),
  );
  const others = names.filter((name) => !first.has(name));
  const set = (name: string, value: unknown) => {
    const { [name]: _old, ...rest } = values;
    const next: Values = value === undefined ? rest : { ...values, [name]: value };
    onChange(next);
  };
  const fieldOf = (name: string) =>
    html`<${Field}
      key=${name}
      name=${name}
      path=${`${path}${name}`}
      field=${isRecord(properties[name]) ? properties[name] : {}}
      value=${values[name]}
      isRequired=${required.includes(name)}
      onChange=${(value: unknown) => set(name, value)}
    />`;
  const shown = names.filter((name) => first.has(name)).map(fieldOf);
  return html`<div class="argument-form">
    ${shown}
    ${
      others.length > 0 &&
      html`<details open=${shown.length === 0}>
        <summary class="muted"><${Icon} name="chevron" className="turn" />Left out (${others.length})</summary>
        <div class="argument-form">${others.map(fieldOf)}</div>
      </details>`
    }
  </div>`;
}

interface FieldProps {
  readonly name: string;
  readonly path: string;
  readonly field: Values;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

function Field(props: FieldProps) {
  const { name, path, field, value, isRequired, onChange } = props;
  const { description, type } = field;
  if (
    type === 'object' &&
    isRecord(field['properties']) &&
    (value === undefined || isRecord(value)) &&
    value !== undefined
  )
    return html`<fieldset>
      <legend><${Shown} text=${name} /></legend>
      <${ArgumentForm} schema=${field} values=${value} onChange=${onChange} path=${`${path}.`} />
    </fieldset>`;
  const id = `argument-${path}`;
  return html`<div class="field">
    <label for=${id}><${Shown} text=${name} />${isRequired && html`<span class="muted"> required</span>`}</label>
    <${Input} ...${props} id=${id} />
    ${typeof description === 'string' && html`<p class="muted small" id=${`${id}-about`}>${description}</p>`}
  </div>`;
}

function Input({ id, field, value, onChange, isRequired }: FieldProps & { readonly id: string }) {
  const { type, enum: options } = field;
  const about = typeof field['description'] === 'string' ? `${id}-about` : undefined;
  if (!isSimple(field, value))
    return html`<p id=${id} class="mono muted words"><${Shown} text=${brief(value)} /> (edit it as JSON)</p>`;
  const textOf = (event: Event) => (event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;
  const common = { 'id': id, 'aria-describedby': about };
  if (Array.isArray(options))
    return html`<select
      ...${common}
      value=${value === undefined ? '' : JSON.stringify(value)}
      onChange=${(e: Event) => onChange(textOf(e) === '' ? undefined : JSON.parse(textOf(e)))}
    >
      ${!isRequired && html`<option value="">(left out)</option>`}
      ${options.map((option) => html`<option key=${String(option)} value=${JSON.stringify(option)}>${String(option)}</option>`)}
    </select>`;
  if (type === 'boolean')
    return html`<select
      ...${common}
      value=${value === undefined ? '' : String(value)}
      onChange=${(e: Event) => onChange(textOf(e) === '' ? undefined : textOf(e) === 'true')}
    >
      <option value="">(left out)</option>
      <option value="true">yes</option>
      <option value="false">no</option>
    </select>`;
  if (type === 'integer' || type === 'number')
    return html`<input
      ...${common}
      type="number"
      step=${type === 'integer' ? '1' : 'any'}
      value=${value ?? ''}
      onInput=${(e: Event) => onChange(textOf(e) === '' ? undefined : Number(textOf(e)))}
    />`;
  if (type === 'array')
    return html`<textarea
      ...${common}
      rows=${Math.max(1, (value as unknown[] | undefined)?.length ?? 1)}
      placeholder="one per line"
      value=${((value as string[] | undefined) ?? []).join('\n')}
      onInput=${(e: Event) => onChange(textOf(e) === '' ? undefined : textOf(e).split('\n'))}
    ></textarea>`;
  const text = typeof value === 'string' ? value : '';
  const change = (e: Event) =>
    onChange(textOf(e) === '' && value === undefined ? undefined : emptyAsNone(textOf(e), isRequired));
  const maxLength = typeof field['maxLength'] === 'number' ? field['maxLength'] : 200;
  const isLong = text.includes('\n') || text.length > 80 || maxLength > 1000;
  return isLong
    ? html`<textarea
        ...${common}
        rows=${Math.min(12, Math.max(2, text.split('\n').length))}
        value=${text}
        onInput=${change}
      ></textarea>`
    : html`<input ...${common} value=${text} onInput=${change} />`;
}

/** An optional text that is emptied is left out. */
const emptyAsNone = (text: string, isRequired: boolean) => (text === '' && !isRequired ? undefined : text);

/** Whether a field of the form can show this value whole: a text field would swallow hidden characters. */
function isSimple({ type, enum: options, items }: Values, value: unknown): boolean {
  const isPlain = (text: unknown) =>
    typeof text === 'string' && partsOf(text).every((part) => typeof part === 'string');
  if (Array.isArray(options)) return value === undefined || options.includes(value);
  if (type === 'boolean') return value === undefined || typeof value === 'boolean';
  if (type === 'integer' || type === 'number') return value === undefined || typeof value === 'number';
  if (type === 'array')
    return (
      isRecord(items) &&
      items['type'] === 'string' &&
      !Array.isArray(items['enum']) &&
      (value === undefined ||
        (Array.isArray(value) && value.every((one) => isPlain(one) && !String(one).includes('\n'))))
    );
  return type === 'string' && (value === undefined || (isPlain(value) && !String(value).includes('\r')));
}

function brief(value: unknown): string {
  if (value === undefined) return 'left out';
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
