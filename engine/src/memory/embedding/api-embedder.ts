import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Budget } from '../../budget/budget.ts';
import type { Meters } from '../../budget/meters.ts';
import type { ModelUse } from '../../budget/spend.ts';
import type { Api } from '../../config/config.ts';
import type { EmbeddingAnswer, EmbeddingModel } from '../../model/embedding.ts';
import { ModelError } from '../../model/model-error.ts';
import { embeddingPriceOf } from '../../model/models.ts';
import { costOf } from '../../model/prices.ts';
import type { Store } from '../../store/store.ts';
import type { Embedder } from './embedder.ts';
import type { EmbeddingSpend } from './embedding-spend.ts';

const CHARACTERS_PER_TOKEN = 4;
/** Texts of one request: an answer of 3,000 components each is parsed in about 10 ms. */
const BATCH = 32;
/** The machine and the run that requests for embeddings are counted under. */
const OWNER = 'embeddings';

/** Options of `createApiEmbedder`. */
export interface ApiEmbedderOptions {
  readonly api: Exclude<Api, { readonly provider: 'scripted' }>;
  readonly modelName: string;
  readonly model: EmbeddingModel;
  readonly store: Store;
  readonly clock: Clock;
  readonly meters: () => Meters;
  readonly dayBudget: () => Budget | undefined;
  readonly spend: EmbeddingSpend;
}

/** The embedder of an api. Its requests count for the limits of the api and the budget of the day, and for `spend`. */
export function createApiEmbedder(options: ApiEmbedderOptions): Embedder {
  const { api, modelName, model, clock, store, meters, spend } = options;
  let requests = 0;
  const embed = async (texts: readonly string[], abortable: Abortable): Promise<EmbeddingAnswer> => {
    const machineId = `${OWNER}-${++requests}`;
    await reserve(options, machineId, texts);
    let use: ModelUse = { turns: 1, inputTokens: 0, outputTokens: 0, cost: null };
    try {
      const answer = await model.embed(texts, abortable);
      const inputTokens = answer.usage?.inputTokens ?? 0;
      use = { turns: 1, inputTokens, outputTokens: 0, cost: costOf(answer.usage, embeddingPriceOf(api, modelName)) };
      return answer;
    } finally {
      meters().settle(machineId, { tokens: use.inputTokens, cost: use.cost });
      await store.apply([...meters().rows(OWNER), spend.add(clock.now(), api.id, use)]);
    }
  };
  return {
    name: modelName,
    place: `api ${api.id}`,
    isRemote: api.locality !== 'local',
    batch: BATCH,
    embed,
    close: async () => {},
  };
}

async function reserve(
  { api, modelName, store, clock, meters, dayBudget }: ApiEmbedderOptions,
  machineId: string,
  texts: readonly string[],
): Promise<void> {
  const tokens = Math.ceil(texts.join('').length / CHARACTERS_PER_TOKEN);
  const price = embeddingPriceOf(api, modelName);
  const reserved = await meters().reserve(
    {
      root: OWNER,
      machineId,
      request: '1.1',
      use: { tokens, cost: costOf({ inputTokens: tokens, outputTokens: 0 }, price) },
      owners: [],
      rates: [{ name: `api ${api.id}`, limits: api.limits }],
      day: dayBudget(),
      isRepeat: false,
    },
    clock.now(),
  );
  if (reserved.kind === 'later')
    throw new ModelError('MODEL_RATE_LIMIT', `embeddings wait for a limit: ${reserved.limit}`, {
      retryable: true,
      retryAfterMs: reserved.waitMs,
    });
  if (reserved.changes.length > 0) await store.apply(reserved.changes);
  await meters().send(machineId, clock.now());
}
