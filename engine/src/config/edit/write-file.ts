import { existsSync } from 'node:fs';
import { open, readFile, realpath, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeFolder } from '../../base/folder.ts';
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

/** A new text of a file below the config folder, and the text that it has now. */
export interface NewText {
  readonly relative: string;
  readonly before: string;
  readonly after: string;
}

/** A new text on the disk beside its file. */
interface StagedText {
  /** Gives the text the name of the file. */
  commit(): Promise<void>;
  /** Deletes the text if it was not committed. */
  discard(): Promise<void>;
}

/**
 * Writes a document atomically: into a temporary file in the same folder, which is then renamed, so readers see the old or
 * the new text, never a part. Follows a symbolic link inside the folder and keeps the mode of the file. Rejects with
 * `CONFIG_READ_ONLY` if the folder is not writable, and with `CONFIG_LINK_OUTSIDE` if a link leads out of it.
 */
export async function writeFileAtomically(dir: string, below: string, text: string | Uint8Array): Promise<void> {
  const staged = await stageText(dir, below, text);
  await staged.commit();
}

/**
 * Writes several documents, or none where one of them cannot be written: all texts are on the disk before the first file is replaced.
 * `whenStaged` runs in between; if it rejects, nothing is written. Errors as of `writeFileAtomically`; `FILE_CHANGED` where a file does
 * not have the text `before`.
 */
export async function writeTogether(
  dir: string,
  texts: readonly NewText[],
  whenStaged: () => Promise<void> = async () => {},
): Promise<void> {
  const staged: StagedText[] = [];
  const written: { readonly relative: string; readonly bytes: Uint8Array }[] = [];
  try {
    for (const { relative, after } of texts) staged.push(await stageText(dir, relative, after));
    await whenStaged();
    for (const [i, text] of texts.entries()) {
      const bytes = await expectText(dir, text);
      await staged[i]?.commit();
      written.push({ relative: text.relative, bytes });
    }
  } catch (error) {
    for (const one of staged) await one.discard();
    for (const { relative, bytes } of written) await writeFileAtomically(dir, relative, bytes);
    throw error;
  }
}

/** The bytes of a file that has the text `before`. `FILE_CHANGED` where it has another one. */
async function expectText(dir: string, { relative, before }: NewText): Promise<Uint8Array> {
  const bytes = await readFile(join(dir, relative)).catch(() => undefined);
  // Without a byte order mark, as the config reads its files.
  if (bytes !== undefined && new TextDecoder().decode(bytes) === before) return bytes;
  throw new EngineError('FILE_CHANGED', `${join(dir, relative)} has changed, nothing is written`, {
    hint: 'read it again and repeat the edit',
  });
}

async function stageText(dir: string, below: string, text: string | Uint8Array): Promise<StagedText> {
  const given = join(dir, below);
  return guarded(given, async () => {
    await makeFolder(dirname(given));
    const path = await realpath(given).catch(() => given);
    if ((await realPathWithin(dirname(path), dir)) === undefined)
      throw new EngineError('CONFIG_LINK_OUTSIDE', `${given} is a link that leads out of the config folder`, {
        hint: 'replace the link by a copy, or edit the file that it leads to',
      });
    const mode = await stat(path).then(
      (stats) => stats.mode,
      () => 0o644,
    );
    // Because of the dot, the watcher ignores the file.
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
    const discard = () => rm(temporary, { force: true });
    const orDiscard = async (work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        await discard();
        throw error;
      }
    };
    await orDiscard(async () => {
      const handle = await open(temporary, 'w', mode);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
    return { commit: () => guarded(given, () => orDiscard(() => rename(temporary, path))), discard };
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

async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    const hint = 'make it writable, or edit it at its source';
    throw new EngineError('CONFIG_READ_ONLY', `${path} cannot be written`, { hint, cause: error });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
