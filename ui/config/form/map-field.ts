import { html } from 'htm/preact';
import { isRecord } from '../../http/json.ts';
import { Icon } from '../../widget/icon.ts';
import type { FieldProps } from './context.ts';
import { Help } from './field.ts';
import { oneLine, pointer } from './schema.ts';
import { nearKeyed } from '../../shell/keys.ts';

/** Names with a text each, such as the notebooks of the settings. */
export function MapField({ context, schema, path, label, value, onChange }: FieldProps) {
  const entries = isRecord(value) ? Object.entries(value) : [];
  const set = (next: readonly (readonly [string, unknown])[]) =>
    onChange(next.length === 0 ? undefined : Object.fromEntries(next));
  const read = (event: Event) => (event.target instanceof HTMLInputElement ? event.target.value : '');
  const replace = (index: number, entry: readonly [string, unknown]) =>
    set(entries.map((one, i) => (i === index ? entry : one)));
  const freeName = () => {
    for (let n = 1; ; n++) if (!entries.some(([name]) => name === `name${n}`)) return `name${n}`;
  };
  const error = context.errors.get(path);
  return html`<fieldset class="form-field list-field" data-path=${path}>
    <legend>${label}</legend>
    ${schema.description !== undefined && html`<p class="help-text"><${Help} text=${schema.description} /></p>`}
    ${entries.map(([name, text], index) => {
      const problem = context.errors.get(pointer(path, name));
      return html`<div key=${index} class="map-entry" data-part>
        <input
          value=${name}
          aria-label=${`Name ${index + 1} of ${label}`}
          onChange=${(event: Event) => {
            const next = read(event);
            // Two entries of one name would be one.
            if (next !== '' && !entries.some(([other], i) => i !== index && other === next))
              replace(index, [next, text]);
          }}
        />
        <input
          value=${oneLine(text)}
          aria-label=${`Value of ${name}`}
          aria-invalid=${problem === undefined ? undefined : 'true'}
          onInput=${(event: Event) => replace(index, [name, read(event)])}
        />
        <button
          ...${nearKeyed('X', 'Remove')}
          type="button"
          class="bare"
          aria-label=${`Remove ${name}`}
          onClick=${() => set(entries.filter((_one, i) => i !== index))}
        >
          <${Icon} name="cross" />
        </button>
        ${problem !== undefined && html`<p class="bad-text">${problem}</p>`}
      </div>`;
    })}
    <button ...${nearKeyed('+', 'Add')} type="button" onClick=${() => set([...entries, [freeName(), '']])}>
      <${Icon} name="plus" />Add to ${label.toLowerCase()}
    </button>
    ${error !== undefined && html`<p class="bad-text">${error}</p>`}
  </fieldset>`;
}
