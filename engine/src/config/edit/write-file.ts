import { existsSync } from 'node:fs';
import { mkdir, open, realpath, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EngineError } from '../../base/error.ts';
import { realPathWithin } from '../../base/no-follow.ts';
import { type Kind, KINDS } from '../config.ts';

/** First line of a YAML document, or of a file of tests. It names the schema for editors, next to the config folder or in this installation. */
export function modeline(dir: string, kind: Kind | 'test'): string {
  const from = join(dir, { ...KINDS, test: 'tests' }[kind]);
  const name = `${kind}.schema.json`;
  const beside = join(dirname(dir), 'schemas', name);
  const own = fileURLToPath(new URL(`../../../../schemas/${name}`, import.meta.url));
  const path = relative(from, existsSync(beside) ? beside : own);
  // Another drive on Windows has no relative path.
  const schema = /^[A-Za-z]:/.test(path) ? pathToFileURL(own).href : path.split(sep).join('/');
  return `# yaml-language-server: $schema=${schema}`;
}

/**
 * Writes a document atomically: into a temporary file in the same folder, which is then renamed, so readers see the old or
 * the new text, never a part. Follows a symbolic link inside the folder and keeps the mode of the file. Rejects with
 * `CONFIG_READ_ONLY` if the folder is not writable, and with `CONFIG_LINK_OUTSIDE` if a link leads out of it.
 */
export async function writeFileAtomically(dir: string, below: string, text: string): Promise<void> {
  await guarded(join(dir, below), async () => {
    await mkdir(dirname(join(dir, below)), { recursive: true });
    const path = await realpath(join(dir, below)).catch(() => join(dir, below));
    if ((await realPathWithin(dirname(path), dir)) === undefined)
      throw new EngineError(
        'CONFIG_LINK_OUTSIDE',
        `${join(dir, below)} is a link that leads out of the config folder`,
        {
          hint: 'replace the link by a copy, or edit the file that it leads to',
        },
      );
    const mode = await stat(path).then(
      (stats) => stats.mode,
      () => 0o644,
    );
    // Because of the dot, the watcher ignores the file.
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
    try {
      const handle = await open(temporary, 'w', mode);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

/** Deletes a document's file. Rejects with `CONFIG_READ_ONLY` if that is not allowed; a missing file is fine. */
export async function removeFile(dir: string, below: string): Promise<void> {
  await guarded(join(dir, below), () =>
    unlink(join(dir, below)).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    }),
  );
}

async function guarded(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    const hint = 'make it writable, or edit it at its source';
    throw new EngineError('CONFIG_READ_ONLY', `${path} cannot be written`, { hint, cause: error });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
