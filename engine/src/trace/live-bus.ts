import { isRecord } from '../base/json.ts';
import type { Signals } from '../cluster/signals.ts';
import { LiveAnswers } from './live-answers.ts';

/** An event of the live stream: a thing that changed, with ids and state only, never content. */
export interface LiveEvent {
  readonly id: number;
  readonly name: (typeof EVENT_NAMES)[number];
  readonly data: Readonly<Record<string, unknown>>;
}

/** `reset`: events were lost, and the listener must read everything again. */
const EVENT_NAMES = [
  'mail',
  'run',
  'item',
  'approval',
  'todo',
  'reminder',
  'task',
  'notification',
  'memory',
  'objective',
  'chat',
  'config',
  'fetcher',
  'reset',
] as const;
/** Recent events kept for listeners that reconnect. */
const MAX_RECENT = 1000;
/** Kind of the signal that carries an event to other processes. */
const SIGNAL_KIND = 'live';

/**
 * Delivers changes to listeners, in order. Nothing is stored: a listener that missed too many events reads everything
 * again.
 */
export class LiveBus {
  /** Answers while they arrive. They have content, so they are no events and stay in this process. */
  readonly answers = new LiveAnswers();
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  #recent: LiveEvent[] = [];
  #next = 1;
  #signals: Pick<Signals, 'send'> | undefined;

  /** Delivers an event to all listeners, in joined processes as well. */
  publish(name: LiveEvent['name'], data: LiveEvent['data']): void {
    this.#deliver(name, data);
    this.#signals?.send(SIGNAL_KIND, [name, data]);
  }

  /**
   * Joins the buses of several processes: an event published on one bus reaches the listeners of all. Each bus numbers
   * events itself. If signals were lost, listeners receive `reset`. The returned function leaves the group.
   */
  join(signals: Pick<Signals, 'send' | 'on' | 'onGap'>): () => void {
    this.#signals = signals;
    const reset = () => this.#deliver('reset', {});
    const unsubscribes = [
      signals.onGap(reset),
      signals.on(SIGNAL_KIND, (value) => {
        // The event was too long to be sent.
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

  /** Calls `listener` for each event from now on; the returned function unsubscribes it. */
  subscribe(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Events after `id`; undefined if some of them are no longer kept. */
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
