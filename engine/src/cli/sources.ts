import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { expectValue } from '../config/reference.ts';
import { createFolderSource } from '../mail/folder/source.ts';
import { createGmailSource } from '../mail/gmail/source.ts';
import { createImapSource } from '../mail/imap/source.ts';
import { createOutlookSource } from '../mail/outlook/source.ts';
import type { MailRoom } from '../mail/room.ts';
import type { AccountTokens } from '../provider/provider.ts';
import type { OpenSource } from '../run/accounts.ts';

export interface SourceWays {
  /** What relative paths count from. */
  readonly baseDir: string;
  readonly room: Pick<MailRoom, 'parse'>;
  readonly clock: Clock;
  /** What a reference such as `${env:NAME}` stands for, or undefined. */
  readonly resolve: (reference: string) => string | undefined;
  /** Tokens of an account that somebody signs in to. */
  readonly tokensOf: (accountId: string) => AccountTokens;
}

/** Opens accounts by their provider. Passwords are looked up when they are used. */
export function sourceOpener({ baseDir, room, clock, resolve: lookUp, tokensOf }: SourceWays): OpenSource {
  return (account) => {
    const { id: accountId, email } = account;
    switch (account.provider) {
      case 'folder': {
        const { path, format } = account;
        return createFolderSource({ accountId, email, path: resolve(baseDir, path), format, room, clock });
      }
      case 'imap': {
        const { imap, auth, mailbox } = account;
        const password = () =>
          expectValue(accountId, { key: 'auth.pass', reference: auth.pass, value: lookUp(auth.pass) });
        return createImapSource({ accountId, email, ...imap, user: auth.user, password, mailbox, room, clock });
      }
      case 'gmail': {
        const { labels, endpoints } = account;
        return createGmailSource({ accountId, email, labels, endpoints, tokens: tokensOf(accountId), room, clock });
      }
      case 'outlook': {
        const { endpoints } = account;
        return createOutlookSource({ accountId, email, endpoints, tokens: tokensOf(accountId), room, clock });
      }
      default:
        return account satisfies never;
    }
  };
}
