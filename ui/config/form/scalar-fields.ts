import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { oneOfTexts } from './texts.ts';
import type { FieldProps } from './context.ts';
import { type Described, Line, placeholderOf } from './field.ts';
import { folderNamed, isLongText, oneLine } from './schema.ts';
import { RegexTry } from './regex-try.ts';
import { SecretStore } from './secret-store.ts';
import { nearKeyed } from '../../shell/keys.ts';

const inputOf = (event: Event) =>
  event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement ? event.target.value : '';

/** A text: one line, several lines, the id of a document, the name of a secret, or a pattern. */
export function TextField(props: FieldProps) {
  const { context, schema, value, isRequired, onChange } = props;
  const text = typeof value === 'string' ? value : '';
  const set = (next: string) => onChange(next === '' && !isRequired ? undefined : next);
  const folder = folderNamed(schema);
  const list = useId();
  if (folder !== undefined) return html`<${IdField} ...${props} ids=${context.idsIn(folder)} />`;
  const options = optionsOf(props);
  const shared = { placeholder: placeholderOf(schema), onInput: (event: Event) => set(inputOf(event)) };
  return html`<${Line} ...${props}>
      ${(described: Described) =>
        isLongText(schema, value)
          ? html`<textarea ...${described} ...${shared} rows="2" value=${text}></textarea>`
          : html`<input
                ...${described}
                ...${shared}
                class=${schema['x-regex'] === true ? 'mono' : undefined}
                list=${options.length === 0 ? undefined : list}
                spellcheck=${schema['x-regex'] === true ? 'false' : undefined}
                value=${text}
              />${options.length > 0 && html`<datalist id=${list}>${options.map((one) => html`<option key=${one} value=${one}></option>`)}</datalist>`}`}
    <//>
    ${schema['x-regex'] === true && html`<${RegexTry} regex=${text} />`}
    ${schema['x-secret'] === true && html`<${SecretStore} onStored=${(name: string) => onChange(`\${secret:${name}}`)} />`}`;
}

/** Texts to choose from, beside free text. */
function optionsOf({ context, schema }: FieldProps): readonly string[] {
  if (schema['x-secret'] === true) return context.secrets.map((name) => `\${secret:${name}}`);
  return oneOfTexts(schema.examples);
}

interface IdProps extends FieldProps {
  readonly ids: readonly string[];
}

/** The id of another document. An id that is not there stays an option, so that nothing changes unseen. */
function IdField({ ids, ...props }: IdProps) {
  const { value, isRequired, onChange } = props;
  const chosen = typeof value === 'string' ? value : '';
  const all = chosen === '' || ids.includes(chosen) ? ids : [chosen, ...ids];
  return html`<${Line} ...${props}>
    ${(described: Described) =>
      html`<select
        ...${described}
        onChange=${(event: Event) => {
          const next = event.target instanceof HTMLSelectElement ? event.target.value : '';
          onChange(next === '' ? undefined : next);
        }}
      >
        ${(!isRequired || chosen === '') && html`<option value="" selected=${chosen === ''}>${isRequired ? 'Choose…' : 'None'}</option>`}
        ${all.map((id) => html`<option key=${id} value=${id} selected=${id === chosen}>${ids.includes(id) ? id : `${id} (not there)`}</option>`)}
      </select>`}
  <//>`;
}

/** A number with its unit. A text that is no number is sent as it is, and the server says what is wrong. */
export function NumberField(props: FieldProps) {
  const { schema, value, isRequired, onChange } = props;
  const unit = schema['x-unit'];
  const read = (event: Event) => {
    const text = inputOf(event).trim();
    const number = Number(text);
    onChange(text === '' ? (isRequired ? '' : undefined) : Number.isNaN(number) ? text : number);
  };
  return html`<${Line} ...${props}>
    ${(described: Described) =>
      html`<span class="with-unit"
        ><input
          ...${described}
          inputmode="decimal"
          autocomplete="off"
          placeholder=${placeholderOf(schema)}
          value=${value === undefined ? '' : oneLine(value)}
          onInput=${read}
        />${unit !== undefined && unit !== 'rank' && html`<span class="muted">${unit}</span>`}</span
      >`}
  <//>`;
}

/** Yes or no. Without a value the default counts. */
export function FlagField(props: FieldProps) {
  const { schema, value, onChange } = props;
  const isOn = typeof value === 'boolean' ? value : schema.default === true;
  return html`<${Line} ...${props} isRequired=${false}>
    ${(described: Described) =>
      html`<input
        ...${described}
        type="checkbox"
        checked=${isOn}
        onChange=${(event: Event) => onChange(event.target instanceof HTMLInputElement && event.target.checked)}
      />`}
  <//>`;
}

/** One of several words. */
export function ChoiceField(props: FieldProps) {
  const { schema, value, isRequired, onChange } = props;
  const words = (schema.enum ?? []).map(oneLine);
  const chosen = value === undefined ? '' : oneLine(value);
  const all = chosen === '' || words.includes(chosen) ? words : [chosen, ...words];
  const none = schema.default === undefined ? 'Not set' : `Default: ${oneLine(schema.default)}`;
  const choose = (event: Event) => {
    const next = event.target instanceof HTMLSelectElement ? event.target.value : '';
    onChange(next === '' ? undefined : (schema.enum?.find((one) => oneLine(one) === next) ?? next));
  };
  return html`<${Line} ...${props}>
    ${(described: Described) =>
      html`<select ...${described} onChange=${choose}>
        ${(!isRequired || chosen === '') && html`<option value="" selected=${chosen === ''}>${none}</option>`}
        ${all.map((word) => html`<option key=${word} value=${word} selected=${word === chosen}>${word}</option>`)}
      </select>`}
  <//>`;
}

/** Several of a few words, as boxes to check. */
export function ChecksField({ words, ...props }: FieldProps & { readonly words: readonly string[] }) {
  const { schema, value, path, label, context, onChange } = props;
  const set = Array.isArray(value) ? value.map(oneLine) : undefined;
  const chosen = set ?? oneOfTexts(schema.default);
  const error = context.errors.get(path);
  const toggle = (word: string) =>
    onChange(words.filter((one) => (one === word ? !chosen.includes(one) : chosen.includes(one))));
  return html`<fieldset class="form-field checks" data-path=${path}>
    <legend>${label}</legend>
    <div class="row">
      ${words.map(
        (word) =>
          html`<label key=${word}
            ><input type="checkbox" checked=${chosen.includes(word)} onChange=${() => toggle(word)} /> ${word}</label
          >`,
      )}
      ${set !== undefined && schema.default !== undefined && html`<button ...${nearKeyed('0', 'Default')} type="button" class="bare" onClick=${() => onChange(undefined)}>Default</button>`}
    </div>
    ${schema.description !== undefined && html`<p class="help-text">${schema.description}</p>`}
    ${error !== undefined && html`<p class="bad-text">${error}</p>`}
  </fieldset>`;
}
