import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { orAbort, sleep } from '../../base/abort.ts';
import { isoTime } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Arguments } from '../arguments.ts';
import { readFailure } from './call-failure.ts';
import { connectClient, speaksOnlyNew } from './connect.ts';
import type { LinkOptions, ServerStatus } from './link-options.ts';
import { readToolList } from './remote-tools.ts';

/** Time limit of a list of tools, and of a ping. */
const LIST_MS = 30_000;
const PING_MS = 2000;
/** Pauses before a restart: doubled from first to last, and back to first after a time without a failure. */
const BACKOFF_MS = { first: 1000, last: 300_000, healthy: 60_000 } as const;
/** Shortest time between two lists of tools, for a server that says again and again that they have changed. */
const RELIST_MS = 1000;

/** The limits of one call. */
export interface CallOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** True for a write: without an answer, it may have happened. */
  readonly isWrite: boolean;
}

/** A connection to one MCP server, kept open: connects in the background, and again with back-off after each failure. */
export class ServerLink {
  readonly #options: LinkOptions;
  readonly #stopping = new AbortController();
  readonly #tried = Promise.withResolvers<void>();
  #client: Client | undefined;
  #next = pendingClient();
  /** A call waits for the next attempt. */
  #isWanted = false;
  #wake = () => {};
  #state: ServerStatus['state'] = 'connecting';
  #since: number;
  #error: string | undefined;
  #retryAt: number | undefined;
  #tools = 0;
  #isModern = false;
  #running: Promise<void> = Promise.resolve();
  #listing: Promise<void> | undefined;
  #relist = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#since = options.clock.now();
  }

  /** Connects in the background. */
  start(): void {
    this.#running = this.#run();
  }

  /** Resolves after the first attempt to list the tools, whether it failed or not. */
  get tried(): Promise<void> {
    return this.#tried.promise;
  }

  get status(): ServerStatus {
    const server = this.#client?.getServerVersion();
    return {
      id: this.#options.id,
      state: this.#state,
      since: isoTime(this.#since),
      tools: this.#tools,
      ...(server && { name: `${server.name} ${server.version}`.slice(0, 100) }),
      ...(this.#error !== undefined && { error: this.#error }),
      ...(this.#retryAt !== undefined && { retryAt: isoTime(this.#retryAt) }),
    };
  }

  /**
   * Calls a tool. A server that waits for its next start is started now. `TOOL_FAILED`, `TOOL_ARGUMENTS`;
   * `TOOL_OUTCOME_UNKNOWN` for a write without an answer. Abort and the time limit tell the server that nobody waits.
   */
  async call(name: string, args: Arguments, options: CallOptions): Promise<CallToolResult> {
    const { signal, timeoutMs, isWrite } = options;
    for (let attempt = 1; ; attempt++) {
      const client = await this.#ready(signal, timeoutMs);
      try {
        return await client.callTool(
          { name, arguments: { ...args } },
          { timeout: timeoutMs, maxTotalTimeout: timeoutMs, ...(signal && { signal }) },
        );
      } catch (cause) {
        if (signal?.aborted === true) throw signal.reason;
        const { kind, error } = await readFailure(cause, { id: this.#options.id, timeoutMs });
        if (kind === 'late') void this.#ping(client);
        // The process has ended, or the session over HTTP: a new connection follows.
        if (kind === 'unsent' || kind === 'lost') this.#drop(client);
        if (kind === 'unsent' && attempt === 1) continue;
        if (!isWrite || kind === 'refused' || kind === 'unsent') throw error;
        throw new EngineError('TOOL_OUTCOME_UNKNOWN', `${error.message}; the call may have taken effect`, { cause });
      }
    }
  }

  /** Ends the connection and the process. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#next.reject(new EngineError('TOOL_FAILED', `the server "${this.#options.id}" was stopped`));
    this.#tried.resolve();
    await this.#client?.close();
    await this.#running;
    this.#set('stopped');
  }

  async #run(): Promise<void> {
    const { clock, log, id } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      const began = clock.now();
      try {
        await this.#serve(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#fail(errorBody(error).message.slice(0, 500));
      }
      this.#tried.resolve();
      if (signal.aborted) return;
      failures = clock.now() - began > BACKOFF_MS.healthy ? 0 : failures + 1;
      const pauseMs = Math.min(BACKOFF_MS.last, BACKOFF_MS.first * 2 ** Math.max(0, failures - 1));
      log.warn('an MCP server is not available', { tool: id, why: this.#error, retryInSeconds: pauseMs / 1000 });
      this.#retryAt = clock.now() + pauseMs;
      this.#set('waiting');
      await this.#pause(pauseMs, signal);
      this.#retryAt = undefined;
      this.#set('connecting');
    }
  }

  /** Connects, lists the tools, and resolves when the connection ends. */
  async #serve(signal: AbortSignal): Promise<void> {
    const { id, log } = this.#options;
    const ended = Promise.withResolvers<void>();
    this.#isWanted = false;
    const client = await this.#connect(() => ended.resolve());
    try {
      signal.throwIfAborted();
      await this.#list(client);
      signal.throwIfAborted();
      this.#client = client;
      this.#error = undefined;
      this.#set('ready');
      this.#next.resolve(client);
      this.#tried.resolve();
      log.info('an MCP server is ready', { tool: id, tools: this.#tools });
      if (this.#relist) this.#changed(client);
      await ended.promise;
      this.#error = 'it has ended';
    } finally {
      this.#drop(client);
      await client.close().catch(() => {});
    }
  }

  async #connect(onClose: () => void): Promise<Client> {
    const { version, isHttp, open, log, id } = this.#options;
    const { signal } = this.#stopping;
    try {
      return await connectClient({
        ...{ transport: await open(), version, signal, onClose },
        protocol: isHttp ? 'ask' : this.#isModern ? 'new' : 'old',
        onChanged: (client) => this.#changed(client),
        onError: (error) => log.debug('an MCP server made an error', { tool: id, why: error.message.slice(0, 500) }),
      });
    } catch (error) {
      this.#isModern = !this.#isModern && (await speaksOnlyNew(error));
      throw error;
    }
  }

  async #list(client: Client): Promise<void> {
    const { tools } = await client.listTools(undefined, {
      timeout: LIST_MS,
      cacheMode: 'refresh',
      signal: this.#stopping.signal,
    });
    const list = await readToolList(this.#options.server, tools);
    this.#tools = list.tools.length;
    this.#options.onTools(list);
  }

  /** Lists the tools again, at most once a second. */
  #changed(client: Client): void {
    this.#relist = true;
    this.#listing ??= this.#listAgain(client).finally(() => (this.#listing = undefined));
  }

  async #listAgain(client: Client): Promise<void> {
    const { clock, log, id } = this.#options;
    const { signal } = this.#stopping;
    try {
      while (this.#relist && client === this.#client) {
        this.#relist = false;
        await this.#list(client);
        await sleep(RELIST_MS, { clock, signal });
      }
    } catch (error) {
      if (!signal.aborted)
        log.warn('an MCP server did not list its tools', { tool: id, why: errorBody(error).message });
    }
  }

  /** The client, once it is connected; at the latest after `timeoutMs`. */
  async #ready(signal: AbortSignal | undefined, timeoutMs: number): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    const { clock, id } = this.#options;
    this.#isWanted = true;
    this.#wake();
    const late = new AbortController();
    const why = () => (this.#error === undefined ? '' : `: ${this.#error}`);
    const cancel = clock.delay(() => late.abort(), timeoutMs);
    try {
      return await orAbort(
        this.#next.promise,
        signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      );
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason;
      if (!late.signal.aborted) throw cause;
      throw new EngineError('TOOL_FAILED', `the server "${id}" is not available${why()}`, {
        hint: 'try again later, or go on without it',
      });
    } finally {
      cancel();
    }
  }

  /** Restarts a server that does not even answer a ping. */
  async #ping(client: Client): Promise<void> {
    try {
      await client.ping({ timeout: PING_MS });
    } catch {
      this.#options.log.warn('an MCP server hangs, and is restarted', { tool: this.#options.id });
      this.#drop(client);
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isWanted) return;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await sleep(ms, { clock: this.#options.clock, signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
    this.#wake = () => {};
  }

  /** Ends a connection: later calls wait for the next one. */
  #drop(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#next = pendingClient();
    void client.close().catch(() => {});
  }

  /** Calls that wait for this attempt fail; later ones wait for the next attempt. */
  #fail(why: string): void {
    this.#error = why;
    this.#isWanted = false;
    const { reject } = this.#next;
    this.#next = pendingClient();
    const message = `the server "${this.#options.id}" is not available: ${why}`;
    reject(new EngineError('TOOL_FAILED', message, { hint: 'try again later, or go on without it' }));
  }

  #set(state: ServerStatus['state']): void {
    this.#state = state;
    this.#since = this.#options.clock.now();
  }
}

/** A connection to come; nobody has to wait for it. */
function pendingClient() {
  const pending = Promise.withResolvers<Client>();
  pending.promise.catch(() => {});
  return pending;
}
