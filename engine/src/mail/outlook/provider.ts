import type { MailProvider } from '../provider.ts';
import { createOutlookSource } from './source.ts';

/** `provider: outlook`: a mailbox at Microsoft, over Microsoft Graph. */
export const outlookProvider: MailProvider<'outlook'> = {
  openSource({ id: accountId, email, endpoints }, { tokensOf, workers, clock }) {
    return createOutlookSource({ accountId, email, endpoints, tokens: tokensOf(accountId), workers, clock });
  },
  async openMailbox({ id: accountId, endpoints }, { tokensOf, clock }) {
    const { createOutlookMailbox } = await import('./mailbox.ts');
    return createOutlookMailbox({ accountId, endpoints, tokens: tokensOf(accountId), clock });
  },
};
