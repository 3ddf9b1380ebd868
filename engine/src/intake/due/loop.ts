import type { Clock } from '../../base/clock.ts';
import { errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';

/** Longest sleep: a clock that was set, and a row whose signal was lost, are noticed within this time. */
const MAX_SLEEP_MS = 60_000;

/** Does what is due, from `start` until `stop`: when it is due, and after `wake`. Each subclass knows one kind of it. */
export abstract class DueLoop {
  readonly #deps: { readonly clock: Clock; readonly log: Logger };
  readonly #name: string;
  #isActive = false;
  #isWanted = false;
  #running: Promise<void> | undefined;
  #cancel: () => void = () => {};

  /** `name` is for the log. */
  constructor(deps: { readonly clock: Clock; readonly log: Logger }, name: string) {
    this.#deps = deps;
    this.#name = name;
  }

  /** Does what is due; returns when the next thing is due in epoch milliseconds, Infinity if there is none. */
  protected abstract doDue(): Promise<number>;

  /** False where `doDue` should end early. */
  protected get isActive(): boolean {
    return this.#isActive;
  }

  start(): void {
    this.#isActive = true;
    this.wake();
  }

  /** Looks for what is due now. To be called after something was added or changed. */
  wake(): void {
    if (!this.#isActive) return;
    this.#cancel();
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /** Does nothing more; resolves when the last thing is stored. */
  async stop(): Promise<void> {
    this.#isActive = false;
    this.#cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps;
    let next = Infinity;
    while (this.#isWanted && this.#isActive) {
      this.#isWanted = false;
      try {
        next = await this.doDue();
      } catch (error) {
        log.error(`${this.#name} could not be read; trying again`, { ...errorBody(error) });
        next = Infinity;
      }
    }
    // Before anything can wake it: a wake from now on begins anew.
    this.#running = undefined;
    if (!this.#isActive) return;
    const wait = Math.min(Math.max(0, next - clock.now()), MAX_SLEEP_MS);
    this.#cancel = clock.delay(() => this.wake(), wait);
  }
}
