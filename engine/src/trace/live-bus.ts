import { isRecord } from '../base/json.ts';
import type { Signals } from '../cluster/signals.ts';

/** What the live stream tells: which thing changed, with ids and state only, never content. */
export interface LiveEvent {
  readonly id: number;
  readonly name: (typeof EVENT_NAMES)[number];
  readonly data: Readonly<Record<string, unknown>>;
}

/** `reset`: something was missed for good, and everything is to be read anew. */
const EVENT_NAMES = ['mail', 'run', 'item', 'approval', 'todo', 'config', 'fetcher', 'reset'] as const;
/** Events kept for listeners that come back. */
const MAX_RECENT = 1000;
/** The signal that carries an event to other processes. */
const SIGNAL_KIND = 'live';

/** Hands changes to whoever listens, in order. Nothing is stored: a listener that missed too much reads everything anew. */
export class LiveBus {
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  #recent: LiveEvent[] = [];
  #next = 1;
  #signals: Pick<Signals, 'send'> | undefined;

  publish(name: LiveEvent['name'], data: LiveEvent['data']): void {
    this.#deliver(name, data);
    this.#signals?.send(SIGNAL_KIND, [name, data]);
  }

  /**
   * Joins the buses of several processes: what is published on one reaches the listeners of all, each with ids of its own
   * bus. Where something was lost on the way, listeners are told `reset`. The returned function ends it.
   */
  join(signals: Pick<Signals, 'send' | 'on' | 'onGap'>): () => void {
    this.#signals = signals;
    const reset = () => this.#deliver('reset', {});
    const unsubscribes = [
      signals.onGap(reset),
      signals.on(SIGNAL_KIND, (value) => {
        // Too long to be sent.
        if (value === undefined) return reset();
        const [name, data] = Array.isArray(value) ? (value as unknown[]) : [];
        const known = EVENT_NAMES.find((other) => other === name);
        if (known !== undefined && isRecord(data)) this.#deliver(known, data);
      }),
    ];
    return () => {
      this.#signals = undefined;
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
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

  #deliver(name: LiveEvent['name'], data: LiveEvent['data']): void {
    const event = { id: this.#next++, name, data };
    this.#recent.push(event);
    if (this.#recent.length > 2 * MAX_RECENT) this.#recent = this.#recent.slice(-MAX_RECENT);
    for (const listener of this.#listeners) listener(event);
  }
}
