import type { ErrorCode } from '../../base/error-code.ts';
import { EngineError } from '../../base/error.ts';
import type { Api } from '../../config/config.ts';
import type { FailedUsage, ModelAnswer, ModelRequest, Usage } from '../../model/model.ts';
import { priceOf } from '../../model/models.ts';
import { costOf } from '../../model/prices.ts';
import type { PlaySpend } from '../replay.ts';

/** Four characters count as one token, and an answer without a limit as so many. */
const CHARS_PER_TOKEN = 4;
const ANSWER_TOKENS = 1000;
/** Errors by which a provider answers before a model has worked. After another one, such as a timeout, it may bill the request. */
const UNBILLED: ReadonlySet<ErrorCode> = new Set([
  'MODEL_AUTH',
  'MODEL_RATE_LIMIT',
  'MODEL_BAD_REQUEST',
  'MODEL_NOT_FOUND',
  'MODEL_TOO_LONG',
]);

/**
 * Whether requests to an api count with no cost although their price is unknown: rules send none, and an api of one's own machines
 * has no bill.
 */
export function isFree({ provider, locality }: Pick<Api, 'provider' | 'locality'>): boolean {
  return provider === 'scripted' || locality === 'local';
}

/** The tokens that a request may use. */
export function estimateOf({ messages, tools, maxTokens = ANSWER_TOKENS }: ModelRequest): Usage {
  const chars = JSON.stringify(messages).length + JSON.stringify(tools).length;
  return { inputTokens: Math.ceil(chars / CHARS_PER_TOKEN), outputTokens: maxTokens };
}

/** The tokens that count for a request that failed with `error`: those that the adapter reported, or else the estimate, if it may be billed. */
export function usageOfFailed(request: ModelRequest, error: unknown, reported: FailedUsage | undefined): Usage {
  if (reported !== undefined) return reported;
  const isUnbilled = error instanceof EngineError && UNBILLED.has(error.code);
  return isUnbilled ? { inputTokens: 0, outputTokens: 0 } : estimateOf(request);
}

/** What models that are really asked have cost in the plays that share it, and whether one more may be asked. */
export class LiveSpend implements PlaySpend {
  readonly #maxCost: number;
  /** Estimates of requests under way. */
  readonly #open = new Set<{ readonly cost: number }>();
  #cost = 0;
  #isUnknown = false;
  #refused = 0;

  /** `maxCost`: US dollars after which no model is asked. */
  constructor(maxCost = Infinity) {
    this.#maxCost = maxCost;
  }

  get cost(): number {
    return [...this.#open].reduce((sum, { cost }) => sum + cost, this.#cost);
  }

  get isOver(): boolean {
    return this.#cost >= this.#maxCost || (this.#isUnknown && this.#maxCost < Infinity);
  }

  get hasRefused(): boolean {
    return this.#refused > 0;
  }

  async ask(api: Api, request: ModelRequest, send: (request: ModelRequest) => Promise<ModelAnswer>) {
    this.#expectMore();
    const open = { cost: costOf(estimateOf(request), priceOf(api)) ?? 0 };
    let reported: FailedUsage | undefined;
    const onSpent = (usage: FailedUsage) => {
      reported = usage;
      request.onSpent?.(usage);
    };
    this.#open.add(open);
    try {
      const answer = await send({ ...request, onSpent });
      this.#add(api, answer);
      return answer;
    } catch (error) {
      this.#add(api, { usage: usageOfFailed(request, error, reported) });
      throw error;
    } finally {
      this.#open.delete(open);
    }
  }

  #expectMore(): void {
    if (!this.isOver) return;
    this.#refused++;
    throw new EngineError('CONFLICT', `models have cost ${this.#isUnknown ? 'an unknown sum' : `$${this.#cost}`}`, {
      hint: 'raise --max-cost',
    });
  }

  /** Counts what a request used. Without a known cost it counts as all the money there is, unless its api is free. */
  #add(api: Api, { usage, model }: { readonly usage?: Usage | undefined; readonly model?: string }): void {
    const cost = costOf(usage, priceOf(api, model));
    if (cost !== null) this.#cost += cost;
    else if (!isFree(api)) this.#isUnknown = true;
  }
}
