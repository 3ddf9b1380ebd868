import { addSpent, dayOf, type ModelUse, NO_MODEL_USE, spendChange } from '../../budget/spend.ts';
import type { Change } from '../../store/store.ts';

/** Adds up what embeddings of one process cost, as one row of `spend` a day. */
export class EmbeddingSpend {
  readonly #worker: string;
  #day = '';
  #apis: Record<string, ModelUse> = {};

  constructor(worker: string) {
    this.#worker = worker;
  }

  /** Adds a use; returns the change that stores the sum of the day. */
  add(now: number, apiId: string, use: ModelUse): Change {
    const day = dayOf(now);
    if (day !== this.#day) this.#apis = {};
    this.#day = day;
    this.#apis = { ...this.#apis, [apiId]: addSpent(this.#apis[apiId] ?? NO_MODEL_USE, use) };
    return spendChange(now, `embeddings-${this.#worker}`, '', this.#apis);
  }
}
