import { EngineError } from '../../base/error.ts';
import type { Api } from '../../config/config.ts';
import type { ModelAnswer } from '../../model/model.ts';
import { priceOf } from '../../model/models.ts';
import { costOf } from '../../model/prices.ts';
import type { PlaySpend } from '../replay.ts';

/**
 * Whether requests to an api count with no cost although their price is unknown: rules send none, and an api of one's own machines
 * has no bill.
 */
export function isFree({ provider, locality }: Pick<Api, 'provider' | 'locality'>): boolean {
  return provider === 'scripted' || locality === 'local';
}

/** What models that are really asked have cost in a play, and whether one more may be asked. */
export class LiveSpend implements PlaySpend {
  readonly #maxCost: number;
  #cost = 0;
  #isUnknown = false;
  #refused = 0;

  /** `maxCost`: US dollars after which no model is asked. */
  constructor(maxCost = Infinity) {
    this.#maxCost = maxCost;
  }

  get cost(): number {
    return this.#cost;
  }

  get isOver(): boolean {
    return this.#cost >= this.#maxCost || (this.#isUnknown && this.#maxCost < Infinity);
  }

  get hasRefused(): boolean {
    return this.#refused > 0;
  }

  /** Throws `CONFLICT` where no model may be asked any more. */
  expectMore(): void {
    if (!this.isOver) return;
    this.#refused++;
    throw new EngineError('CONFLICT', `models have cost ${this.#isUnknown ? 'an unknown sum' : `$${this.#cost}`}`, {
      hint: 'raise --max-cost',
    });
  }

  /** Counts an answer. One without a known cost counts as all the money there is, unless its api is free. */
  add(api: Api, { usage, model }: Pick<ModelAnswer, 'usage' | 'model'>): void {
    const cost = costOf(usage, priceOf(api, model));
    if (cost !== null) this.#cost += cost;
    else if (!isFree(api)) this.#isUnknown = true;
  }
}
