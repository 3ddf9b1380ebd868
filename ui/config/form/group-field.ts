import { html } from 'htm/preact';
import { useRef } from 'preact/hooks';
import { isRecord } from '../../http/json.ts';
import { type FieldProps, hasErrorBelow } from './context.ts';
import { Help, labelOf } from './field.ts';
import { ScopeFolders } from './scope-folders.ts';
import {
  alternativesOf,
  emptyOf,
  type Fields,
  keysOfAlternative,
  pointer,
  resolve,
  type Schema,
  shapeOf,
  withKey,
} from './schema.ts';

/** Keys that are not edited: the id is the name of the file. */
const HIDDEN: readonly string[] = ['$schema', 'id'];

/** The fields of an object without a frame; of alternatives only those of the chosen one. */
export function Members({ context, schema, path, value, onChange }: Omit<FieldProps<Fields>, 'label' | 'isRequired'>) {
  const alternatives = alternativesOf(schema);
  const chosen = alternatives.find((key) => value[key] !== undefined) ?? alternatives[0];
  const ofOthers = alternatives.filter((key) => key !== chosen).flatMap((key) => keysOfAlternative(schema, key));
  const ofChosen = chosen === undefined ? [] : keysOfAlternative(schema, chosen);
  const keys = Object.keys(schema.properties ?? {}).filter(
    (key) => !ofOthers.includes(key) && !(path === '' && HIDDEN.includes(key)),
  );
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(schema.properties ?? {}, key));
  const nested = keys.filter((key) => isNested(schema, key, value[key], context.root));
  const member = (key: string) => {
    const of = resolve(schema.properties?.[key] ?? {}, context.root);
    return html`<${context.Field}
      key=${key}
      context=${context}
      schema=${of}
      path=${pointer(path, key)}
      label=${labelOf(key)}
      value=${value[key]}
      isRequired=${(schema.required ?? []).includes(key) || ofChosen.includes(key)}
      isOpen=${ofChosen.includes(key)}
      onChange=${(next: unknown) => onChange(withKey(value, key, next))}
    />`;
  };
  const choice =
    alternatives.length > 0 &&
    html`<${Alternatives}
      schema=${schema}
      root=${context.root}
      keys=${alternatives}
      chosen=${chosen ?? ''}
      value=${value}
      onChange=${onChange}
    />`;
  const lines = [...keys.filter((key) => !nested.includes(key)), ...nested];
  return html`${lines.map((key) => (key === chosen ? [choice, member(key)] : member(key)))}
  ${unknown.map((key) => html`<${context.Field} key=${key} context=${context} schema=${{}} path=${pointer(path, key)} label=${key} value=${value[key]} isRequired=${false} onChange=${(next: unknown) => onChange(withKey(value, key, next))} />`)}
  ${path.endsWith('/scope') && html`<${ScopeFolders} context=${context} value=${value} onChange=${onChange} />`}`;
}

/** Objects come last, each in a frame that opens. */
function isNested(schema: Schema, key: string, value: unknown, root: Schema): boolean {
  const shape = shapeOf(resolve(schema.properties?.[key] ?? {}, root), value, root);
  return shape === 'group' || shape === 'map' || shape === 'yaml';
}

interface AlternativesProps {
  readonly schema: Schema;
  readonly root: Schema;
  readonly keys: readonly string[];
  readonly chosen: string;
  readonly value: Fields;
  readonly onChange: (value: Fields) => void;
}

/** Which of several keys an object has. What another choice held comes back with it. */
function Alternatives({ schema, root, keys, chosen, value, onChange }: AlternativesProps) {
  const kept = useRef<Fields>({});
  const choose = (next: string) => {
    const old = keysOfAlternative(schema, chosen);
    kept.current = { ...kept.current, ...Object.fromEntries(old.map((key) => [key, value[key]])) };
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !old.includes(key)));
    const added = keysOfAlternative(schema, next).map((key) => [
      key,
      kept.current[key] ?? emptyOf(resolve(schema.properties?.[key] ?? {}, root), root),
    ]);
    onChange({ ...rest, ...Object.fromEntries(added) });
  };
  return html`<div class="form-field">
    <label
      >Condition
      <select onChange=${(event: Event) => event.target instanceof HTMLSelectElement && choose(event.target.value)}>
        ${keys.map((key) => html`<option key=${key} value=${key} selected=${key === chosen}>${ALTERNATIVES[key] ?? labelOf(key)}</option>`)}
      </select></label
    >
  </div>`;
}

const ALTERNATIVES: Readonly<Record<string, string>> = {
  field: 'a part of the mail matches',
  allOf: 'all of several conditions',
  anyOf: 'any of several conditions',
  not: 'not this condition',
};

/** An object in a frame that opens: open where it has a value or an error. */
export function GroupField(props: FieldProps & { readonly isOpen?: boolean }) {
  const { context, schema, path, label, value, isRequired, isOpen = false, onChange } = props;
  const fields = isRecord(value) ? value : {};
  const error = context.errors.get(path);
  const isSet = Object.keys(fields).length > 0;
  const change = (next: unknown) => {
    const isEmpty = isRecord(next) && Object.keys(next).length === 0;
    onChange(isEmpty && !isRequired ? undefined : next);
  };
  return html`<details
    class="form-group"
    data-path=${path}
    open=${isOpen || isSet || error !== undefined || hasErrorBelow(context.errors, path)}
  >
    <summary>
      <b>${label}</b
      >${!isSet && html`<span class="muted"> ${schema.default === undefined ? 'not set' : 'defaults'}</span>`}
    </summary>
    <div class="form-members">
      ${schema.description !== undefined && html`<p class="help-text"><${Help} text=${schema.description} /></p>`}
      ${error !== undefined && html`<p class="bad-text">${error}</p>`}
      <${Members} context=${context} schema=${schema} path=${path} value=${fields} onChange=${change} />
    </div>
  </details>`;
}
