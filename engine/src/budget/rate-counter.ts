import type { ResourceUse } from './budget.ts';
import { type AdmittedRequests, RateWindow } from './rate-window.ts';
import type { Row } from '../store/store.ts';
import { type Counter, type Limits, type NamedRequest, PendingRequests } from './counter.ts';

interface Body {
  readonly passed: readonly (readonly [at: number, requests: number, tokens: number])[];
  readonly names: readonly NamedRequest[];
}

/** Requests of an api or agent over all processes; a mark is the time from which a request counts. */
export class RateCounter implements Counter {
  readonly #window: RateWindow;
  readonly #names: PendingRequests;

  constructor(row: Row<'counter'> | undefined) {
    const { passed, names }: Body = row === undefined ? { passed: [], names: [] } : (JSON.parse(row.body) as Body);
    this.#window = new RateWindow(passed.map(([at, requests, tokens]): AdmittedRequests => ({ at, requests, tokens })));
    this.#names = new PendingRequests(names);
  }

  get body(): string {
    const passed = this.#window.passed.map(({ at, requests, tokens }) => [at, requests, tokens] as const);
    const oldest = passed[0]?.[0] ?? Infinity;
    const body: Body = { passed, names: this.#names.all.filter(([, at]) => at >= oldest) };
    return JSON.stringify(body);
  }

  wait(limits: Limits, use: ResourceUse, now: number): { waitMs: number } {
    return { waitMs: this.#window.waitMs(limits, use.tokens, now) };
  }

  renew(id: string, isRepeat: boolean): void {
    const before = this.#names.remove(id);
    if (before !== undefined && !isRepeat) this.#window.remove(before.mark, before.use.tokens);
  }

  reserve(id: string, use: ResourceUse, now: number): number {
    const at = this.#window.add(use.tokens, now);
    this.#names.add(id, at, use);
    return at;
  }

  settle(id: string, at: number, estimate: ResourceUse, used: ResourceUse): void {
    this.#names.remove(id);
    this.#window.correct(at, used.tokens - estimate.tokens);
  }

  undo(id: string, at: number, estimate: ResourceUse): void {
    this.#names.remove(id);
    this.#window.remove(at, estimate.tokens);
  }

  /** The request was sent, and its use is unknown, so the estimate stays. */
  release(id: string): void {
    this.#names.remove(id);
  }
}
