import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { MailProvider } from '../provider.ts';
import { createFolderSource } from './source.ts';

/** `provider: folder`: .eml files or a Maildir on this machine. */
export const folderProvider: MailProvider<'folder'> = {
  openSource({ id: accountId, email, path, format }, { baseDir, workers, clock }) {
    return createFolderSource({ accountId, email, path: resolve(baseDir, path), format, workers, clock });
  },
  async openMailbox({ id: accountId, email, path, format }, { baseDir, workers }) {
    const { createFolderMailbox } = await import('./mailbox.ts');
    return createFolderMailbox({ accountId, email, path: resolve(baseDir, path), format, workers });
  },
  /** A missing folder is only a warning before the first start, since that start creates the inbox of the shipped config. */
  inspect(account, { baseDir, hasStarted }) {
    const path = resolve(baseDir, account.path);
    if (!existsSync(path)) {
      const hint = 'create the folder, or change path in the account file';
      return { status: hasStarted ? 'fail' : 'warn', message: `folder ${path} does not exist`, hint };
    }
    if (!statSync(path).isDirectory())
      return { status: 'fail', message: `${path} is not a folder`, hint: 'change path in the account file' };
    return { status: 'ok', message: `folder ${path} exists` };
  },
};
