import type { Budget, ResourceUse } from './budget.ts';
import type { RateLimits } from './rate-window.ts';

/** Limits of what one counter counts; each kind looks at its own. */
export type Limits = RateLimits & Budget;

/**
 * What a row of the table `counter` holds, open for bookings. A request is booked under an id and a mark: the id names it
 * over all processes, the mark says where it was put.
 */
export interface Counter {
  /** What is to be stored. */
  readonly body: string;
  /** Milliseconds until another request fits, 0 if it does now; and why it does not, where that can be said. */
  wait(limits: Limits, use: ResourceUse, now: number): { readonly waitMs: number; readonly why?: string };
  /**
   * A request is about to be booked. One of the same id that is here already is taken out, since its step was never
   * committed; or with `isRepeat` stays, since it may have been made, and loses its name.
   */
  renew(id: string, isRepeat: boolean): void;
  /** Books a request; returns its mark. */
  reserve(id: string, use: ResourceUse, now: number): number;
  /** Puts right what a request used. */
  settle(id: string, mark: number, estimate: ResourceUse, used: ResourceUse): void;
  /** Takes a request out that is not made. */
  undo(id: string, mark: number, estimate: ResourceUse): void;
  /** A request was dropped on its way. */
  release(id: string, mark: number, estimate: ResourceUse): void;
}

/** A name that is still known: id, mark, tokens, cost. */
export type NamedRequest = readonly [id: string, mark: number, tokens: number, cost: number | null];

/** Names beyond that are forgotten, the oldest first, so that a row stays small: what they name stays counted. */
const MAX_NAMES = 32;

/** The requests under way that were booked last, by id, so that who makes one of them anew takes the place of the first. */
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

  /** Forgets a name; returns what it stood for. */
  remove(id: string): { mark: number; use: ResourceUse } | undefined {
    const n = this.#names.findIndex(([name]) => name === id);
    const [found] = n < 0 ? [] : this.#names.splice(n, 1);
    return found === undefined ? undefined : { mark: found[1], use: { tokens: found[2], cost: found[3] } };
  }
}
