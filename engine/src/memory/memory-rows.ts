import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { listAfter, type TimeCursor } from '../store/list-after.ts';
import type { Condition, Reader, Row } from '../store/store.ts';
import type { Memory, MemoryScope } from './memory.ts';

/** Expiry of a memory that has none: the last time that a `Date` can have. */
const NEVER = 8_640_000_000_000_000;

/** Which memories to list. */
export interface MemoryQuery {
  /** Memories that have expired by then are left out; epoch milliseconds. */
  readonly now: number;
  readonly where?: readonly Condition<'memory'>[];
  readonly includeDeleted?: boolean;
  readonly limit?: number;
  /** The last memory of the page before. */
  readonly after?: TimeCursor | undefined;
}

/** Lists memories, the newest first. Expired ones are left out, and forgotten ones unless asked for. */
export async function listMemories(reader: Reader, query: MemoryQuery): Promise<Memory[]> {
  const { now, where = [], includeDeleted = false, limit, after } = query;
  const rows = await listAfter(reader, 'memory', {
    where: [...where, ['expires', '>', now], ...(includeDeleted ? [] : [['deleted', '=', 0] as const])],
    by: ['at', 'desc'],
    ids: 'asc',
    limit,
    after,
  });
  return rows.map(memoryOf);
}

/** Reads a memory; a forgotten one only with `includeDeleted`. Throws `MEMORY_NOT_FOUND`. */
export async function readMemory(
  reader: Reader,
  id: string,
  { now, includeDeleted = false }: { readonly now: number; readonly includeDeleted?: boolean },
): Promise<Memory> {
  const row = await reader.get('memory', { id });
  if (row === undefined || row.expires <= now || (row.deleted !== 0 && !includeDeleted))
    throw new EngineError('MEMORY_NOT_FOUND', `there is no memory "${id}"`, {
      hint: 'search memories to see their ids',
    });
  return memoryOf(row);
}

/** Position of a memory in a list. */
export function cursorOf({ id, createdAt }: Memory): TimeCursor {
  return { at: Date.parse(createdAt), id };
}

type Body = Omit<
  Memory,
  'id' | 'scope' | 'directorId' | 'agentId' | 'folder' | 'createdAt' | 'expiresAt' | 'deletedAt' | 'revision'
>;

/** The row of a memory. */
export function rowOf(memory: Memory, contentKey: string): Row<'memory'> {
  const { id, scope, directorId, agentId, folder = '', createdAt, expiresAt, deletedAt, revision, ...body } = memory;
  return {
    ...{ id, scope, director: directorId, agent: agentId, contentKey, folder },
    at: Date.parse(createdAt),
    expires: expiresAt === undefined ? NEVER : Date.parse(expiresAt),
    deleted: deletedAt === undefined ? 0 : Date.parse(deletedAt),
    revision,
    body: JSON.stringify(body satisfies Body),
  };
}

/** The memory of a row. `STORE_DAMAGED` where its body cannot be parsed. */
export function memoryOf(row: Row<'memory'>): Memory {
  const { id, scope, director, agent, folder, at, expires, deleted, revision } = row;
  return {
    ...{ id, scope: scopeOf(scope), directorId: director, agentId: agent },
    ...bodyOf<Body>('memory', row),
    createdAt: isoTime(at),
    ...(expires !== NEVER && { expiresAt: isoTime(expires) }),
    ...(deleted !== 0 && { deletedAt: isoTime(deleted) }),
    revision,
    ...(folder !== '' && { folder }),
  };
}

function scopeOf(text: string): MemoryScope {
  return text === 'global' || text === 'shared' ? text : 'local';
}
