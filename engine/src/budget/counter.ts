import type { Budget, ResourceUse } from './budget.ts';
import type { RateLimits } from './rate-window.ts';

/** Limits of a counter; each kind of counter uses its own. */
export type Limits = RateLimits & Budget;

/**
 * An opened row of the table `counter`. A request is booked under an id and a mark: the id identifies it over all
 * processes, the mark is its position in the counter.
 */
export interface Counter {
  /** The JSON to store. */
  readonly body: string;
  /** Milliseconds until another request fits, 0 if it does now, with the reason where one can be given. */
  wait(limits: Limits, use: ResourceUse, now: number): { readonly waitMs: number; readonly why?: string };
  /**
   * Prepares the booking of a request. An earlier booking of the same id is removed, since its step was never
   * committed; with `isRepeat` it stays without its id, since that request may have been sent.
   */
  renew(id: string, isRepeat: boolean): void;
  /** Reserves the estimate of a request; returns its mark. */
  reserve(id: string, use: ResourceUse, now: number): number;
  /** Replaces the estimate by the real use. */
  settle(id: string, mark: number, estimate: ResourceUse, used: ResourceUse): void;
  /** Removes a request that was not sent. */
  undo(id: string, mark: number, estimate: ResourceUse): void;
  /** Records that a request was cancelled under way. */
  release(id: string, mark: number, estimate: ResourceUse): void;
}

/** A booking with its id: id, mark, tokens, cost. */
export type NamedRequest = readonly [id: string, mark: number, tokens: number, cost: number | null];

/** Limit of stored ids, so that a row stays small: the oldest are dropped, and their requests stay counted. */
const MAX_NAMES = 32;

/** The latest requests under way, by id, so that a repeated request replaces its first booking. */
export class PendingRequests {
  #names: NamedRequest[];

  constructor(names: readonly NamedRequest[] = []) {
    this.#names = names.slice();
  }

  get all(): readonly NamedRequest[] {
    return this.#names;
  }

  add(id: string, mark: number, { tokens, cost }: ResourceUse): void {
    this.#names.push([id, mark, tokens, cost]);
    if (this.#names.length > MAX_NAMES) this.#names.shift();
  }

  /** Removes an id; returns its booking. */
  remove(id: string): { mark: number; use: ResourceUse } | undefined {
    const n = this.#names.findIndex(([name]) => name === id);
    const [found] = n < 0 ? [] : this.#names.splice(n, 1);
    return found === undefined ? undefined : { mark: found[1], use: { tokens: found[2], cost: found[3] } };
  }
}
