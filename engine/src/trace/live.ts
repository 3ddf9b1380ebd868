/** What the live stream tells: which thing changed, with ids and state only, never content. */
export interface LiveEvent {
  readonly id: number;
  readonly name: 'mail' | 'run' | 'item' | 'approval' | 'config' | 'fetcher';
  readonly data: Readonly<Record<string, unknown>>;
}

/** Events kept for listeners that come back. */
const KEPT = 1000;

/** Hands changes to whoever listens, in order. Nothing is stored: a listener that missed too much reads everything anew. */
export class LiveBus {
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  #recent: LiveEvent[] = [];
  #next = 1;

  publish(name: LiveEvent['name'], data: LiveEvent['data']): void {
    const event = { id: this.#next++, name, data };
    this.#recent.push(event);
    if (this.#recent.length > 2 * KEPT) this.#recent = this.#recent.slice(-KEPT);
    for (const listener of this.#listeners) listener(event);
  }

  /** Calls `listener` for each event from now on; the returned function ends it. */
  subscribe(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Events after `id`, or undefined where some of them are no longer kept. */
  since(id: number): readonly LiveEvent[] | undefined {
    const first = this.#recent[0]?.id ?? this.#next;
    if (id >= this.#next || id < first - 1) return undefined;
    return this.#recent.filter((event) => event.id > id);
  }
}
