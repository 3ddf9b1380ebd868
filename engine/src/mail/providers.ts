import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Account } from '../config/config.ts';
import { expectValue } from '../config/reference.ts';
import type { AccountTokens } from '../account/account.ts';
import { createFolderSource } from './folder/source.ts';
import { createGmailSource } from './gmail/source.ts';
import { createImapSource } from './imap/source.ts';
import type { Mailbox } from './mailbox.ts';
import { createOutlookSource } from './outlook/source.ts';
import type { MailWorkers } from './parse/mail-workers.ts';
import type { MailService } from './send/mail-service.ts';
import type { MailParser } from './mail.ts';
import type { OpenSource } from './source.ts';

export interface SourceDeps {
  /** What relative paths count from. */
  readonly baseDir: string;
  readonly workers: MailParser;
  readonly clock: Clock;
  /** What a reference such as `${env:NAME}` stands for, or undefined. */
  readonly resolve: (reference: string) => string | undefined;
  /** Tokens of an account that somebody signs in to. */
  readonly tokensOf: (accountId: string) => AccountTokens;
}

/** Opens accounts by their provider. Passwords are looked up when they are used. */
export function sourceOpener({ baseDir, workers, clock, resolve: lookUp, tokensOf }: SourceDeps): OpenSource {
  return (account) => {
    const { id: accountId, email } = account;
    switch (account.provider) {
      case 'folder': {
        const { path, format } = account;
        return createFolderSource({ accountId, email, path: resolve(baseDir, path), format, workers, clock });
      }
      case 'imap': {
        const { imap, auth, mailbox } = account;
        const password = () =>
          expectValue(accountId, { key: 'auth.pass', reference: auth.pass, value: lookUp(auth.pass) });
        return createImapSource({ accountId, email, ...imap, user: auth.user, password, mailbox, workers, clock });
      }
      case 'gmail': {
        const { labels, endpoints } = account;
        return createGmailSource({ accountId, email, labels, endpoints, tokens: tokensOf(accountId), workers, clock });
      }
      case 'outlook': {
        const { endpoints } = account;
        return createOutlookSource({ accountId, email, endpoints, tokens: tokensOf(accountId), workers, clock });
      }
      default:
        return account satisfies never;
    }
  };
}

export interface MailServiceOptions
  extends Omit<SourceDeps, 'workers'>, Pick<MailService, 'store' | 'log' | 'config' | 'worker' | 'isShared'> {
  readonly workers: Pick<MailWorkers, 'parse' | 'html'>;
}

/** What looks into accounts and writes from them. Each mailbox is opened once for each version of its account. */
export function openMailService(options: MailServiceOptions): MailService {
  const { store, clock, log, config, worker, isShared, workers } = options;
  const opened = new WeakMap<Account, Promise<Mailbox>>();
  const open = (account: Account) => {
    let mailbox = opened.get(account);
    if (mailbox === undefined) opened.set(account, (mailbox = openMailbox(account, options)));
    return mailbox;
  };
  return { store, clock, log, config, worker, isShared, workers, open };
}

/** What an adapter needs is loaded when somebody asks for it. Passwords are looked up when they are used. */
async function openMailbox(account: Account, options: MailServiceOptions): Promise<Mailbox> {
  const { baseDir, workers, clock, resolve: lookUp, tokensOf } = options;
  const { id: accountId, email } = account;
  switch (account.provider) {
    case 'folder': {
      const { createFolderMailbox } = await import('./folder/mailbox.ts');
      const { path, format } = account;
      return createFolderMailbox({ accountId, email, path: resolve(baseDir, path), format, workers });
    }
    case 'imap': {
      const { createImapMailbox } = await import('./imap/mailbox.ts');
      const { imap, smtp, auth, mailbox } = account;
      const passwordOf =
        (key: string, { pass }: typeof auth) =>
        () =>
          expectValue(accountId, { key, reference: pass, value: lookUp(pass) });
      const [key, sender] = smtp?.auth === undefined ? ['auth.pass', auth] : ['smtp.auth.pass', smtp.auth];
      return createImapMailbox({
        ...{ accountId, email, ...imap, user: auth.user, password: passwordOf('auth.pass', auth), mailbox, workers },
        smtp: smtp && { accountId, ...smtp, user: sender.user, password: passwordOf(key, sender) },
      });
    }
    case 'gmail': {
      const { createGmailMailbox } = await import('./gmail/mailbox.ts');
      const { endpoints } = account;
      return createGmailMailbox({ accountId, email, endpoints, tokens: tokensOf(accountId), workers, clock });
    }
    case 'outlook': {
      const { createOutlookMailbox } = await import('./outlook/mailbox.ts');
      const { endpoints } = account;
      return createOutlookMailbox({ accountId, endpoints, tokens: tokensOf(accountId), clock });
    }
    default:
      return account satisfies never;
  }
}
