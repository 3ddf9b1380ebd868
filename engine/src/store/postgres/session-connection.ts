import type { Client, ClientConfig } from 'pg';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { HeldLock, Subscription } from './sql-database.ts';

/** What is run on every new connection. */
interface Listener {
  readonly acquireSql: string;
  readonly releaseSql: string;
  /** Undefined for what is held and hears nothing. */
  readonly channel: string | undefined;
  readonly onNotice: (payload: string) => void;
  readonly onGap: () => void;
}

/** Waits between attempts to come back, doubled each time. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** How often the connection is tried while nothing comes: one that a router has forgotten looks like a quiet one. */
const PROBE_EVERY_MS = 15_000;
const PROBE_TIMEOUT_MS = 10_000;

/**
 * The one connection of a process that stays: it listens on all channels, holds the locks of the session, and comes back by
 * itself when it is lost.
 */
export class SessionConnection {
  readonly #config: ClientConfig;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #listeners = new Set<Listener>();
  #connected: Promise<Client> | undefined;
  #stopWaiting: (() => void) | undefined;
  #stopProbing: (() => void) | undefined;
  /** Since something was sent that nobody here heard. */
  #wasDisconnected = false;
  #isClosed = false;

  constructor(config: ClientConfig, clock: Clock, log: Logger) {
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
  }

  /** Rejects where the server cannot be reached now; later losses are made good. */
  async listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<Subscription> {
    const name = `"${channel.replaceAll('"', '""')}"`;
    return this.#add({ acquireSql: `LISTEN ${name}`, releaseSql: `UNLISTEN ${name}`, channel, onNotice, onGap });
  }

  /** As `SqlDatabase.hold`. */
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
    client.on('error', (error) => this.#log.debug('the listening connection was lost', { reason: error.message }));
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
