import type { Reader } from '../../../engine/src/store/store.ts';

/** How long runs lay idle whose process had died, until another one had them or they were over. */
export class Handovers {
  readonly all: { readonly run: string; readonly worker: string; readonly tookMs: number; readonly until: string }[] =
    [];
  readonly #dead = new Map<string, number>();
  readonly #orphans = new Map<string, { readonly worker: string; readonly since: number }>();

  /** A process is dead, or frozen, from this moment on. */
  died(worker: string): void {
    this.#dead.set(worker, performance.now());
  }

  /** A frozen one goes on. */
  revived(worker: string): void {
    this.#dead.delete(worker);
  }

  /** One look at the leases; as exact as the time between two of them. */
  async look(store: Reader): Promise<void> {
    const leases = await store.list('lease');
    const now = performance.now();
    const holders = new Map(leases.map(({ run, worker }) => [run, worker]));
    for (const [run, { worker, since }] of this.#orphans) {
      if (holders.get(run) === worker) continue;
      this.all.push({ run, worker, tookMs: Math.round(now - since), until: new Date().toISOString() });
      this.#orphans.delete(run);
    }
    for (const [run, worker] of holders) {
      const since = this.#dead.get(worker);
      if (since !== undefined && !this.#orphans.has(run)) this.#orphans.set(run, { worker, since });
    }
  }

  /** As a line for people. */
  describe(): string {
    const sorted = this.all.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
    const seconds = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1);
    return `${sorted.length} runs taken over from the dead after ${seconds(sorted[sorted.length >> 1])} s (median), ${seconds(sorted.at(-1))} s at most`;
  }
}
