import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import type { ConfigState } from '../../http/api-types.ts';
import { isRecord } from '../../http/json.ts';
import { type FormFacts, type Kind, notebookNames, secretNames, toolNames } from '../documents.ts';
import type { FormContext } from './context.ts';
import { Members } from './group-field.ts';
import { type Fields, resolve, variantOf } from './schema.ts';
import { ValueField } from './value-field.ts';

interface Props {
  readonly kind: Kind;
  readonly id: string;
  readonly facts: FormFacts;
  readonly config: ConfigState;
  readonly value: Fields;
  readonly error: ErrorBody | undefined;
  readonly onChange: (value: Fields) => void;
  readonly onUnready: (path: string, isUnready: boolean) => void;
}

/** The fields of a document, generated from the schema of its kind. */
export function SchemaForm({ kind, id, facts, config, value, error, onChange, onUnready }: Props) {
  useEffect(() => {
    for (const resource of [toolNames, notebookNames, secretNames]) resource.show('all');
  }, []);
  const root = facts.schema;
  const variant = variantOf(root, value);
  const discriminator = root.discriminator?.propertyName;
  const kept = useRef<Fields>({});
  const ids = (folder: string) =>
    config.documents.filter((one) => one.file.split('/')[1] === folder).map((one) => one.id);
  const context: FormContext = {
    kind,
    id,
    root,
    variables: facts.variables,
    errors: errorsByPath(error),
    idsIn: ids,
    tools: toolNames.state.value.data ?? [],
    notebooks: notebookNames.state.value.data ?? [],
    secrets: secretNames.state.value.data ?? [],
    ownVariables: kind === 'prompt' ? textsOf(value['variables']) : {},
    Field: ValueField,
    setUnready: onUnready,
  };
  const change = (next: Fields) => {
    if (discriminator === undefined || next[discriminator] === value[discriminator]) return onChange(next);
    // Keys of the old provider come back when it is chosen again.
    kept.current = { ...kept.current, ...value };
    const { properties = {} } = resolve(variantOf(root, next), root);
    const all = { ...kept.current, ...next };
    onChange(Object.fromEntries(Object.entries(all).filter(([key]) => Object.hasOwn(properties, key))));
  };
  return html`<${Members} context=${context} schema=${variant} path="" value=${value} onChange=${change} />`;
}

/** The errors of a refused document, by the place of the value. A missing key is an error of its field. */
function errorsByPath(error: ErrorBody | undefined): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  const problems = error?.where?.problems ?? [];
  for (const { path, message, hint } of problems) {
    const text = hint === undefined ? message : `${message}. ${hint}`;
    all.set(path, [all.get(path), text].filter(Boolean).join('; '));
  }
  return all;
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
