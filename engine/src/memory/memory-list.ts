import { setImmediate } from 'node:timers/promises';
import type { TimeCursor } from '../store/list-after.ts';
import type { Condition, Reader } from '../store/store.ts';
import type { Memory, MemoryScope } from './memory.ts';
import { listMemories, cursorOf } from './memory-rows.ts';

/** Rows read at a time, with other work in between. */
const BATCH = 200;

/** Which memories to find; all given conditions must hold. */
export interface MemoryFilter {
  readonly scope?: MemoryScope | undefined;
  readonly directorId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly where?: readonly Condition<'memory'>[];
  readonly includeDeleted?: boolean | undefined;
  readonly accept: (memory: Memory) => boolean;
}

/** Finds memories, the newest first, after a cursor. Reads as many batches as the limit takes. */
export async function findMemories(
  reader: Reader,
  { scope, directorId, agentId, where = [], includeDeleted = false, accept }: MemoryFilter,
  { now, limit, after }: { readonly now: number; readonly limit: number; readonly after?: TimeCursor | undefined },
): Promise<Memory[]> {
  const conditions: Condition<'memory'>[] = [...where];
  if (scope !== undefined) conditions.push(['scope', '=', scope]);
  if (directorId !== undefined) conditions.push(['director', '=', directorId]);
  if (agentId !== undefined) conditions.push(['agent', '=', agentId]);
  const found: Memory[] = [];
  for (let from = after; ;) {
    const batch = await listMemories(reader, { now, where: conditions, includeDeleted, limit: BATCH, after: from });
    found.push(...batch.filter(accept));
    if (batch.length < BATCH || found.length >= limit) return found.slice(0, limit);
    from = batch.map(cursorOf).at(-1);
    await setImmediate();
  }
}
