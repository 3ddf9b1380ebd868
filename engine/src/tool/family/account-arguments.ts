import type { AgendaOwner } from '../../agenda/agenda.ts';
import type { Caller } from '../tool.ts';

/** Parameters by which tools of calendar and to-dos name whose they mean (seed 000, 3.2.8b). */
export const OWNER = {
  provider: {
    type: 'string',
    description:
      'Where the calendar or list is kept: google (also gmail), microsoft (also outlook), or local for the one on this machine. Left out: where the account has it.',
    examples: ['google', 'microsoft', 'local'],
  },
  accountId: {
    type: 'string',
    description:
      'Account whose calendar or list is meant. Accounts at Google and Microsoft have their own, all others the local one. Left out: the account that the mail came to; where there is no mail, the only account that has its own, or the local one where none has.',
  },
} as const;

/** What arguments and whoever calls say of it. */
export function ownerOf(args: Readonly<Record<string, unknown>>, { origin }: Pick<Caller, 'origin'>): AgendaOwner {
  return {
    provider: args['provider'] as string | undefined,
    accountId: args['accountId'] as string | undefined,
    emailId: origin.email?.id,
    directorId: origin.director?.id,
  };
}

/** Tells the model whose calendar or list it was, where an account has its own. */
export function named(whose: { readonly accountId?: string }): { readonly accountId?: string } {
  return whose.accountId === undefined ? {} : { accountId: whose.accountId };
}

/** Parameters of a tool: an object that takes nothing else. */
export function parameters(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false };
}
