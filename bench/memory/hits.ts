import { EVERYTHING } from '../../engine/src/memory/memory-reach.ts';
import { openIndexDatabase } from '../../engine/src/memory/search/index-database.ts';
import { MemoryIndex } from '../../engine/src/memory/search/memory-index.ts';
import type { Embedder } from '../../engine/src/memory/embedding/embedder.ts';
import { ACROSS, ENGLISH, GERMAN, type Labelled, OTHERS } from './questions.ts';

/** Part of the questions whose answer is the first hit, or one of the first five. */
export interface HitRate {
  readonly name: string;
  readonly questions: number;
  readonly at1: number;
  readonly at5: number;
}

const GROUPS: readonly (readonly [string, readonly Labelled[]])[] = [
  ['all', [...ENGLISH, ...GERMAN, ...ACROSS]],
  ['English', ENGLISH],
  ['German', GERMAN],
  ['German about English', ACROSS],
];

/** Hit rates over the labelled set: by words alone, and by words and the vectors of an embedder. */
export async function measureHits(embedder: Embedder | undefined): Promise<HitRate[]> {
  const labelled = GROUPS[0]?.[1] ?? [];
  const texts = [...labelled.map(([memory]) => memory), ...OTHERS];
  const questions = labelled.map(([, question]) => question);
  const embed = async (list: readonly string[]): Promise<(Float32Array | undefined)[]> =>
    embedder === undefined ? [] : embedAll(embedder, list);
  const vectors = await embed(texts);
  const asked = await embed(questions);
  for (const [n, question] of questions.entries())
    if ((await embedder?.suits?.(question)) === false) asked[n] = undefined;
  const index = new MemoryIndex(openIndexDatabase(''));
  index.begin('bench');
  texts.forEach((text, n) => {
    const vector = vectors[n];
    index.put({
      ...{ id: String(n), version: '1', text, tags: [], owner: 'user', isLocal: false, expires: 1 },
      space: { scope: 'global', directorId: '', agentId: '' },
      ...(vector !== undefined && { vector }),
    });
  });
  const rankOf = (n: number, vector: Float32Array | undefined): number => {
    const query = { text: questions[n] ?? '', reach: EVERYTHING, tags: [], excludesLocal: false, limit: 5, now: 0 };
    const { hits } = index.search(vector === undefined ? query : { ...query, vector });
    return hits.findIndex(({ id }) => id === String(n));
  };
  const rows: HitRate[] = [];
  for (const [by, given] of [
    ['words', []],
    ['words+vectors', asked],
  ] as const) {
    if (by !== 'words' && given.length === 0) continue;
    const ranks = questions.map((_, n) => rankOf(n, given[n]));
    for (const [name, group] of GROUPS) {
      const own = group.map((entry) => ranks[labelled.indexOf(entry)] ?? -1);
      const part = (most: number) => own.filter((rank) => rank >= 0 && rank < most).length / own.length;
      rows.push({ name: `${name}, by ${by}`, questions: own.length, at1: part(1), at5: part(5) });
    }
  }
  index.close();
  return rows;
}

async function embedAll(embedder: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += embedder.batch)
    vectors.push(...(await embedder.embed(texts.slice(at, at + embedder.batch), {})).vectors);
  return vectors;
}
