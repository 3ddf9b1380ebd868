import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../base/error.ts';
import { isRecord, type Json } from '../../base/json.ts';
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

/** Reads the cassette of a test; an empty one that begins at `at` (ISO 8601) where there is none. `CONFLICT` where it cannot be read. */
export async function readTestCassette(path: string, at: string): Promise<TestCassette> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return { cassette: emptyCassette(at), verdicts: {}, exists: false };
  }
  const value = parse(text);
  if (!isRecord(value) || !Array.isArray(value['answers']) || !Array.isArray(value['calls']))
    throw new EngineError('CONFLICT', `${path} is no cassette`, { hint: 'record it again with --record all' });
  const { verdicts, ...cassette } = value;
  return {
    cassette: { ...emptyCassette(at), ...(cassette as Partial<Cassette>) },
    verdicts: isRecord(verdicts) ? (verdicts as Readonly<Record<string, Json>>) : {},
    exists: true,
  };
}

/** Writes a cassette, with its folder. */
export async function writeTestCassette(
  path: string,
  { cassette, verdicts }: Omit<TestCassette, 'exists'>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const all = { ...cassette, ...(Object.keys(verdicts).length > 0 && { verdicts }) };
  await writeFile(path, `${JSON.stringify(all, null, 2)}\n`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
