import type { Client, ClientConfig } from 'pg';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Listening } from './link.ts';

interface Listener {
  readonly channel: string;
  readonly onNotice: (payload: string) => void;
  readonly onGap: () => void;
}

/** Waits between attempts to come back, doubled each time. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** How often the connection is tried while nothing comes: one that a router has forgotten looks like a quiet one. */
const TRY_EVERY_MS = 15_000;
const TRY_TIMEOUT_MS = 10_000;

/** The one connection of a process that stays: it listens on all channels, and comes back by itself when it is lost. */
export class Standing {
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
  async listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<Listening> {
    const listener = { channel, onNotice, onGap };
    const client = await (this.#connected ??= this.#connect());
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    this.#listeners.add(listener);
    return {
      close: async () => {
        this.#listeners.delete(listener);
        if (this.#isClosed || [...this.#listeners].some((other) => other.channel === channel)) return;
        const now = await this.#connected?.catch(() => undefined);
        await now?.query(`UNLISTEN ${now.escapeIdentifier(channel)}`).catch(() => undefined);
      },
    };
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
    const client = new Client(this.#config);
    client.on('error', (error) => this.#log.debug('the listening connection was lost', { reason: error.message }));
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners) if (listener.channel === channel) listener.onNotice(payload ?? '');
    });
    try {
      await client.connect();
      for (const channel of new Set([...this.#listeners].map((listener) => listener.channel)))
        await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
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
