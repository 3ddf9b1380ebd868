import type { Owner } from '../agenda/agenda.ts';

/** Parameters by which tools of calendar and to-dos name whose they mean (seed 000, 3.2.8b). */
export const OWNER = {
  provider: {
    type: 'string',
    description: 'Where the calendar or list is kept. Left out, or "local": on this machine.',
    examples: ['local'],
  },
  accountId: { type: 'string', description: 'Account whose calendar or list is meant, where it has one of its own.' },
} as const;

/** What arguments say of it. */
export function ownerOf(args: Readonly<Record<string, unknown>>): Owner {
  return { provider: args['provider'] as string | undefined, accountId: args['accountId'] as string | undefined };
}

/** Parameters of a tool: an object that takes nothing else. */
export function parameters(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false };
}
