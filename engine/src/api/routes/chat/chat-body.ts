import { EngineError } from '../../../base/error.ts';
import { type Field, flag, object, oneOf, optional, whereOf, text, texts } from '../../http/body.ts';

type Fields = Readonly<Record<string, Field<unknown>>>;
type Values<S extends Fields> = { readonly [K in keyof S]: ReturnType<S[K]> };

/** A field that is an object with these members and no others. */
export function fields<S extends Fields>(members: S): Field<Values<S>> {
  return (value, key) => {
    const record = object(value, key);
    const unknown = Object.keys(record).find((name) => !Object.hasOwn(members, name));
    if (unknown !== undefined)
      throw new EngineError('BAD_REQUEST', `"${key}" has an unknown key "${unknown}"`, {
        hint: `keys: ${Object.keys(members).join(', ')}`,
        where: whereOf(`${key}.${unknown}`),
      });
    const read = Object.entries(members).map(([name, field]) => [name, field(record[name], `${key}.${name}`)]);
    return Object.fromEntries(read) as Values<S>;
  };
}

/** The members of a participant, as in a preset, with `colorHex` for `color`, and with the confirmation of a person. */
export const PARTICIPANT = {
  displayName: optional(text),
  apiConfigId: optional(text),
  agentId: optional(text),
  persona: optional(text),
  colorHex: optional(text),
  color: optional(text),
  permissions: optional(fields({ allow: optional(texts), ask: optional(texts), deny: optional(texts) })),
  roaming: optional(
    fields({
      enabled: optional(flag),
      workspaceDir: optional(text),
      mode: optional(oneOf('safe', 'yolo')),
      confirmed: optional(flag),
    }),
  ),
} as const;

/** A participant. */
export const participant = fields(PARTICIPANT);

/** A list of participants. */
export const participants: Field<readonly ReturnType<typeof participant>[]> = (value, key) => {
  if (!Array.isArray(value))
    throw new EngineError('BAD_REQUEST', `"${key}" must be a list of participants`, { where: whereOf(key) });
  return value.map((one: unknown, n) => participant(one, `${key}[${n}]`));
};
