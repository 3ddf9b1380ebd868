import type { ComponentType } from 'preact';
import type { FormFacts, Kind } from '../documents.ts';
import type { Schema } from './schema.ts';

/** What all fields of a form share. */
export interface FormContext {
  readonly kind: Kind;
  readonly id: string;
  /** The whole schema, for `$ref`. */
  readonly root: Schema;
  readonly variables: FormFacts['variables'];
  /** Why the server refused a value, by JSON Pointer. */
  readonly errors: ReadonlyMap<string, string>;
  /** Ids of the documents of a folder such as `agents`. */
  readonly idsIn: (folder: string) => readonly string[];
  readonly tools: readonly string[];
  readonly notebooks: readonly string[];
  readonly secrets: readonly string[];
  /** The variables of a template, for its own prompt. */
  readonly ownVariables: Readonly<Record<string, string>>;
  /** The field of any value, for the entries of lists and objects. */
  readonly Field: ComponentType<FieldProps & { readonly isOpen?: boolean }>;
  /** Says whether a text box holds a text that is no value yet. */
  readonly setUnready: (path: string, isUnready: boolean) => void;
}

/** What every field gets. `onChange(undefined)` removes the key from the file. */
export interface FieldProps<V = unknown> {
  readonly context: FormContext;
  readonly schema: Schema;
  /** JSON Pointer of the value. */
  readonly path: string;
  readonly label: string;
  readonly value: V;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

/** Whether the value at a path, or one below it, was refused. */
export function hasErrorBelow(errors: FormContext['errors'], path: string): boolean {
  return [...errors.keys()].some((at) => at === path || at.startsWith(`${path}/`));
}
