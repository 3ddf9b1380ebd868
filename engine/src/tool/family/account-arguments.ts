import type { AgendaOwner } from '../../agenda/agenda.ts';
import type { Caller } from '../tool.ts';

/** Parameters that select the calendar or the to-do list (seed 000, 3.2.8b). */
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

/** The owner of the calendar or list that a call means, from its arguments and its caller. */
export function ownerOf(
  { provider, accountId }: Pick<AgendaOwner, 'provider' | 'accountId'>,
  { origin }: Pick<Caller, 'origin'>,
): AgendaOwner {
  return {
    provider,
    accountId,
    emailId: origin.email?.id,
    directorId: origin.director?.id,
  };
}

/** The account of a calendar or list for the model, where the account has its own. */
export function accountIdOf(whose: { readonly accountId?: string }): { readonly accountId?: string } {
  return whose.accountId === undefined ? {} : { accountId: whose.accountId };
}
