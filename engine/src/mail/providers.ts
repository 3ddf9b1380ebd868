import { folderProvider } from './folder/provider.ts';
import { gmailProvider } from './gmail/provider.ts';
import { imapProvider } from './imap/provider.ts';
import { outlookProvider } from './outlook/provider.ts';
import type { MailProviders } from './provider.ts';

/** The mail providers by the `provider` of an account document. */
export const mailProviders: MailProviders = {
  folder: folderProvider,
  imap: imapProvider,
  gmail: gmailProvider,
  outlook: outlookProvider,
};
