import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RelabelledMail } from '../source.ts';

/** Where labels lie that were put onto mails of a folder here: a file for each mail, named by the sha256 of its bytes. */
const FOLDER = '.labels';

/** Labels that were put onto a mail here; undefined where none were ever changed. */
export async function readLabels(inbox: string, hash: string): Promise<readonly string[] | undefined> {
  const text = await readFile(join(inbox, FOLDER, hash), 'utf8').catch(() => undefined);
  return text?.split('\n').filter((line) => line !== '');
}

/** Writes all labels of a mail, whole or not at all. Errors of the disk pass as they are. */
export async function writeLabels(inbox: string, hash: string, labels: readonly string[]): Promise<void> {
  const folder = join(inbox, FOLDER);
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `.${hash}.${process.pid}.tmp`);
  await rm(draft, { force: true });
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(labels.map((label) => `${label}\n`).join(''));
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, hash));
}

/** Tells of labels in a folder of .eml files; a process that begins tells of all, which changes nothing where they are known. */
export class LabelFileChanges {
  readonly #inbox: string;
  /** Files as they were told of last. */
  readonly #told = new Map<string, string>();

  constructor(inbox: string) {
    this.#inbox = inbox;
  }

  /** Mails whose labels were written since they were told of, or since this process began. */
  async *changed(): AsyncIterable<RelabelledMail> {
    for (const hash of await readdir(join(this.#inbox, FOLDER)).catch(() => [])) {
      if (!/^[0-9a-f]{64}$/.test(hash)) continue;
      const state = await stat(join(this.#inbox, FOLDER, hash)).catch(() => undefined);
      const mark = `${state?.mtimeMs} ${state?.ino}`;
      const labels = this.#told.get(hash) === mark ? undefined : await readLabels(this.#inbox, hash);
      if (labels === undefined) continue;
      yield { kind: 'labels', name: `${FOLDER}/${hash}`, providerId: hash, labels, isThere: false };
      // Remembered only once it was dealt with.
      this.#told.set(hash, mark);
    }
  }
}
