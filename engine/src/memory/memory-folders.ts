import { basename, resolve } from 'node:path';
import { isoTime } from '../base/clock.ts';
import { EngineError, errorBody } from '../base/error.ts';
import { canonicalJson, sha256 } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import type { Snapshot } from '../config/config.ts';
import type { FileFacts, FileRoot } from '../file/file.ts';
import { listFolder } from '../file/list-folder.ts';
import { readFileBelow } from '../file/read-file.ts';
import type { Change, Store } from '../store/store.ts';
import type { Memory } from './memory.ts';
import { readMemoryFile } from './memory-file.ts';
import { memoryOf, rowOf } from './memory-rows.ts';
import { checkInput } from './memory-store.ts';

/** Most files of a folder that are read, and the largest file. */
const MAX_FILES = 2000;
const MAX_BYTES = 64_000;

/** Options of `MemoryFolders`. */
export interface MemoryFoldersOptions {
  readonly store: Store;
  readonly log: Logger;
  readonly config: () => Pick<Snapshot, 'directors'>;
  /** Relative paths of `memory` start here. */
  readonly baseDir: string;
}

/**
 * The folders of memories that directors name (`memory: ./memories`). Each file is a memory in the store that nobody changes
 * but the file, so that lookups, the index and exports know it like any other.
 */
export class MemoryFolders {
  readonly #options: MemoryFoldersOptions;
  /** Names, sizes and times of the files of each director's folder, as they were read last. */
  #read: ReadonlyMap<string, string> | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(options: MemoryFoldersOptions) {
    this.#options = options;
  }

  /** Reads what has changed in the folders since the last time. A folder or a file that cannot be read is logged. */
  sync(): Promise<void> {
    this.#work = this.#work.then(() =>
      this.#sync().catch((error: unknown) => {
        this.#read = undefined;
        this.#options.log.warn('folders of memories could not be read', { ...errorBody(error) });
      }),
    );
    return this.#work;
  }

  async #sync(): Promise<void> {
    const { directors } = this.#options.config();
    const named = [...directors.values()].flatMap(({ id, memory }) => (memory === undefined ? [] : [{ id, memory }]));
    const before = this.#read;
    if (named.length === 0 && before?.size === 0) return;
    const now = new Map<string, string>();
    for (const { id, memory } of named) {
      const root = { name: `the memory folder of director ${id}`, folder: resolve(this.#options.baseDir, memory) };
      const files = await this.#filesOf(root);
      const state = JSON.stringify([memory, ...files.map(({ path, size, modifiedAt }) => [path, size, modifiedAt])]);
      now.set(id, state);
      if (before?.get(id) !== state) await this.#replace(id, await this.#readAll(id, root, files));
    }
    const isFirst = before === undefined;
    const gone = isFirst ? await this.#storedOf(now) : [...before.keys()].filter((id) => !now.has(id));
    for (const id of gone) await this.#replace(id, []);
    this.#read = now;
  }

  async #filesOf(root: FileRoot): Promise<readonly FileFacts[]> {
    try {
      const { entries, isTruncated } = await listFolder(root, '', { limit: MAX_FILES });
      if (isTruncated) this.#options.log.warn(`${root.name} has more than ${MAX_FILES} files`);
      return entries.filter(({ kind, path }) => kind === 'file' && path.endsWith('.md'));
    } catch (error) {
      this.#options.log.warn(`${root.name} cannot be read`, { ...errorBody(error) });
      return [];
    }
  }

  async #readAll(directorId: string, root: FileRoot, files: readonly FileFacts[]): Promise<Memory[]> {
    const memories: Memory[] = [];
    for (const { path, modifiedAt } of files) {
      try {
        const { bytes } = await readFileBelow(root, path, { maxBytes: MAX_BYTES });
        const id = `file_${sha256(`${directorId}\0${path}`).slice(0, 26)}`;
        const defaults = { id, at: isoTime(modifiedAt), directorId };
        const file = await readMemoryFile(new TextDecoder().decode(bytes), defaults);
        checkInput({ text: file.text, tags: file.tags });
        if (file.directorId !== '' && file.directorId !== directorId)
          throw new EngineError('BAD_REQUEST', `it is a memory of director "${file.directorId}"`);
        memories.push({ ...file, id, revision: 1, folder: directorId });
      } catch (error) {
        this.#options.log.warn(`${root.name}: ${basename(path)} is left out`, { ...errorBody(error) });
      }
    }
    return memories;
  }

  /** Directors whose folders the store knows and no config names any more. */
  async #storedOf(named: ReadonlyMap<string, string>): Promise<string[]> {
    const rows = await this.#options.store.list('memory', { where: [['folder', '!=', '']], bodies: false });
    return [...new Set(rows.map(({ folder }) => folder))].filter((id) => !named.has(id));
  }

  async #replace(directorId: string, memories: readonly Memory[]): Promise<void> {
    const { store } = this.#options;
    const rows = await store.list('memory', { where: [['folder', '=', directorId]], onDamaged: () => {} });
    const stored = new Map(rows.map((row) => [row.id, memoryOf(row)]));
    const changes: Change[] = [];
    for (const memory of memories) {
      const before = stored.get(memory.id);
      stored.delete(memory.id);
      const next = { ...memory, revision: before?.revision ?? 1 };
      if (before !== undefined && canonicalJson(before) === canonicalJson(next)) continue;
      const revision = before === undefined ? 1 : before.revision + 1;
      const contentKey = store.lookupKey(`memory file\0${canonicalJson(memory)}`);
      changes.push({ op: 'put', table: 'memory', row: rowOf({ ...memory, revision }, contentKey) });
    }
    for (const id of stored.keys()) changes.push({ op: 'delete', table: 'memory', where: { id } });
    if (changes.length > 0) await store.apply(changes);
  }
}
