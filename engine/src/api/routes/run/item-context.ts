import { EngineError } from '../../../base/error.ts';
import type { Origin, WorkspaceItem } from '../../../workspace/item.ts';
import { type Field, object, oneOf, optional, text } from '../../http/body.ts';

/** Members of the body of a new item that say where it comes from (seed 000, 3.2.0a, WorkspaceItemInput). */
export const CONTEXT_FIELDS = { context: optional(object), provenance: optional(object) };

const creator = optional(oneOf('director', 'agent', 'tool', 'user'));
const PROVENANCE = {
  createdBy: creator,
  agentId: optional(text),
  tool: optional(text),
  conversationId: optional(text),
};

interface Given {
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly provenance?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The context of an item that a person adds: `provenance` goes before `context`, and what both leave out is that of the
 * workspace, with `createdBy: user`. `BAD_REQUEST` for an unknown key or a wrong type.
 */
export function itemContext(origin: Origin, { context = {}, provenance = {} }: Given): WorkspaceItem['context'] {
  const read = members(context, 'context', {
    email: optional(object),
    director: optional(object),
    agent: optional(object),
    ...PROVENANCE,
  });
  const { by, ...over } = members(provenance, 'provenance', { by: creator, ...PROVENANCE });
  const email = read.email && members(read.email, 'context.email', optionalTexts('id', 'subject', 'from', 'date'));
  const director = read.director && members(read.director, 'context.director', optionalTexts('id', 'name'));
  const agent = read.agent && members(read.agent, 'context.agent', optionalTexts('id', 'name'));
  const agentId = over.agentId ?? read.agentId ?? agent?.id;
  const tool = over.tool ?? read.tool;
  const conversationId = over.conversationId ?? read.conversationId;
  return {
    ...(email === undefined ? origin.email && { email: origin.email } : { email: filled(email) }),
    director: director === undefined ? origin.director : filled(director),
    ...(agent !== undefined && { agent: filled(agent) }),
    createdBy: over.createdBy ?? by ?? read.createdBy ?? 'user',
    ...(agentId !== undefined && { agentId }),
    ...(tool !== undefined && { tool }),
    ...(conversationId !== undefined && { conversationId }),
  };
}

type Members<S extends Readonly<Record<string, Field<unknown>>>> = { readonly [K in keyof S]: ReturnType<S[K]> };

function members<S extends Readonly<Record<string, Field<unknown>>>>(
  value: Readonly<Record<string, unknown>>,
  path: string,
  fields: S,
): Members<S> {
  for (const key of Object.keys(value))
    if (!Object.hasOwn(fields, key))
      throw new EngineError('BAD_REQUEST', `"${path}" has an unknown key "${key}"`, {
        hint: `keys: ${Object.keys(fields).join(', ')}`,
      });
  const entries = Object.entries(fields).map(([key, field]) => [key, field(value[key], `${path}.${key}`)]);
  return Object.fromEntries(entries) as Members<S>;
}

function optionalTexts<const K extends string>(
  ...keys: readonly K[]
): { readonly [P in K]: Field<string | undefined> } {
  return Object.fromEntries(keys.map((key) => [key, optional(text)])) as { [P in K]: Field<string | undefined> };
}

/** Members that were left out are `''`. */
function filled<T extends object>(given: T): { readonly [K in keyof T]: string } {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value ?? ''])) as {
    [K in keyof T]: string;
  };
}
