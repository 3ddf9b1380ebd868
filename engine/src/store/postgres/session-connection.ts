import type { Client, ClientConfig } from 'pg';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { HeldLock, Subscription } from './sql-database.ts';

/** A subscription or a lock: statements to run on every new connection, and callbacks. */
interface Listener {
  readonly acquireSql: string;
  readonly releaseSql: string;
  /** Undefined for a lock. */
  readonly channel: string | undefined;
  readonly onNotice: (payload: string) => void;
  readonly onGap: () => void;
}

/** Waits between attempts to reconnect; each wait is twice the one before. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** How often the connection is probed: a connection that a router has dropped looks like an idle one. */
const PROBE_EVERY_MS = 15_000;
const PROBE_TIMEOUT_MS = 10_000;

/**
 * The session connection of a process: it listens on all channels, holds the advisory locks of the session, and
 * reconnects by itself when it is lost.
 */
export class SessionConnection {
  readonly #config: ClientConfig;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #listeners = new Set<Listener>();
  #connected: Promise<Client> | undefined;
  #stopWaiting: (() => void) | undefined;
  #stopProbing: (() => void) | undefined;
  /** True if the connection was lost: notifications may be missing. */
  #wasDisconnected = false;
  #isClosed = false;

  constructor(config: ClientConfig, clock: Clock, log: Logger) {
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * As `SqlDatabase.listen`. Rejects if the server cannot be reached now; later losses are repaired by a reconnection.
   */
  async listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<Subscription> {
    const name = `"${channel.replaceAll('"', '""')}"`;
    return this.#add({ acquireSql: `LISTEN ${name}`, releaseSql: `UNLISTEN ${name}`, channel, onNotice, onGap });
  }

  /** As `SqlDatabase.holdLock`. */
  holdLock(acquireSql: string, releaseSql: string, onGap: () => void): Promise<HeldLock> {
    return this.#add({ acquireSql, releaseSql, channel: undefined, onNotice: () => {}, onGap });
  }

  async #add(listener: Listener): Promise<HeldLock> {
    const client = await (this.#connected ??= this.#connect());
    const { rows } = await client.query<Record<string, unknown>>(listener.acquireSql);
    this.#listeners.add(listener);
    return {
      rows,
      close: async () => {
        this.#listeners.delete(listener);
        const isShared = listener.channel !== undefined && this.#listenersOf(listener.channel).length > 0;
        if (this.#isClosed || isShared) return;
        const now = await this.#connected?.catch(() => undefined);
        await now?.query(listener.releaseSql).catch(() => undefined);
      },
    };
  }

  #listenersOf(channel: string): Listener[] {
    return [...this.#listeners].filter((listener) => listener.channel === channel);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#stopWaiting?.();
    this.#stopProbing?.();
    const client = await this.#connected?.catch(() => undefined);
    await client?.end();
  }

  async #connect(): Promise<Client> {
    const { Client } = (await import('pg')).default;
    const client = new Client({ ...this.#config, pipeline: true });
    client.on('error', (error) => this.#log.debug('the session connection was lost', { reason: error.message }));
    client.on('notification', ({ channel, payload }) => {
      for (const { onNotice } of this.#listenersOf(channel)) onNotice(payload ?? '');
    });
    try {
      await client.connect();
      for (const acquireSql of new Set([...this.#listeners].map((listener) => listener.acquireSql)))
        await client.query(acquireSql);
    } catch (error) {
      this.#connected = undefined;
      await client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => this.#reconnect(FIRST_WAIT_MS));
    this.#probe(client);
    if (this.#wasDisconnected) for (const { onGap } of this.#listeners) onGap();
    this.#wasDisconnected = false;
    return client;
  }

  #reconnect(waitMs: number): void {
    this.#stopProbing?.();
    this.#connected = undefined;
    this.#wasDisconnected = true;
    if (this.#isClosed) return;
    this.#stopWaiting = this.#clock.delay(() => {
      if (this.#isClosed) return;
      this.#connected ??= this.#connect();
      this.#connected.catch(() => this.#reconnect(Math.min(waitMs * 2, LONGEST_WAIT_MS)));
    }, waitMs);
  }

  #probe(client: Client): void {
    this.#stopProbing = this.#clock.delay(() => {
      const asked = client.query({ text: 'SELECT 1', query_timeout: PROBE_TIMEOUT_MS } as { text: string });
      asked.then(
        () => this.#probe(client),
        () => void client.end(),
      );
    }, PROBE_EVERY_MS);
  }
}
