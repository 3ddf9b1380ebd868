import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { createFolderSource } from '../mail/folder.ts';
import { createImapSource } from '../mail/imap.ts';
import type { MailRoom } from '../mail/room.ts';
import type { OpenSource } from '../run/accounts.ts';

export interface SourceWays {
  /** What relative paths count from. */
  readonly baseDir: string;
  readonly room: Pick<MailRoom, 'parse'>;
  readonly clock: Clock;
  /** What a reference such as `${env:NAME}` stands for, or undefined. */
  readonly resolve: (reference: string) => string | undefined;
}

/** Opens accounts by their provider. Passwords are looked up when they are used. */
export function sourceOpener({ baseDir, room, clock, resolve: lookUp }: SourceWays): OpenSource {
  return (account) => {
    const { id: accountId, email } = account;
    switch (account.provider) {
      case 'folder': {
        const { path, format } = account;
        return createFolderSource({ accountId, email, path: resolve(baseDir, path), format, room, clock });
      }
      case 'imap': {
        const { imap, auth, mailbox } = account;
        const password = () => expectPassword(accountId, auth.pass, lookUp(auth.pass));
        return createImapSource({ accountId, email, ...imap, user: auth.user, password, mailbox, room, clock });
      }
      default:
        return account satisfies never;
    }
  };
}

function expectPassword(accountId: string, reference: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: there is no value for \`auth.pass\`, ${reference}`, {
    hint: reference.startsWith('${env:')
      ? 'Set that environment variable, and start anew.'
      : 'Keep one with `callsheet secrets set`.',
    retryable: true,
  });
}
