import { isoTime } from '../base/clock.ts';
import { EngineError, type ErrorBody, errorBody } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import type { Found, MailSource, Seen } from '../mail/source.ts';
import type { Change } from '../store/store.ts';
import { type JudgeMail, takeArrival } from './intake.ts';
import type { Parts } from './parts.ts';

/** How one account stands; times are ISO 8601. */
export interface AccountStatus {
  readonly accountId: string;
  /** `elsewhere`: another process fetches it, or none yet; what follows is not known here then. */
  readonly state: 'idle' | 'fetching' | 'failed' | 'elsewhere';
  /** `host/pid` of that process, as far as it is known. */
  readonly fetchedBy?: string;
  readonly lastFetchAt?: string;
  readonly lastError?: ErrorBody;
  /** Mails that could not be read, by file name; each is tried again when it changes or the process starts anew. */
  readonly unreadable: readonly { readonly name: string; readonly error: ErrorBody }[];
  /** Mails taken since the process started. */
  readonly taken: number;
}

/** Mails of one account that are read at the same time: one in each worker. */
const LANES = 2;

export interface FetchWays {
  readonly judge: JudgeMail;
  /** A mail was taken. */
  readonly onTaken: () => void;
  /** False once the account is another process's to fetch: asked before each mail is read, and before it is taken. */
  readonly isOurs: () => boolean;
}

/** Fetches one account: what is found and not yet seen is read in a worker and taken. */
export class AccountFetch {
  readonly #parts: Parts;
  readonly #accountId: string;
  readonly #source: MailSource | EngineError;
  readonly #ways: FetchWays;
  readonly #abort = new AbortController();
  readonly #unreadable = new Map<string, { seen: Seen; error: ErrorBody }>();
  #unwatch: (() => Promise<void>) | undefined;
  #state: AccountStatus['state'] = 'idle';
  #lastFetchAt: string | undefined;
  #lastError: ErrorBody | undefined;
  #taken = 0;
  #look: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts, accountId: string, source: MailSource | EngineError, ways: FetchWays) {
    this.#parts = parts;
    this.#accountId = accountId;
    this.#source = source;
    this.#ways = ways;
  }

  status(): AccountStatus {
    return {
      accountId: this.#accountId,
      state: this.#state,
      ...(this.#lastFetchAt !== undefined && { lastFetchAt: this.#lastFetchAt }),
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
      unreadable: [...this.#unreadable].map(([name, { error }]) => ({ name, error })),
      taken: this.#taken,
    };
  }

  async watch(onChange: () => void): Promise<void> {
    if (this.#source instanceof EngineError) return;
    const unwatch = await this.#source.watch(onChange);
    if (this.#abort.signal.aborted) await unwatch();
    else this.#unwatch = unwatch;
  }

  /** Ends it between two mails; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#abort.abort(new EngineError('ACCOUNT_FAILED', 'fetching was stopped'));
    await this.#unwatch?.();
    await this.#look;
  }

  /** One look. Never rejects: what went wrong is in the status and the log. */
  fetch(cycleId: string, isPatient: boolean): Promise<{ taken: number; failed: number }> {
    const look = this.#lookOnce(cycleId, isPatient);
    this.#look = look;
    return look;
  }

  async #lookOnce(cycleId: string, isPatient: boolean): Promise<{ taken: number; failed: number }> {
    this.#state = 'fetching';
    const before = this.#taken;
    let failed = 0;
    try {
      if (this.#source instanceof EngineError) throw this.#source;
      failed = await this.#takeAll(this.#source, cycleId, isPatient);
      this.#state = 'idle';
      this.#lastError = undefined;
    } catch (error) {
      if (this.#ways.isOurs()) {
        this.#noteFailure(error);
        failed++;
      }
    }
    this.#lastFetchAt = isoTime(this.#parts.clock.now());
    return { taken: this.#taken - before, failed };
  }

  #noteFailure(error: unknown): void {
    const isNews = this.#lastError?.message !== errorBody(error).message;
    this.#state = 'failed';
    this.#lastError = errorBody(error);
    if (isNews && !this.#abort.signal.aborted)
      this.#parts.log.warn('an account cannot be fetched', { account: this.#accountId, ...this.#lastError });
  }

  async #takeAll(source: MailSource, cycleId: string, isPatient: boolean): Promise<number> {
    const { signal } = this.#abort;
    const found = source.list({ signal, isPatient, seen: (name) => this.#seen(name) })[Symbol.asyncIterator]();
    let failed = 0;
    let hasFailed = false;
    const lane = async () => {
      try {
        for (let next = await found.next(); next.done !== true && !hasFailed; next = await found.next())
          if (!(await this.#take(next.value, cycleId))) failed++;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    };
    // A look that is over has nothing under way any more, also where one of the lanes failed.
    const ends = await Promise.allSettled(Array.from({ length: LANES }, lane));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return failed;
  }

  /** False where the mail could not be read; the others go on. Trouble with the store ends the look. */
  async #take(found: Found, cycleId: string): Promise<boolean> {
    this.#mustBeOurs();
    const { ids, clock, log } = this.#parts;
    const { signal } = this.#abort;
    const mailId = ids.next('mail');
    const seen: Seen = { size: found.size, mtimeMs: found.mtimeMs };
    let parsed;
    try {
      parsed = await found.read({ id: mailId, receivedAt: isoTime(clock.now()) }, { signal });
    } catch (error) {
      signal.throwIfAborted();
      // Somebody is still writing it: the source tells when to look again.
      if (error instanceof EngineError && error.retryable) return true;
      this.#unreadable.set(found.name, { seen, error: errorBody(error) });
      log.warn('a mail could not be read; it stays where it is', {
        account: this.#accountId,
        file: found.name,
        ...errorBody(error),
      });
      return false;
    }
    this.#mustBeOurs();
    this.#unreadable.delete(found.name);
    const cursor = [this.#cursor(found.name, seen)];
    const isNew = await takeArrival(this.#parts, this.#ways.judge, {
      mailId,
      accountId: this.#accountId,
      parsed,
      fetchCycleId: cycleId,
      cursor,
    });
    if (isNew) {
      this.#taken++;
      this.#ways.onTaken();
    }
    return true;
  }

  /** A process that was frozen does not go on with what another one fetches by now. */
  #mustBeOurs(): void {
    if (!this.#ways.isOurs()) throw new EngineError('ACCOUNT_FAILED', 'another process fetches this account now');
  }

  async #seen(name: string): Promise<Seen | undefined> {
    const unreadable = this.#unreadable.get(name);
    if (unreadable !== undefined) return unreadable.seen;
    const row = await this.#parts.store.get('source', { account: this.#accountId, name: this.#key(name) });
    const value: unknown = row === undefined ? undefined : JSON.parse(row.body);
    if (!isRecord(value) || typeof value['size'] !== 'number' || typeof value['mtimeMs'] !== 'number') return undefined;
    return { size: value['size'], mtimeMs: value['mtimeMs'] };
  }

  #cursor(name: string, seen: Seen): Change {
    return {
      op: 'put',
      table: 'source',
      row: { account: this.#accountId, name: this.#key(name), body: JSON.stringify(seen) },
    };
  }

  #key(name: string): string {
    return this.#parts.store.lookupKey(`source\0${name}`);
  }
}
