import { isRecord } from '../../engine/src/base/json.ts';

/** Arguments that a tool must refuse. `names`: what the error has to name. */
export interface Fault {
  readonly name: string;
  readonly text: string;
  readonly names: string;
}

const WRONG: Readonly<Record<string, unknown>> = {
  string: { an: 'object' },
  integer: 'ten',
  number: 'ten',
  boolean: 'perhaps',
  array: 7,
  object: 'a text',
};

/** Faulty arguments of a tool with this schema, made from arguments that it accepts. */
export function faultsOf(schema: object, sample: object): readonly Fault[] {
  const properties = 'properties' in schema && isRecord(schema.properties) ? schema.properties : {};
  const required: readonly unknown[] = 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  const text = (change: object) => JSON.stringify({ ...sample, ...change });
  return [
    { name: 'no JSON', text: '{"a": ', names: 'not valid JSON' },
    { name: 'a text', text: '"do it"', names: 'string' },
    { name: 'a list', text: '[]', names: 'an array' },
    { name: 'null', text: 'null', names: 'null' },
    { name: 'too many levels', text: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, names: 'nested' },
    { name: 'an unknown key', text: text({ no_such_key: 1 }), names: 'no_such_key' },
    ...required.map((key) => ({
      name: `without ${String(key)}`,
      text: text({ [String(key)]: undefined }),
      names: String(key),
    })),
    ...Object.entries(properties).flatMap(([key, value]) => {
      const type = isRecord(value) ? value['type'] : undefined;
      if (typeof type !== 'string') return [];
      return [{ name: `${key} of another type`, text: text({ [key]: WRONG[type] }), names: key }];
    }),
  ];
}
