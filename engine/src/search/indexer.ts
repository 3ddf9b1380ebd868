import type { Clock } from '../base/clock.ts';
import { EngineError, errorBody } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import type { Claims } from '../cluster/claims.ts';
import type { Store } from '../store/store.ts';
import type { Searched } from './search.ts';
import { updateIndex } from './update-index.ts';

/** Time from the start to the first update, and between updates. */
const EVERY_MS = 10_000;
const CLAIM = 'mail-search';

/** Options of `SearchIndexer`. */
export interface SearchIndexerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** What is searched: mails and runs. */
  readonly searched: readonly Searched[];
  /** Of the processes that share the store, one updates the index for all. */
  readonly claims: Claims | undefined;
}

/** Updates the search index every ten seconds, from `start` until `stop`. */
export class SearchIndexer {
  readonly #options: SearchIndexerOptions;
  #stopping = new AbortController();
  #giveUp: (() => Promise<void>) | undefined;
  #cancel: () => void = () => {};
  #work: Promise<void> = Promise.resolve();

  constructor(options: SearchIndexerOptions) {
    this.#options = options;
  }

  start(): void {
    const { claims } = this.#options;
    if (claims === undefined) this.#begin();
    else this.#giveUp ??= claims.acquire(CLAIM, { onTaken: () => this.#begin(), onLost: () => this.#end() });
  }

  /** Resolves when the last commit is stored. */
  async stop(): Promise<void> {
    this.#end();
    await this.#work;
    await this.#giveUp?.();
    this.#giveUp = undefined;
  }

  #begin(): void {
    this.#stopping = new AbortController();
    this.#arm(this.#stopping.signal);
  }

  #end(): void {
    this.#stopping.abort();
    this.#cancel();
  }

  #arm(signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#cancel();
    this.#cancel = this.#options.clock.delay(() => {
      // After a claim was lost and taken again, the work of before may not have ended yet.
      this.#work = this.#work.then(() => this.#update(signal)).then(() => this.#arm(signal));
    }, EVERY_MS);
  }

  async #update(signal: AbortSignal): Promise<void> {
    const { store, log } = this.#options;
    for (const searched of this.#options.searched)
      try {
        await updateIndex(store, searched, { signal });
      } catch (error) {
        const isOther = error instanceof EngineError && error.code === 'STORE_CONFLICT';
        if (!signal.aborted && !isOther)
          log.warn('the search index could not be updated; trying again', {
            kind: searched.kind,
            ...errorBody(error),
          });
      }
  }
}
