import { copyFile, readdir, realpath, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../base/folder.ts';
import type { Logger } from '../base/log.ts';
import type { App } from './app.ts';
import { HOME } from './installation.ts';

/** File in the data folder that marks that the samples were copied once, so that they do not return to a cleared inbox. */
const MARKER = 'samples-copied';

type InboxApp = Pick<App, 'dataDir' | 'baseDir'> & { readonly config: Pick<App['config'], 'dir' | 'current'> };

/**
 * Copies the sample mails into the empty inbox at the first start of the shipped config. Does nothing for another config, for an
 * inbox with mail, and after the first copy. Never throws.
 */
export async function fillInbox(app: InboxApp, log: Logger): Promise<void> {
  const marker = join(app.dataDir, MARKER);
  try {
    if (existsSync(marker) || !(await isShipped(app.config.dir))) return;
    const account = [...app.config.current().accounts.values()].find(({ provider }) => provider === 'folder');
    if (account?.provider !== 'folder') return;
    const inbox = resolve(app.baseDir, account.path);
    if (!(await isEmpty(inbox))) return;
    const samples = (await readdir(join(HOME, 'samples'))).filter((name) => name.endsWith('.eml')).sort();
    await makeFolder(inbox);
    for (const name of samples) await copyFile(join(HOME, 'samples', name), join(inbox, name));
    await writeFile(marker, '', { mode: 0o600 });
    log.info('sample mails copied to the inbox', { mails: samples.length, inbox });
  } catch (error) {
    log.warn('the sample mails could not be copied to the inbox', { error: String(error) });
  }
}

async function isShipped(configDir: string): Promise<boolean> {
  const [ours, given] = await Promise.all([realpath(join(HOME, 'config')), realpath(configDir)]);
  return ours === given;
}

/** True also for a missing folder; ignores hidden files. */
async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.every((name) => name.startsWith('.'));
}
