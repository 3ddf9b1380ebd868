import { resolve } from 'node:path';
import type { Account } from '../config/config.ts';
import { expectValue } from '../config/reference.ts';
import type { Mailbox } from '../mail/mailbox.ts';
import type { Office } from '../mail/sending/office.ts';
import type { MailRoom } from '../mail/room.ts';
import type { SourceWays } from './sources.ts';

export interface OfficeWays
  extends Omit<SourceWays, 'room'>, Pick<Office, 'store' | 'log' | 'config' | 'worker' | 'isShared'> {
  readonly room: Pick<MailRoom, 'parse' | 'html'>;
}

/** What looks into accounts and writes from them. Each mailbox is opened once for each version of its account. */
export function openOffice(ways: OfficeWays): Office {
  const { store, clock, log, config, worker, isShared, room } = ways;
  const opened = new WeakMap<Account, Promise<Mailbox>>();
  const open = (account: Account) => {
    let mailbox = opened.get(account);
    if (mailbox === undefined) opened.set(account, (mailbox = openMailbox(account, ways)));
    return mailbox;
  };
  return { store, clock, log, config, worker, isShared, room, open };
}

/** What an adapter needs is loaded when somebody asks for it. Passwords are looked up when they are used. */
async function openMailbox(account: Account, ways: OfficeWays): Promise<Mailbox> {
  const { baseDir, room, clock, resolve: lookUp, tokensOf } = ways;
  const { id: accountId, email } = account;
  switch (account.provider) {
    case 'folder': {
      const { createFolderMailbox } = await import('../mail/folder/mailbox.ts');
      const { path, format } = account;
      return createFolderMailbox({ accountId, email, path: resolve(baseDir, path), format, room });
    }
    case 'imap': {
      const { createImapMailbox } = await import('../mail/imap/mailbox.ts');
      const { imap, smtp, auth, mailbox } = account;
      const passwordOf =
        (key: string, { pass }: typeof auth) =>
        () =>
          expectValue(accountId, { key, reference: pass, value: lookUp(pass) });
      const [key, sender] = smtp?.auth === undefined ? ['auth.pass', auth] : ['smtp.auth.pass', smtp.auth];
      return createImapMailbox({
        ...{ accountId, email, ...imap, user: auth.user, password: passwordOf('auth.pass', auth), mailbox, room },
        smtp: smtp && { accountId, ...smtp, user: sender.user, password: passwordOf(key, sender) },
      });
    }
    case 'gmail': {
      const { createGmailMailbox } = await import('../mail/gmail/mailbox.ts');
      const { endpoints } = account;
      return createGmailMailbox({ accountId, email, endpoints, tokens: tokensOf(accountId), room, clock });
    }
    case 'outlook': {
      const { createOutlookMailbox } = await import('../mail/outlook/mailbox.ts');
      const { endpoints } = account;
      return createOutlookMailbox({ accountId, endpoints, tokens: tokensOf(accountId), clock });
    }
    default:
      return account satisfies never;
  }
}
