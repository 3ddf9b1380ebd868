import { basename, dirname, relative, resolve, sep } from 'node:path';
import { isRecord, sha256 } from '../../base/json.ts';
import { parseText } from '../../config/parse/parse.ts';
import { listFiles, readSource } from '../../config/parse/read.ts';
import type { FileRoot } from '../../file/file.ts';
import { listFolder } from '../../file/list-folder.ts';
import { readFileBelow } from '../../file/read-file.ts';
import { removeFileBelow, writeFileBelow } from '../../file/write-file.ts';

/** The kinds of documents that learning may change. */
type LearnKind = 'prompt' | 'agent' | 'director';

/** A file that learning may change. `file` is its path from the parent of the config folder, with `/`. */
export type LearnFile = { readonly file: string; readonly text: string } & (
  | { readonly kind: LearnKind; readonly id: string; readonly relative: string; readonly value: unknown }
  | { readonly kind: 'memory'; readonly directorId: string; readonly root: FileRoot; readonly path: string }
);

/** The folder of memories of a director. `label` is its path from the parent of the config folder. */
export interface MemoryFolder {
  readonly directorId: string;
  readonly label: string;
  readonly root: FileRoot;
}

/** The files that learning may change, by name, and the folders where it may add memories. */
export interface LearnFiles {
  readonly files: ReadonlyMap<string, LearnFile>;
  readonly folders: readonly MemoryFolder[];
}

/** As for the folders of memories themselves. */
const MAX_MEMORIES = 2000;
const MAX_MEMORY_BYTES = 64_000;

/**
 * Reads the templates, agents and directors of a config folder, and the folders of memories that directors name. A file that
 * cannot be read is left out.
 */
export async function readLearnFiles(configDir: string): Promise<LearnFiles> {
  const base = dirname(configDir);
  const files = new Map<string, LearnFile>();
  const folders: MemoryFolder[] = [];
  for (const { relative: below } of await listFiles(configDir)) {
    const source = await readSource(configDir, below);
    if (source === undefined || !('text' in source)) continue;
    const { kind, id, file, text } = source;
    if (kind !== 'prompt' && kind !== 'agent' && kind !== 'director') continue;
    const { value } = parseText(text, file);
    files.set(file, { file, text, kind, id, relative: below, value });
    const memory = kind === 'director' && isRecord(value) ? value['memory'] : undefined;
    if (typeof memory !== 'string') continue;
    const folder = resolve(base, memory);
    const root = { name: `the memory folder of director ${id}`, folder };
    folders.push({ directorId: id, label: relative(base, folder).split(sep).join('/'), root });
  }
  for (const folder of folders) for (const one of await memoriesOf(folder)) files.set(one.file, one);
  return { files, folders };
}

async function memoriesOf({ directorId, label, root }: MemoryFolder): Promise<LearnFile[]> {
  const list = await listFolder(root, '', { limit: MAX_MEMORIES }).catch(() => undefined);
  const memories: LearnFile[] = [];
  for (const { kind, path } of list?.entries ?? []) {
    if (kind !== 'file' || !path.endsWith('.md')) continue;
    const text = await readFileBelow(root, path, { maxBytes: MAX_MEMORY_BYTES }).then(
      ({ bytes }) => decode(bytes),
      () => undefined,
    );
    if (text === undefined || text === '') continue;
    memories.push({ kind: 'memory', file: `${label}/${basename(path)}`, text, directorId, root, path });
  }
  return memories;
}

/** Undefined for bytes that are not UTF-8. A byte order mark stays, so that the text has the hash of the file. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The files of these directors and agents: their documents, the templates that those use, and their folders of memories. */
export function filesOfActors(
  { files, folders }: LearnFiles,
  actors: { readonly directors: ReadonlySet<string>; readonly agents: ReadonlySet<string> },
): LearnFiles {
  const all = [...files.values()];
  const documents = all.filter(
    (one) =>
      (one.kind === 'director' && actors.directors.has(one.id)) || (one.kind === 'agent' && actors.agents.has(one.id)),
  );
  const templates = new Set(documents.flatMap((one) => ('value' in one ? templateOf(one.value) : [])));
  const chosen = all.filter(
    (one) =>
      documents.includes(one) ||
      (one.kind === 'prompt' && templates.has(one.id)) ||
      (one.kind === 'memory' && actors.directors.has(one.directorId)),
  );
  return {
    files: new Map(chosen.map((one) => [one.file, one])),
    folders: folders.filter(({ directorId }) => actors.directors.has(directorId)),
  };
}

function templateOf(value: unknown): string[] {
  const prompt = isRecord(value) ? value['prompt'] : undefined;
  const use = isRecord(prompt) ? prompt['use'] : undefined;
  return typeof use === 'string' ? [use] : [];
}

const NEW_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,100}\.md$/;

/** The file of this name, or a new memory directly in one of the folders; undefined for any other name. */
export function targetOf({ files, folders }: LearnFiles, name: string): LearnFile | undefined {
  const known = files.get(name);
  if (known !== undefined) return known;
  for (const { directorId, label, root } of folders) {
    const path = name.startsWith(`${label}/`) ? name.slice(label.length + 1) : '';
    if (NEW_NAME.test(path)) return { kind: 'memory', file: name, text: '', directorId, root, path };
  }
  return undefined;
}

/** A memory and its new text. */
export interface LearnMemory {
  readonly target: Extract<LearnFile, { kind: 'memory' }>;
  readonly after: string;
}

/** Writes a memory as a whole. `FILE_CHANGED` or `CONFLICT` where it has changed since it was read. */
export async function writeMemory({ target: { root, path, text }, after }: LearnMemory): Promise<void> {
  const expected = text === '' ? null : sha256(text);
  await writeFileBelow(root, path, new TextEncoder().encode(after), { expected });
}

/** Takes back what `writeMemory` wrote. */
export async function restoreMemory({ target: { root, path, text }, after }: LearnMemory): Promise<void> {
  const options = { expected: sha256(after) };
  if (text === '') await removeFileBelow(root, path, options);
  else await writeFileBelow(root, path, new TextEncoder().encode(text), options);
}
