import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import type { FileRoot } from '../file.ts';
import { listFolder } from '../list-folder.ts';
import { readFacts, readFileBelow } from '../read-file.ts';
import { MAX_FILE_BYTES } from './change-file.ts';
import { type FileProperties, readProperties, withoutProperties } from './front-matter.ts';
import { gitignoreTest, isHidden, isInScope } from './scope-check.ts';
import { textOf, tryText } from './text.ts';
import { fullBudget, mayShowFolder, type WalkOptions, walkFiles } from './walk.ts';

export { searchFiles } from './search.ts';

/** A file in a list. */
export interface ListedFile {
  readonly path: string;
  readonly size: number;
  /** ISO 8601. */
  readonly modifiedAt: string;
}

/** Reads a text file by its real path below the root. Errors as `readFileBelow` and `textOf`. */
export async function readText(root: FileRoot, path: string, signal?: AbortSignal) {
  const found = await readFileBelow(root, path, { maxBytes: MAX_FILE_BYTES, signal });
  const { size, modifiedAt, bytes } = found;
  return {
    path: `/${found.path}`,
    ...{ size, modifiedAt: isoTime(modifiedAt), hash: sha256(bytes), text: textOf(bytes) },
  };
}

/** Facts about a file: of a text also the number of lines, the title and the properties of its front matter. */
export async function readMetadata(root: FileRoot, path: string, signal?: AbortSignal) {
  const facts = await readFacts(root, path, { signal });
  if (facts.kind === 'folder') throw new EngineError('BAD_REQUEST', `/${facts.path} is a folder, not a file`);
  const name = facts.path.slice(facts.path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const common = {
    ...{ path: `/${facts.path}`, name, type: dot > 0 ? name.slice(dot + 1).toLowerCase() : '' },
    ...{ size: facts.size, modifiedAt: isoTime(facts.modifiedAt) },
  };
  if (facts.size > MAX_FILE_BYTES) return common;
  const { bytes } = await readFileBelow(root, path, { maxBytes: MAX_FILE_BYTES, signal });
  const text = tryText(bytes);
  if (text === undefined) return { ...common, hash: sha256(bytes) };
  const title = /^# +(.+?)[ \t#]*\r?$/m.exec(withoutProperties(text))?.[1];
  return {
    ...{
      ...common,
      hash: sha256(bytes),
      lines: text === '' ? 0 : text.split('\n').length - Number(text.endsWith('\n')),
    },
    ...(title !== undefined && { title }),
    ...propertiesOf(text),
  };
}

function propertiesOf(text: string): { properties: FileProperties } | { propertiesError: string } {
  try {
    return { properties: readProperties(text) ?? {} };
  } catch (error) {
    return { propertiesError: error instanceof Error ? error.message : String(error) };
  }
}

/** Lists a folder as its caller may see it: files in scope, and folders that are in scope or hold such a file. */
export async function listNotebook(
  folder: string,
  options: WalkOptions & { readonly limit: number; readonly isRecursive: boolean; readonly pattern?: string },
): Promise<{ path: string; files: ListedFile[]; folders: string[]; truncated?: true }> {
  const { pattern, isRecursive, limit } = options;
  const matches = pattern === undefined ? () => true : gitignoreTest([pattern]);
  const files: ListedFile[] = [];
  const folders: string[] = [];
  let isCut = false;
  for await (const entry of entriesOf(folder, options)) {
    if (entry.kind === 'folder') {
      if (pattern === undefined || matches(`${entry.path}/`)) folders.push(`/${entry.path}`);
      continue;
    }
    if (!matches(entry.path)) continue;
    isCut = files.length >= limit;
    if (isCut) break;
    files.push({ path: `/${entry.path}`, size: entry.size, modifiedAt: isoTime(entry.modifiedAt) });
  }
  return { path: `/${folder}`, files, folders: isRecursive ? [] : folders, ...(isCut && { truncated: true }) };
}

async function* entriesOf(folder: string, options: WalkOptions & { readonly isRecursive: boolean }) {
  const { root, caller, signal, budget = fullBudget() } = options;
  if (options.isRecursive) {
    yield* walkFiles(folder, { ...options, budget });
    return;
  }
  const { entries } = await listFolder(root, folder, { absolute: 'root', limit: 20_000, signal });
  for (const entry of entries) {
    if (isHidden(entry.path)) continue;
    if (entry.kind === 'file') {
      if (isInScope(caller, 'read', { notebook: root.name, path: entry.path })) yield entry;
    } else if (await mayShowFolder(entry.path, { root, caller, signal })) yield entry;
  }
}
