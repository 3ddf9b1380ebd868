import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryInput, MemorySpace, MemoryProvenance } from '../../engine/src/memory/memory.ts';
import { addMemory } from '../../engine/src/memory/memory-store.ts';
import { Draft } from '../../engine/src/store/draft.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';

export const NOW = Date.UTC(2026, 10, 22, 12);
export const GLOBAL: MemorySpace = { scope: 'global', directorId: '', agentId: '' };

/** Provenance of a text that a person wrote. */
export const PERSON: MemoryProvenance = { writtenBy: 'person', trust: 'trusted', at: '2026-11-22T12:00:00.000Z' };
/** Provenance of a text that an agent wrote in a run on a mail. */
export const FROM_MAIL: MemoryProvenance = {
  ...{ writtenBy: 'agent', actorId: 'psychologist', runId: 'run_1', emailId: 'mail_1' },
  ...{ trust: 'untrusted', at: '2026-11-22T12:00:00.000Z' },
};

/** A store in a new folder. */
export function openStage() {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-memory-'));
  const store = openSqlite({ dir, synchronous: 'NORMAL' });
  return {
    store,
    change: <T>(work: (draft: Draft) => Promise<T>) => change(store, work),
    async close() {
      await store.close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** Commits what `work` puts into a draft. */
export async function change<T>(store: Store, work: (draft: Draft) => Promise<T>): Promise<T> {
  const draft = new Draft(store);
  const result = await work(draft);
  await store.apply(draft.changes);
  return result;
}

/** Adds a memory. */
export function add(
  store: Store,
  id: string,
  space: MemorySpace,
  input: MemoryInput,
  { now = NOW, provenance = PERSON }: { now?: number; provenance?: MemoryProvenance } = {},
) {
  const made = { id, now, provenance, lookupKey: (text: string) => store.lookupKey(text) };
  return change(store, (draft) => addMemory(draft, space, { owner: 'user', ...input }, made));
}
