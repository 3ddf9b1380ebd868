import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { EngineError } from '../base/error.ts';
import { sha256 } from '../base/json.ts';
import { createYielder } from '../base/yielding.ts';
import { ownFolders } from './own-folders.ts';
import { CandidateChooser } from './link/candidate.ts';
import { KINDS, type ToolCatalog, type Problem, type Validation } from './config.ts';
import { FileTable } from './validate/file-table.ts';
import { oneProblemPerMistake } from './one-problem.ts';
import { fileProblem, sortProblems } from './problem.ts';
import { isTest, listFiles, readSource } from './parse/read.ts';
import { createShapeCheck } from './parse/schema.ts';
import { revisionOf } from './revision/build-snapshot.ts';
import { readTestFiles } from './test/read-tests.ts';
import { TESTS_FOLDER } from './test/test-file.ts';
import { allProblems, LinkProblems } from './live/document-states.ts';

/** Files that are read at once, so that the thread does not sleep and wake for each step of each file. */
const READ_AT_ONCE = 32;

/** Options of `validateConfig`. */
export interface ValidateOptions {
  /** The config folder of those `paths` that do not show their config folder themselves. */
  readonly dir: string;
  /** The data folder, which no root of a tool may overlap. */
  readonly dataDir?: string | undefined;
  /** Files or folders to report on; a folder may be another config folder. Default: all of `dir`. */
  readonly paths?: readonly string[];
  readonly catalog: ToolCatalog;
  readonly env: (name: string) => string | undefined;
  /** Whether a secret has a value. Undefined if that is not known: then no value is reported as missing. */
  readonly hasSecret?: ((name: string) => boolean) | undefined;
  /** Texts that count in place of those of the files, by their path below the config folder. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
}

/**
 * Validates files as they are on disk, without a last good set. It validates the whole config folder of each path, so that
 * links can be checked, and reports only the problems of the paths. Rejects with `USAGE` if a path or the folder does not
 * exist.
 */
export async function validateConfig({ dir, paths = [], ...options }: ValidateOptions): Promise<Validation> {
  const wanted = paths.length === 0 ? [dir] : paths;
  const folders = new Map<string, string[]>();
  for (const path of wanted.map((one) => resolve(one))) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined)
      throw new EngineError('USAGE', `there is no file or folder ${path}`, {
        hint: 'give the path of a config folder or of files in it',
      });
    const folder = folderOf(path, stats.isDirectory(), resolve(dir));
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  const results: Validation[] = [];
  for (const [folder, inside] of folders) results.push(await validateFolder(folder, inside, options));
  return { revision: results[0]?.revision ?? '', problems: sortProblems(results.flatMap(({ problems }) => problems)) };
}

/** The config folder of a path: the parent of a kind folder, else the folder itself. */
function folderOf(path: string, isFolder: boolean, dir: string): string {
  const isInside = path === dir || path.startsWith(dir + sep);
  if (isInside) return dir;
  const kindFolders = [TESTS_FOLDER, ...Object.values(KINDS).filter((name) => name !== '')];
  if (isFolder) return kindFolders.some((name) => name === basename(path)) ? dirname(path) : path;
  const parent = dirname(path);
  return kindFolders.some((name) => name === basename(parent)) ? dirname(parent) : parent;
}

async function validateFolder(
  dir: string,
  paths: readonly string[],
  { catalog, env, dataDir, hasSecret, texts }: Omit<ValidateOptions, 'dir' | 'paths'>,
): Promise<Validation> {
  const checkShape = createShapeCheck();
  const table = new FileTable({ checkShape, catalog, env, folders: ownFolders({ dir, dataDir }) });
  const breathe = createYielder();
  const files = await listFiles(dir);
  for (let i = 0; i < files.length; i += READ_AT_ONCE) {
    const group = files.slice(i, i + READ_AT_ONCE);
    const sources = await Promise.all(group.map(({ relative }) => readSource(dir, relative)));
    for (const [n, { relative: file }] of group.entries()) {
      const source = sources[n];
      const text = texts?.get(file);
      const isReplaced = text !== undefined && source !== undefined && 'text' in source;
      await table.put(file, isReplaced ? { ...source, text, hash: sha256(text) } : source);
      await breathe();
    }
  }
  const candidate = await new CandidateChooser(catalog).choose({
    newest: table.newest(),
    good: () => undefined,
    drafts: table.drafts(),
    isSet: ({ source, name }) => (source === 'env' ? (env(name) ?? '') !== '' : hasSecret?.(name)),
  });
  const linkProblems = await new LinkProblems().locate(candidate.findings);
  const names = { documents: new Set(candidate.accepted.keys()), catalog };
  const tests = await readTestFiles(dir, names, checkShape);
  const problems = [
    ...allProblems(table, candidate, linkProblems),
    ...tests.flatMap(({ problems: own }) => own),
    ...(await nonDocuments(dir, paths, table)),
  ];
  const isWanted = (file: string) => {
    const path = resolve(dirname(dir), file);
    return paths.some((wanted) => path === wanted || path.startsWith(wanted + sep));
  };
  const reported = problems.filter(({ file }) => isWanted(file));
  return { revision: revisionOf(candidate.accepted), problems: oneProblemPerMistake(reported, problems) };
}

/** Problems of named files that cannot be documents. */
async function nonDocuments(dir: string, paths: readonly string[], table: FileTable): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const path of paths) {
    const below = relative(dir, path).split(sep).join('/');
    if (isTest(below) || (await stat(path)).isDirectory() || table.get(below) !== undefined) continue;
    const message = `${basename(path)} is not a document: its name does not end in .yaml, .yml or .json`;
    problems.push(fileProblem('CONFIG_FILE_NAME', `${basename(dir)}/${below}`, message));
  }
  return problems;
}
