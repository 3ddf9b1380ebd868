import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import type { Json } from '../../base/json.ts';
import { systemCode } from '../../file/resolve-path.ts';
import { writeNamed } from '../../file/write-named.ts';
import { cassetteText, readCassetteText, unreadable } from '../case/case-file.ts';
import { type Cassette, emptyCassette } from '../cassette.ts';

/** The cassette of one test: what models and tools answered, and what judges said of it. */
export interface TestCassette {
  readonly cassette: Cassette;
  /** Verdicts by the hash of the question. */
  readonly verdicts: Readonly<Record<string, Json>>;
  /** False where nothing was recorded yet. */
  readonly exists: boolean;
}

/** Folder beside the config folder. */
const FOLDER = 'cassettes';

/** Where the cassette of a test lies. `n` counts from 1. */
export function cassettePath(baseDir: string, file: string, n: number): string {
  return join(baseDir, FOLDER, file, `${n}.json`);
}

/** Reads the cassette of a test; that of `emptyTestCassette` where there is none. `BAD_REQUEST` where it cannot be read. */
export async function readTestCassette(path: string, at: string): Promise<TestCassette> {
  const text = await readText(path);
  if (text === undefined) return emptyTestCassette(at);
  const { cassette, verdicts } = readCassetteText(text, path, 'record it again with --record all');
  return { cassette, verdicts, exists: true };
}

/** The cassette of a test of which nothing was recorded. `at`: ISO 8601. */
export function emptyTestCassette(at: string): TestCassette {
  return { cassette: emptyCassette(at), verdicts: {}, exists: false };
}

/** Writes a cassette, with its folder, unless the file has this text already: who watches it sees no change. `USAGE` where it cannot. */
export async function writeTestCassette(
  path: string,
  { cassette, verdicts }: Omit<TestCassette, 'exists'>,
): Promise<void> {
  const text = cassetteText(cassette, Object.keys(verdicts).length > 0 ? { verdicts } : {});
  if ((await readText(path)) === text) return;
  await writeNamed(path, makeFolder(dirname(path)));
  await writeNamed(path, writeFile(path, text));
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    return systemCode(cause) === 'ENOENT' ? undefined : unreadable(path, cause);
  }
}
