import type { Clock } from '../base/clock.ts';
import { readableRows } from '../store/readable-rows.ts';
import type { Store } from '../store/store.ts';
import type { Memory } from './memory.ts';
import { isWithin } from './memory-reach.ts';
import type { MemorySearch } from './memory-search.ts';
import { listMemories } from './memory-rows.ts';
import { wordsOf } from './words.ts';

/** Searches by words: it reads all memories for each query. For stores with few memories, and for tests. */
export function createPlainSearch({ store, clock }: { readonly store: Store; readonly clock: Clock }): MemorySearch {
  return {
    async search(query, { scopes, limit, tags = [], owner, signal }) {
      signal?.throwIfAborted();
      const readable = readableRows(store, () => {});
      const memories = (await listMemories(readable, { now: clock.now() })).filter(
        (memory) =>
          isWithin(memory, scopes) &&
          tags.every((tag) => memory.tags.includes(tag)) &&
          (owner === undefined || memory.owner === owner),
      );
      signal?.throwIfAborted();
      const hits = rank(query, memories).filter(({ score }) => score > 0);
      return { hits: hits.toSorted((a, b) => b.score - a.score).slice(0, limit), by: 'words' };
    },
    changed() {},
    changedAll() {},
    close: () => Promise.resolve(),
  };
}

/** Scores each memory by the words that it has in common with the query; a rare word counts more. */
export function rank(query: string, memories: readonly Memory[]): { id: string; score: number }[] {
  const wanted = [...new Set(wordsOf(query))];
  const sets = memories.map(({ text, tags }) => new Set(wordsOf(`${text} ${tags.join(' ')}`)));
  const weights = wanted.map((word) => Math.log(1 + memories.length / sets.filter((set) => set.has(word)).length));
  return memories.map(({ id }, i) => ({
    id,
    score: wanted.reduce((sum, word, n) => sum + (sets[i]?.has(word) === true ? (weights[n] ?? 0) : 0), 0),
  }));
}
