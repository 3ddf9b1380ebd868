import { signal } from '@preact/signals';
import { createPagedList } from '../http/list.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { attempt, showToast } from '../widget/toast.ts';
import type { MemoryView } from '../http/api-types.ts';

let query: Readonly<Record<string, string>> | undefined;

/** Memories, newest first, or the best matches of a search. */
export const memories = createPagedList<MemoryView>('/api/memory', () => ({ limit: '50', ...query }));

/** Memories that were deleted since the page was opened, the last one at the end. */
export const forgotten = signal<readonly MemoryView[]>([]);

/** Unsaved text of a memory, with the revision that it began from. */
export interface MemoryDraft {
  readonly text: string;
  readonly base: number;
}

/** Unsaved text by memory id. It stays while other memories are open. */
export const memoryDrafts = signal<ReadonlyMap<string, MemoryDraft>>(new Map());

/** Shows the memories of a scope that match a text; `''` for all. */
export function showMemories(scope: string, text: string): void {
  query = { ...(scope !== '' && { scope }), ...(text !== '' && { query: text }) };
  void memories.load();
}

/** Loads the shown memories again. Fetches nothing before the page was opened. */
export function refreshMemories(): void {
  if (query !== undefined) void memories.load();
}

/** Keeps unsaved text; undefined drops it. */
export function setDraft(id: string, draft: MemoryDraft | undefined): void {
  const next = new Map(memoryDrafts.value);
  if (draft === undefined) next.delete(id);
  else next.set(id, draft);
  memoryDrafts.value = next;
}

/**
 * Saves the text of a memory. Where it changed since the edit began the server refuses, and the list then shows what it says now: saving
 * the same text again replaces that.
 */
export async function saveMemory(id: string, { text, base }: MemoryDraft): Promise<void> {
  let isOutdated = false;
  const isSaved = await attempt(async () => {
    const body = { content: text, expectedRevision: base };
    const { revision } = await request<MemoryView>('PUT', path`/api/memory/${id}`, { body }).catch(
      (thrown: unknown) => {
        isOutdated = errorOfThrown(thrown).code === 'MEMORY_REVISION';
        throw thrown;
      },
    );
    // What was written meanwhile is an edit of the text that is saved now.
    const now = memoryDrafts.value.get(id);
    setDraft(id, now === undefined || now.text === text ? undefined : { text: now.text, base: revision });
  });
  if (!isSaved && !isOutdated) return;
  await memories.load();
  if (isSaved) return void showToast('Memory saved.');
  const [draft, stored] = [memoryDrafts.value.get(id), memories.items.value.find((memory) => memory.id === id)];
  if (draft !== undefined && stored !== undefined) setDraft(id, { ...draft, base: stored.revision });
}

/** Deletes a memory. It can be restored until retention deletes it. */
export async function deleteMemory(memory: MemoryView): Promise<boolean> {
  return attempt(async () => {
    await request('DELETE', `${path`/api/memory/${memory.id}`}?expectedRevision=${memory.revision}`);
    memories.items.value = memories.items.value.filter(({ id }) => id !== memory.id);
    forgotten.value = [...forgotten.value, memory];
  });
}

/** Restores the memory that was deleted last. */
export async function undoDelete(): Promise<void> {
  const last = forgotten.value.at(-1);
  if (last === undefined) return;
  await attempt(async () => {
    await request('POST', path`/api/memory/${last.id}/restore`, { body: {} });
    forgotten.value = forgotten.value.filter((one) => one !== last);
    await memories.load();
  });
}
