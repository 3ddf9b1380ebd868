/** An outcome from outside that a run waited for, and when it arrived. */
export interface RecordedOutcome {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Returns the outcome, or throws it where it was an error. */
  readonly read: () => unknown;
}

/** Delivers outcomes in the recorded order: each waits until all earlier ones were delivered. */
export class OutcomeOrder {
  readonly #expected = new Set<RecordedOutcome>();
  readonly #waiting = new Map<RecordedOutcome, () => void>();
  #sorted: RecordedOutcome[] | undefined;
  #isDelivering = false;

  /** Adds an outcome to the order; returns it. */
  add(outcome: RecordedOutcome): RecordedOutcome {
    this.#expected.add(outcome);
    this.#sorted = undefined;
    return outcome;
  }

  /** Number of outcomes that were not delivered yet. */
  get remaining(): number {
    return this.#expected.size;
  }

  /**
   * The outcome, when its turn has come; pending for ever where it is undefined. Abort rejects with the signal's
   * reason.
   */
  wait(outcome: RecordedOutcome | undefined, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (outcome === undefined) return;
      this.#waiting.set(outcome, () => {
        try {
          resolve(outcome.read());
        } catch (error) {
          reject(error);
        }
      });
      this.#release();
    });
  }

  /** Delivers one outcome in each turn of the event loop, so that its run takes it before the next one arrives. */
  #release(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    setImmediate(() => {
      this.#isDelivering = false;
      const first = this.#first()?.at ?? Infinity;
      const next = [...this.#waiting.keys()].find(({ at }) => at <= first);
      if (next === undefined) return;
      const deliver = this.#waiting.get(next);
      this.#waiting.delete(next);
      this.#expected.delete(next);
      deliver?.();
      this.#release();
    });
  }

  #first(): RecordedOutcome | undefined {
    this.#sorted ??= [...this.#expected].sort((a, b) => b.at - a.at);
    while (this.#sorted.length > 0 && !this.#expected.has(this.#sorted.at(-1)!)) this.#sorted.pop();
    return this.#sorted.at(-1);
  }
}
