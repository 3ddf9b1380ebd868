import { html } from 'htm/preact';
import { PromptEditor } from '../prompt/prompt-editor.ts';
import type { FieldProps } from './context.ts';
import { GroupField } from './group-field.ts';
import { ListField } from './list-field.ts';
import { MapField } from './map-field.ts';
import { ChecksField, ChoiceField, FlagField, NumberField, TextField } from './scalar-fields.ts';
import { oneLine, resolve, shapeOf } from './schema.ts';
import { YamlField } from './yaml-field.ts';

/** The field of a value, by its schema. */
export function ValueField(props: FieldProps & { readonly isOpen?: boolean }) {
  const { schema, value, context } = props;
  const shape = shapeOf(schema, value, context.root);
  switch (shape) {
    case 'fixed':
      return null;
    case 'choice':
      return html`<${ChoiceField} ...${props} />`;
    case 'flag':
      return html`<${FlagField} ...${props} />`;
    case 'number':
      return html`<${NumberField} ...${props} />`;
    case 'text':
      return html`<${TextField} ...${props} />`;
    case 'list':
      return html`<${ListField} ...${props} />`;
    case 'checks':
      return html`<${ChecksField}
        ...${props}
        words=${(resolve(schema.items ?? {}, context.root).enum ?? []).map(oneLine)}
      />`;
    case 'group':
      return html`<${GroupField} ...${props} />`;
    case 'map':
      return html`<${MapField} ...${props} />`;
    case 'prompt':
      return html`<${PromptEditor} ...${props} />`;
    case 'yaml':
      return html`<${YamlField} ...${props} />`;
    default:
      return shape satisfies never;
  }
}
