import type { OnSignal, Signals } from '../../engine/src/cluster/signals.ts';

/** Signals of one of several processes that are all in this one. */
export interface MemorySignals extends Signals {
  /** What was sent from here, in order. */
  readonly sent: readonly string[];
  /** Lets messages to this process be lost from now on, or ends that: then it is told of the gap. */
  setAway(isAway: boolean): void;
}

/** Signals that are joined to each other without a database: what one sends the others have at once, as JSON carries it. */
export function joinedSignals(count: number): MemorySignals[] {
  const all: MemoryEnd[] = Array.from({ length: count }, () => new MemoryEnd((from, note) => pass(from, note)));
  const pass = (from: MemoryEnd, note: string) => {
    for (const end of all) if (end !== from) end.hear(note);
  };
  return all;
}

class MemoryEnd implements MemorySignals {
  readonly sent: string[] = [];
  readonly #pass: (from: MemoryEnd, note: string) => void;
  readonly #listeners: { kind: string; fn: OnSignal }[] = [];
  readonly #gapListeners: (() => void)[] = [];
  #isAway = false;

  constructor(pass: (from: MemoryEnd, note: string) => void) {
    this.#pass = pass;
  }

  send(kind: string, data?: unknown): void {
    this.sent.push(kind);
    this.#pass(this, JSON.stringify(data === undefined ? [kind] : [kind, data]));
  }

  hear(note: string): void {
    if (this.#isAway) return;
    const [kind, data] = JSON.parse(note) as [string, unknown];
    for (const listener of this.#listeners) if (listener.kind === kind) listener.fn(data);
  }

  setAway(isAway: boolean): void {
    const isBack = this.#isAway && !isAway;
    this.#isAway = isAway;
    if (isBack) for (const fn of this.#gapListeners) fn();
  }

  on(kind: string, fn: OnSignal): () => void {
    const listener = { kind, fn };
    this.#listeners.push(listener);
    return () => void this.#listeners.splice(this.#listeners.indexOf(listener), 1);
  }

  onGap(fn: () => void): () => void {
    this.#gapListeners.push(fn);
    return () => void this.#gapListeners.splice(this.#gapListeners.indexOf(fn), 1);
  }

  async close(): Promise<void> {}
}
