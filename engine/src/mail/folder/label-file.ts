import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import { READ_NO_FOLLOW } from '../../base/no-follow.ts';
import type { RelabelledMail } from '../source.ts';

/**
 * Directory of labels that Callsheet added to mails of a folder: one file per mail, named by the SHA-256 of its bytes.
 */
const FOLDER = '.labels';

/** Labels that Callsheet added to a mail; undefined where it never changed any. */
export async function readLabels(inbox: string, hash: string): Promise<readonly string[] | undefined> {
  // Whoever may put a link into the inbox must not make lines of other files into labels.
  const options = { encoding: 'utf8', flag: READ_NO_FOLLOW } as const;
  const text = await readFile(join(inbox, FOLDER, hash), options).catch(() => undefined);
  return text?.split('\n').filter((line) => line !== '');
}

/** Writes all labels of a mail, atomically. Errors of the disk pass unchanged. */
export async function writeLabels(inbox: string, hash: string, labels: readonly string[]): Promise<void> {
  const folder = join(inbox, FOLDER);
  await makeFolder(folder);
  const temporary = join(folder, `.${hash}.${process.pid}.tmp`);
  await rm(temporary, { force: true });
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(labels.map((label) => `${label}\n`).join(''));
  } finally {
    await file.close();
  }
  await rename(temporary, join(folder, hash));
}

/**
 * Emits labels of a folder of .eml files. A new process emits all of them, which changes nothing where they are known.
 */
export class LabelFileChanges {
  readonly #inbox: string;
  /** Files as last emitted: modification time and inode by hash. */
  readonly #emitted = new Map<string, string>();

  constructor(inbox: string) {
    this.#inbox = inbox;
  }

  /** Mails whose label file changed since it was emitted, or since this process started. */
  async *changed(): AsyncIterable<RelabelledMail> {
    for (const hash of await readdir(join(this.#inbox, FOLDER)).catch(() => [])) {
      if (!/^[0-9a-f]{64}$/.test(hash)) continue;
      const state = await stat(join(this.#inbox, FOLDER, hash)).catch(() => undefined);
      const version = `${state?.mtimeMs} ${state?.ino}`;
      const labels = this.#emitted.get(hash) === version ? undefined : await readLabels(this.#inbox, hash);
      if (labels === undefined) continue;
      yield { kind: 'labels', name: `${FOLDER}/${hash}`, providerId: hash, labels, isThere: false };
      // Remembered only after the caller handled the event.
      this.#emitted.set(hash, version);
    }
  }
}
