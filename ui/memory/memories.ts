import { signal } from '@preact/signals';
import { createPagedList } from '../http/list.ts';
import { path, request } from '../http/request.ts';
import { attempt, showToast } from '../widget/toast.ts';
import type { MemoryView } from '../http/api-types.ts';

let query: Readonly<Record<string, string>> | undefined;

/** Memories, newest first, or the best matches of a search. */
export const memories = createPagedList<MemoryView>('/api/memory', () => ({ limit: '50', ...query }));

/** Memories that were deleted since the page was opened, the last one at the end. */
export const forgotten = signal<readonly MemoryView[]>([]);

/** Unsaved text by memory id. It stays while other memories are open. */
export const memoryDrafts = signal<ReadonlyMap<string, string>>(new Map());

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
export function setDraft(id: string, text: string | undefined): void {
  const next = new Map(memoryDrafts.value);
  if (text === undefined) next.delete(id);
  else next.set(id, text);
  memoryDrafts.value = next;
}

/** Saves the text of a memory, unless it changed meanwhile. Resolves to whether it worked. */
export function saveMemory({ id, revision }: MemoryView, content: string): Promise<boolean> {
  return attempt(async () => {
    await request('PUT', path`/api/memory/${id}`, { body: { content, expectedRevision: revision } });
    setDraft(id, undefined);
    await memories.load();
    showToast('Memory saved.');
  });
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
