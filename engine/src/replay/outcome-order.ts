/** Something from outside that a run waited for, and when it came. */
export interface RecordedOutcome {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The outcome; throws where it was an error. */
  readonly give: () => unknown;
}

/** Lets outcomes come in the order in which they came: each waits until all earlier ones were asked for. */
export class OutcomeOrder {
  readonly #expected = new Set<RecordedOutcome>();
  readonly #waiting = new Map<RecordedOutcome, () => void>();
  #sorted: RecordedOutcome[] | undefined;
  #isGiving = false;

  /** Notes that an outcome will be asked for. */
  expect(outcome: RecordedOutcome): RecordedOutcome {
    this.#expected.add(outcome);
    this.#sorted = undefined;
    return outcome;
  }

  /** Outcomes that were not given yet. */
  get left(): number {
    return this.#expected.size;
  }

  /** The outcome, when its turn has come; never where there is none. Abort rejects with the signal's reason. */
  wait(outcome: RecordedOutcome | undefined, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (outcome === undefined) return;
      this.#waiting.set(outcome, () => {
        try {
          resolve(outcome.give());
        } catch (error) {
          reject(error);
        }
      });
      this.#release();
    });
  }

  /** One at a time, each in a turn of the loop of its own: what waits for it takes it into its run before the next comes. */
  #release(): void {
    if (this.#isGiving) return;
    this.#isGiving = true;
    setImmediate(() => {
      this.#isGiving = false;
      const first = this.#first()?.at ?? Infinity;
      const next = [...this.#waiting.keys()].find(({ at }) => at <= first);
      if (next === undefined) return;
      const give = this.#waiting.get(next);
      this.#waiting.delete(next);
      this.#expected.delete(next);
      give?.();
      this.#release();
    });
  }

  #first(): RecordedOutcome | undefined {
    this.#sorted ??= [...this.#expected].sort((a, b) => b.at - a.at);
    while (this.#sorted.length > 0 && !this.#expected.has(this.#sorted.at(-1)!)) this.#sorted.pop();
    return this.#sorted.at(-1);
  }
}
