import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { Draft } from '../store/draft.ts';
import type { Memory } from './memory.ts';
import type { FileMemory } from './memory-file.ts';
import { memoryOf, rowOf } from './memory-rows.ts';
import { checkInput, contentKeyOf, type MemoryChange } from './memory-store.ts';

/** What an import did with one memory. `same`: another memory of the space has the text. */
export interface Imported {
  readonly id: string;
  readonly did: 'added' | 'changed' | 'unchanged' | 'same';
  /** The id of the other memory. */
  readonly as?: string;
}

/**
 * Imports a memory of a file under its id. An equal memory stays as it is; a forgotten one comes back. Throws as `addMemory`,
 * and `MEMORY_READ_ONLY` for the id of a memory in a director's folder.
 */
export async function importMemory(
  draft: Draft,
  file: FileMemory,
  { now, lookupKey }: Pick<MemoryChange, 'now' | 'lookupKey'>,
): Promise<Imported> {
  const { id } = file;
  checkInput({ text: file.text, tags: file.tags });
  const contentKey = contentKeyOf(file, file.text, lookupKey);
  const [other] = await draft.list('memory', { where: [['contentKey', '=', contentKey]], limit: 1, bodies: false });
  if (other !== undefined && other.id !== id) return { id, did: 'same', as: other.id };
  const row = await draft.get('memory', { id });
  if (row === undefined) {
    await draft.add({ op: 'insert', table: 'memory', row: rowOf({ ...file, revision: 1 }, contentKey) });
    return { id, did: 'added' };
  }
  const memory = memoryOf(row);
  if (memory.folder !== undefined)
    throw new EngineError('MEMORY_READ_ONLY', `memory "${id}" is a file in the folder of director "${memory.folder}"`);
  if (isEqual(memory, file)) return { id, did: 'unchanged' };
  const isSameTime = file.updatedAt === memory.updatedAt;
  const changed = {
    ...file,
    // Whoever edits a file seldom edits its time.
    updatedAt: isSameTime ? isoTime(now) : file.updatedAt,
    revision: memory.revision + 1,
  };
  const { id: _same, ...set } = rowOf(changed, contentKey);
  await draft.add({ op: 'update', table: 'memory', key: { id }, set, expect: { revision: memory.revision } });
  return { id, did: 'changed' };
}

function isEqual({ revision: _revision, ...memory }: Memory, file: FileMemory): boolean {
  return canonicalJson(memory) === canonicalJson(file);
}
