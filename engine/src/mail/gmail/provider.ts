import type { MailProvider } from '../provider.ts';
import { createGmailSource } from './source.ts';

/** `provider: gmail`: a mailbox at Google, over the Gmail API. */
export const gmailProvider: MailProvider<'gmail'> = {
  openSource({ id: accountId, email, labels, endpoints }, { tokensOf, workers, clock }) {
    return createGmailSource({ accountId, email, labels, endpoints, tokens: tokensOf(accountId), workers, clock });
  },
  async openMailbox({ id: accountId, email, endpoints }, { tokensOf, workers, clock }) {
    const { createGmailMailbox } = await import('./mailbox.ts');
    return createGmailMailbox({ accountId, email, endpoints, tokens: tokensOf(accountId), workers, clock });
  },
};
