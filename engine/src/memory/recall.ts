import type { Abortable } from '../base/abort.ts';
import { isDamage } from '../store/damaged-row.ts';
import { readableRows } from '../store/readable-rows.ts';
import type { Change, Reader } from '../store/store.ts';
import { type Memory, type MemoryScope, SCOPES } from './memory.ts';
import { isWithin, type MemoryReach, type MemoryReader, reachOf } from './memory-reach.ts';
import { findMemories } from './memory-list.ts';
import { memoryOf } from './memory-rows.ts';
import type { MemoryFound, MemorySearch, MemorySearchOptions } from './memory-search.ts';
import { rank } from './plain-search.ts';
import { MOST_LOGS, RUN_TAG, runLogSpace } from './run-log.ts';

/** What a director or an agent looks up. */
export interface MemoryLookup extends Abortable {
  readonly reader: MemoryReader;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly limit: number;
  /** Without one, or with an empty one, the newest memories are found. */
  readonly query?: string | undefined;
  readonly scope?: MemoryScope | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly owner?: string | undefined;
  /** True where no request may go to another machine: inside a step, and for a run with `locality: local`. */
  readonly isOffline?: boolean | undefined;
  /** What an embedding model of another machine gets in place of the query. Default: the query. */
  readonly embedAs?: string | undefined;
}

/** Memories that a lookup has found, the nearest scope first, and how. */
export interface MemoriesFound extends Pick<MemoryFound, 'by' | 'model'> {
  readonly memories: readonly Memory[];
}

/** Where a lookup reads: the store, or the draft of a step with changes that no search knows yet. */
export type LookupReader = Reader & { readonly changes?: readonly Change[] };

/**
 * Looks memories up in the cascade of seed 000: local ones first, then shared, then global, until `limit` is reached. A text
 * that stands in several scopes is found once. A director's run logs come last and are few, unless the lookup asks for them
 * by their tag.
 */
export async function recall(search: MemorySearch, from: LookupReader, lookup: MemoryLookup): Promise<MemoriesFound> {
  const { scope: wanted, limit, reader, tags = [] } = lookup;
  const reach = reachOf(reader);
  const found = new Map<string, Memory>();
  let how: Pick<MemoryFound, 'by' | 'model'> = { by: 'words' };
  const look = async (scopes: readonly MemoryReach[], most: number) => {
    if (scopes.length === 0 || found.size >= most) return;
    const { memories, ...by } = await lookIn(search, from, scopes, lookup);
    if (by.by !== 'words') how = by;
    for (const memory of memories) if (found.size < most && !found.has(memory.text)) found.set(memory.text, memory);
  };
  for (const scope of SCOPES)
    if (wanted === undefined || wanted === scope)
      await look(
        reach.filter((one) => one.scope === scope),
        limit,
      );
  const hasLogs = reader.directorId !== '' && reader.agentId === '' && (wanted === undefined || wanted === 'local');
  const mostLogs = tags.includes(RUN_TAG) ? limit : MOST_LOGS;
  if (hasLogs) await look([runLogSpace(reader.directorId)], Math.min(limit, found.size + mostLogs));
  return { memories: [...found.values()], ...how };
}

async function lookIn(
  search: MemorySearch,
  from: LookupReader,
  scopes: readonly MemoryReach[],
  lookup: MemoryLookup,
): Promise<MemoriesFound> {
  const isShown = (memory: Memory) => isWithin(memory, scopes) && fits(memory, lookup);
  if ((lookup.query ?? '').trim() === '')
    return { memories: (await newest(from, scopes, isShown, lookup)).filter(isShown), by: 'words' };
  const { memories, ...how } = await match(search, from, scopes, lookup);
  return { memories: memories.filter(isShown), ...how };
}

/** What a person searches for, without the cascade. */
export interface PersonQuery extends Omit<MemorySearchOptions, 'scopes'> {
  readonly scope?: MemoryScope | undefined;
  readonly directorId?: string | undefined;
  readonly agentId?: string | undefined;
}

/** Searches the memories of all directors and agents, for a person. Abort rejects with the signal's reason. */
export async function findMatches(
  search: MemorySearch,
  from: Reader,
  {
    query,
    now,
    scope,
    directorId,
    agentId,
    ...options
  }: PersonQuery & { readonly query: string; readonly now: number },
): Promise<MemoriesFound> {
  const space = { ...(directorId !== undefined && { directorId }), ...(agentId !== undefined && { agentId }) };
  const scopes = SCOPES.filter((one) => scope === undefined || one === scope).map((one) => ({ scope: one, ...space }));
  const { hits, ...how } = await search.search(query, { ...options, scopes });
  const found = await Promise.all(hits.map(({ id }) => readIfThere(from, id, now)));
  return { memories: found.filter((memory) => memory !== undefined), ...how };
}

function fits(memory: Memory, { tags = [], owner, reader, now }: MemoryLookup): boolean {
  return (
    tags.every((tag) => memory.tags.includes(tag)) &&
    (owner === undefined || memory.owner === owner) &&
    (memory.isLocal !== true || reader.isLocal === true) &&
    (memory.expiresAt === undefined || Date.parse(memory.expiresAt) > now)
  );
}

async function match(
  search: MemorySearch,
  from: LookupReader,
  scopes: readonly MemoryReach[],
  { query = '', limit, tags, owner, now, isOffline, embedAs, reader, signal }: MemoryLookup,
): Promise<MemoriesFound> {
  const excludesLocal = reader.isLocal !== true;
  const options = { scopes, limit, tags, owner, isOffline, embedAs, excludesLocal, signal };
  const { hits, ...how } = await search.search(query, options);
  const memories: Memory[] = [];
  for (const { id } of hits) {
    const memory = await readIfThere(from, id, now);
    if (memory !== undefined) memories.push(memory);
  }
  // Written by an earlier call of the same step: no index has them yet.
  const known = new Set(memories.map(({ id }) => id));
  const staged = (await stagedIn(from, now)).filter(({ id }) => !known.has(id));
  const matching = new Set(rank(query, staged).flatMap(({ id, score }) => (score > 0 ? [id] : [])));
  return { memories: [...staged.filter(({ id }) => matching.has(id)), ...memories], ...how };
}

/** Memories that a draft has changed, in their newest state. */
async function stagedIn(from: LookupReader, now: number): Promise<Memory[]> {
  const ids = new Set(
    (from.changes ?? []).flatMap((change) => {
      if (!('table' in change) || change.table !== 'memory') return [];
      if (change.op === 'insert' || change.op === 'put') return [change.row.id];
      return change.op === 'update' ? [change.key.id] : [];
    }),
  );
  const memories = await Promise.all([...ids].map((id) => readIfThere(from, id, now)));
  return memories.filter((memory) => memory !== undefined);
}

/** A memory that is neither forgotten nor expired nor damaged. */
async function readIfThere(from: Reader, id: string, now: number): Promise<Memory | undefined> {
  try {
    const row = await from.get('memory', { id });
    return row === undefined || row.deleted !== 0 || row.expires <= now ? undefined : memoryOf(row);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

async function newest(
  from: Reader,
  scopes: readonly MemoryReach[],
  accept: (memory: Memory) => boolean,
  { limit, now, signal }: MemoryLookup,
): Promise<Memory[]> {
  const found: Memory[] = [];
  for (const reach of scopes) {
    signal?.throwIfAborted();
    found.push(
      ...(await findMemories(
        readableRows(from, () => {}),
        { ...reach, accept },
        { now, limit },
      )),
    );
  }
  return found.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)).slice(0, limit);
}
