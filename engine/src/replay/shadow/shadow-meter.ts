import { roundCost } from '../../budget/budget.ts';
import { dayOf } from '../../budget/spend.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Api } from '../../config/config.ts';
import type { FailedUsage, ModelAnswer, ModelRequest, Models } from '../../model/model.ts';
import { modelName, priceOf } from '../../model/models.ts';
import { costOf, type Price } from '../../model/prices.ts';
import type { Store } from '../../store/store.ts';
import { estimateOf, isFree, usageOfFailed } from '../play/live-spend.ts';
import type { Shadow, ShadowProgress } from './shadow.ts';
import { saveProgress, spentToday } from './shadow-rows.ts';

const FREE: Price = { inputPerMillion: 0, outputPerMillion: 0 };

interface Options {
  readonly store: Store;
  readonly clock: Clock;
  readonly progress: ShadowProgress;
  readonly models: Models;
  /** Resolves when a request may be sent. Rejects where it may not be sent any more. */
  readonly ready: () => Promise<void>;
  /** Ends requests under way. */
  readonly signal: AbortSignal;
}

/**
 * Counts what models of a shadow cost, in the store, and sends no request that may exceed the limit of the day. The estimate of a
 * request is stored before it is sent, so that a crash cannot spend twice.
 */
export class ShadowMeter {
  readonly #shadow: Shadow;
  readonly #options: Options;
  #progress: ShadowProgress;
  #saved: Promise<void> = Promise.resolve();
  #refused: string | undefined;

  constructor(shadow: Shadow, options: Options) {
    this.#shadow = shadow;
    this.#options = options;
    this.#progress = options.progress;
  }

  get progress(): ShadowProgress {
    return this.#progress;
  }

  /** Why a request was refused since the last call. */
  takeRefusal(): string | undefined {
    const why = this.#refused;
    this.#refused = undefined;
    return why;
  }

  /** Models of which every request is counted. Scripted answers are free; command-line agents work in folders and are refused. */
  get models(): Models {
    const { models } = this.#options;
    return {
      open: (api) =>
        api.provider === 'scripted'
          ? models.open(api)
          : {
              ask: (request) => this.#ask(api, request),
              available: (options) =>
                api.provider === 'cli'
                  ? Promise.resolve({ ok: false, why: 'command-line agents do not work in a shadow' })
                  : models.open(api).available(options),
            },
      close: () => models.close(),
    };
  }

  async #ask(api: Api, request: ModelRequest): Promise<ModelAnswer> {
    const { models, ready, signal } = this.#options;
    if (api.provider === 'cli') throw this.#refuse(`api ${api.id} is a command-line agent, which a shadow cannot stub`);
    const price = shadowPrice(api);
    if (price === null) throw this.#refuse(`the price of api ${api.id} is not known; set \`price\` on it`);
    await ready();
    const estimate = costOf(estimateOf(request), price);
    if (estimate === null) throw this.#refuse(`the price of such a long request to api ${api.id} is not known`);
    const { maxCostPerDay } = this.#shadow;
    const spent = spentToday(this.#progress, this.#options.clock.now());
    if (roundCost(spent + estimate) > maxCostPerDay)
      throw this.#refuse(`the limit of $${maxCostPerDay} a day is reached`);
    await this.#book(estimate);
    let failed: FailedUsage | undefined;
    const counted = {
      ...request,
      signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]),
      onSpent: (usage: FailedUsage) => {
        failed = usage;
        request.onSpent?.(usage);
      },
    };
    try {
      const answer = await models.open(api).ask(counted);
      await this.#book((costOf(answer.usage, shadowPrice(api, answer.model)) ?? estimate) - estimate);
      return answer;
    } catch (error) {
      await this.#book((costOf(usageOfFailed(request, error, failed), price) ?? estimate) - estimate);
      throw error;
    }
  }

  #refuse(why: string): EngineError {
    this.#refused ??= why;
    return new EngineError('CONFLICT', `a shadow run cannot ask this: ${why}`);
  }

  /** Adds a cost to the day and stores the sum. Changes are stored in their order. */
  async #book(cost: number): Promise<void> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const today = roundCost(Math.max(0, spentToday(this.#progress, now) + cost));
    const total = roundCost(Math.max(0, this.#progress.cost + cost));
    const progress = { ...this.#progress, spent: { day: dayOf(now), cost: today }, cost: total };
    this.#progress = progress;
    const saved = this.#saved.then(() => saveProgress(store, this.#shadow, progress));
    this.#saved = saved.catch(() => {});
    await saved;
  }
}

/** The price of a model; an api of one's own machines costs nothing unless it has a price. Null where it is unknown. */
function shadowPrice(api: Api, answeredBy = modelName(api)): Price | null {
  return priceOf(api, answeredBy) ?? (isFree(api) ? FREE : null);
}
