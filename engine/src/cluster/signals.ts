import type { Clock } from '../base/clock.ts';
import { errorBody } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import type { SqlDatabase } from '../store/postgres/sql-database.ts';

const CHANNEL = 'callsheet';
/** Signals within this time are sent as one NOTIFY: each NOTIFY is a commit of its own on the server. */
const GATHER_MS = 15;
/** Below the 8,000 bytes that NOTIFY takes. */
const MAX_BYTES = 7900;
/** After a failed NOTIFY, other processes are told of the gap as soon as sending works again. */
const RETRY_MS = 1000;

/** Called with the sent data, or with undefined where the data was too long to send. */
export type OnSignal = (data: unknown) => void;

/**
 * Short messages between processes. They are lost while a connection is down: a receiver that relies on them reads the
 * store again after a gap, and data that must not be lost is in the store.
 */
export interface Signals {
  /**
   * Sends to all other processes, soon; never to this one. Never throws. `data` survives JSON and contains no mail
   * content.
   */
  send(kind: string, data?: unknown): void;
  /** Calls `fn` for each message of a kind; the returned function unsubscribes. */
  on(kind: string, fn: OnSignal): () => void;
  /** Calls `fn` after messages may have been lost. */
  onGap(fn: () => void): () => void;
  /** Sends waiting messages, then stops; later messages are dropped. */
  close(): Promise<void>;
}

/** Options of `openSignals`. */
export interface SignalOptions {
  readonly database: Pick<SqlDatabase, 'listen' | 'notify'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Id of this process, unique among all processes. */
  readonly origin: string;
}

/**
 * Signals over LISTEN and NOTIFY (https://www.postgresql.org/docs/current/sql-notify.html). NOTIFY is sent on its own,
 * never inside a commit: a transaction with NOTIFY locks the whole database while it commits, so that all commits would
 * run one after the other. Rejects where LISTEN fails.
 */
export async function openSignals(options: SignalOptions): Promise<Signals> {
  const signals = new NoticeSignals(options);
  await signals.open();
  return signals;
}

class NoticeSignals implements Signals {
  readonly #options: SignalOptions;
  readonly #listeners = new Map<string, Set<OnSignal>>();
  readonly #gapListeners = new Set<() => void>();
  #outgoing: string[] = [];
  #cancel: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  /** True while other processes have not been told of a lost message. */
  #hasUnsentGap = false;
  #isClosed = false;
  #stopListening: () => Promise<void> = async () => {};

  constructor(options: SignalOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const listening = await this.#options.database.listen(
      CHANNEL,
      (payload) => this.#onPayload(payload),
      () => this.#notifyGap(),
    );
    this.#stopListening = () => listening.close();
  }

  send(kind: string, data?: unknown): void {
    if (this.#isClosed) return;
    const note = JSON.stringify(data === undefined ? [kind] : [kind, data]);
    const isTooLong = Buffer.byteLength(note) + this.#frame([]).length > MAX_BYTES;
    this.#outgoing.push(isTooLong ? JSON.stringify([kind]) : note);
    this.#sendLater(GATHER_MS);
  }

  on(kind: string, fn: OnSignal): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, listeners.add(fn));
    return () => void listeners.delete(fn);
  }

  onGap(fn: () => void): () => void {
    this.#gapListeners.add(fn);
    return () => void this.#gapListeners.delete(fn);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sending;
    await this.#flush();
    this.#cancel?.();
    await this.#stopListening();
  }

  #sendLater(ms: number): void {
    this.#cancel ??= this.#options.clock.delay(() => void this.#flush(), ms);
  }

  /** One NOTIFY after the other, in order; messages that arrive meanwhile are sent together. */
  async #flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    const { database, log } = this.#options;
    while (this.#outgoing.length > 0 || this.#hasUnsentGap) {
      const payload = this.#hasUnsentGap ? this.#frame([], true) : this.#nextPayload();
      try {
        await database.notify(CHANNEL, payload);
        this.#hasUnsentGap = false;
      } catch (error) {
        if (!this.#hasUnsentGap) log.warn('other processes could not be notified of a change', { ...errorBody(error) });
        this.#hasUnsentGap = true;
        // Receivers read the store again after the gap, so these messages are not needed.
        this.#outgoing = [];
        return this.#sendLater(RETRY_MS);
      }
    }
  }

  /** As many waiting messages as fit into one NOTIFY. */
  #nextPayload(): string {
    let bytes = this.#frame([]).length;
    let count = 0;
    for (const note of this.#outgoing) {
      bytes += Buffer.byteLength(note) + 1;
      if (count > 0 && bytes > MAX_BYTES) break;
      count++;
    }
    return this.#frame(this.#outgoing.splice(0, count));
  }

  #frame(notes: readonly string[], isGap = false): string {
    return `{"from":${JSON.stringify(this.#options.origin)},${isGap ? '"gap":true,' : ''}"notes":[${notes.join(',')}]}`;
  }

  #onPayload(payload: string): void {
    const packet = parsed(payload);
    if (packet === undefined || packet['from'] === this.#options.origin) return;
    if (packet['gap'] === true) this.#notifyGap();
    for (const note of Array.isArray(packet['notes']) ? (packet['notes'] as unknown[]) : []) {
      if (!Array.isArray(note)) continue;
      const [kind, data] = note as unknown[];
      for (const listener of this.#listeners.get(String(kind)) ?? []) this.#callListener(() => listener(data));
    }
  }

  #notifyGap(): void {
    for (const listener of this.#gapListeners) this.#callListener(listener);
  }

  /** An error of one listener does not stop the others. */
  #callListener(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.error('a listener of a signal failed', { ...errorBody(error) });
    }
  }
}

/** Another version may send messages that this version cannot read. */
function parsed(payload: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(payload);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
