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
};
