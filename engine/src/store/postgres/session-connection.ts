import type { Client, ClientConfig } from 'pg';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { HeldLock, Subscription } from './sql-database.ts';

/** What is run on every new connection. */
interface Listener {
  readonly take: string;
  readonly drop: string;
  /** Undefined for what is held and hears nothing. */
  readonly channel: string | undefined;
  readonly onNotice: (payload: string) => void;
  readonly onGap: () => void;
}

/** Waits between attempts to come back, doubled each time. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** How often the connection is tried while nothing comes: one that a router has forgotten looks like a quiet one. */
const TRY_EVERY_MS = 15_000;
const TRY_TIMEOUT_MS = 10_000;

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
  #stopTrying: (() => void) | undefined;
  /** Since something was sent that nobody here heard. */
  #wasAway = false;
  #isClosed = false;

  constructor(config: ClientConfig, clock: Clock, log: Logger) {
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
  }

  /** Rejects where the server cannot be reached now; later losses are made good. */
  async listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<Subscription> {
    const name = `"${channel.replaceAll('"', '""')}"`;
    return this.#begin({ take: `LISTEN ${name}`, drop: `UNLISTEN ${name}`, channel, onNotice, onGap });
  }

  /** As `SqlDatabase.hold`. */
  hold(take: string, drop: string, onGap: () => void): Promise<HeldLock> {
    return this.#begin({ take, drop, channel: undefined, onNotice: () => {}, onGap });
  }

  async #begin(listener: Listener): Promise<HeldLock> {
    const client = await (this.#connected ??= this.#connect());
    const { rows } = await client.query<Record<string, unknown>>(listener.take);
    this.#listeners.add(listener);
    return {
      rows,
      close: async () => {
        this.#listeners.delete(listener);
        const isShared = listener.channel !== undefined && this.#hear(listener.channel).length > 0;
        if (this.#isClosed || isShared) return;
        const now = await this.#connected?.catch(() => undefined);
        await now?.query(listener.drop).catch(() => undefined);
      },
    };
  }

  #hear(channel: string): Listener[] {
    return [...this.#listeners].filter((listener) => listener.channel === channel);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#stopWaiting?.();
    this.#stopTrying?.();
    const client = await this.#connected?.catch(() => undefined);
    await client?.end();
  }

  async #connect(): Promise<Client> {
    const { Client } = (await import('pg')).default;
    const client = new Client({ ...this.#config, pipeline: true });
    client.on('error', (error) => this.#log.debug('the listening connection was lost', { reason: error.message }));
    client.on('notification', ({ channel, payload }) => {
      for (const { onNotice } of this.#hear(channel)) onNotice(payload ?? '');
    });
    try {
      await client.connect();
      for (const take of new Set([...this.#listeners].map((listener) => listener.take))) await client.query(take);
    } catch (error) {
      this.#connected = undefined;
      await client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => this.#comeBack(FIRST_WAIT_MS));
    this.#try(client);
    if (this.#wasAway) for (const { onGap } of this.#listeners) onGap();
    this.#wasAway = false;
    return client;
  }

  #comeBack(waitMs: number): void {
    this.#stopTrying?.();
    this.#connected = undefined;
    this.#wasAway = true;
    if (this.#isClosed) return;
    this.#stopWaiting = this.#clock.delay(() => {
      if (this.#isClosed) return;
      this.#connected ??= this.#connect();
      this.#connected.catch(() => this.#comeBack(Math.min(waitMs * 2, LONGEST_WAIT_MS)));
    }, waitMs);
  }

  #try(client: Client): void {
    this.#stopTrying = this.#clock.delay(() => {
      const asked = client.query({ text: 'SELECT 1', query_timeout: TRY_TIMEOUT_MS } as { text: string });
      asked.then(
        () => this.#try(client),
        () => void client.end(),
      );
    }, TRY_EVERY_MS);
  }
}
