import { isoTime } from '../base/clock.ts';
import { EngineError, type ErrorBody, errorBody } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { identityKey, isKnown } from '../mail/mails.ts';
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
  /** While it is fetching: how many of the mails that this look has found are dealt with. */
  readonly progress?: { readonly done: number; readonly total: number };
}

/** Mails of one account that are read at the same time: one in each worker. */
const LANES = 2;

/** So many mails of one look are a backlog: the log tells each time that as many are dealt with. */
const BACKLOG = 500;

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
  readonly #unreadable = new Map<string, { seen: Seen | undefined; error: ErrorBody }>();
  #unwatch: (() => Promise<void>) | undefined;
  #state: AccountStatus['state'] = 'idle';
  #lastFetchAt: string | undefined;
  #lastError: ErrorBody | undefined;
  #taken = 0;
  #progress: { done: number; total: number } | undefined;
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
      ...(this.#progress !== undefined && { progress: { ...this.#progress } }),
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
    const lanes = new Set<Promise<void>>();
    const failures: unknown[] = [];
    let unread: string[] = [];
    let failed = 0;
    const take = async (found: Found) => {
      try {
        if (!(await this.#take(found, cycleId))) {
          failed++;
          unread.push(found.name);
        }
        this.#onDone();
      } catch (error) {
        failures.push(error);
      }
    };
    const given = source.list({
      ...{ signal, isPatient, place: await this.#place() },
      seen: (name) => this.#seen(name),
      isUnreadable: (name) => this.#unreadable.has(name),
      onTotal: (mails) => this.#expect(mails),
    });
    try {
      for await (const one of given) {
        while (lanes.size >= (one.kind === 'mail' ? LANES : 1)) await Promise.race(lanes);
        if (failures.length > 0) break;
        if (one.kind === 'reached') {
          await this.#reach(one.place(unread));
          unread = [];
          continue;
        }
        const lane: Promise<void> = take(one).finally(() => lanes.delete(lane));
        lanes.add(lane);
      }
    } finally {
      // A look that is over has nothing under way any more, also where one of its mails failed.
      await Promise.all(lanes);
      this.#progress = undefined;
    }
    if (failures.length > 0) throw failures[0];
    return failed;
  }

  #expect(mails: number): void {
    const isFirst = this.#progress === undefined;
    this.#progress = mails === 0 ? undefined : { done: 0, total: mails };
    if (isFirst && mails >= BACKLOG)
      this.#parts.log.info('a backlog of mail is taken', { account: this.#accountId, mails });
  }

  #onDone(): void {
    const progress = this.#progress;
    if (progress === undefined) return;
    progress.done++;
    if (progress.total >= BACKLOG && progress.done % BACKLOG === 0)
      this.#parts.log.info('a backlog of mail is being taken', { account: this.#accountId, ...progress });
  }

  /** False where the mail could not be read; the others go on. Trouble with the store or the account ends the look. */
  async #take(found: Found, cycleId: string): Promise<boolean> {
    this.#mustBeOurs();
    const { ids, clock, log, store } = this.#parts;
    const { signal } = this.#abort;
    const { name, seen, providerId } = found;
    if (providerId !== undefined && (await isKnown(store, identityKey(store, this.#accountId, providerId))))
      return true;
    const mailId = ids.next('mail');
    let parsed;
    try {
      parsed = await found.read({ id: mailId, receivedAt: isoTime(clock.now()) }, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EngineError && error.code === 'ACCOUNT_FAILED') throw error;
      // Somebody is still writing it, or it is gone: the source tells when to look again.
      if (error instanceof EngineError && error.retryable) return true;
      this.#unreadable.set(name, { seen, error: errorBody(error) });
      log.warn('a mail could not be read; it stays where it is', {
        account: this.#accountId,
        file: name,
        ...errorBody(error),
      });
      return false;
    }
    this.#mustBeOurs();
    this.#unreadable.delete(name);
    const isNew = await takeArrival(this.#parts, this.#ways.judge, {
      mailId,
      accountId: this.#accountId,
      parsed,
      ...(providerId !== undefined && { providerId }),
      fetchCycleId: cycleId,
      cursor: seen === undefined ? [] : [this.#cursor(name, seen)],
    });
    if (isNew) {
      this.#taken++;
      this.#ways.onTaken();
    }
    return true;
  }

  /** Where the last look that got so far has stopped. */
  async #place(): Promise<unknown> {
    const row = await this.#parts.store.get('account', { id: this.#accountId });
    const body: unknown = row === undefined ? undefined : JSON.parse(row.body);
    return isRecord(body) ? body['place'] : undefined;
  }

  async #reach(place: unknown): Promise<void> {
    this.#mustBeOurs();
    const row = { id: this.#accountId, body: JSON.stringify({ place }) };
    await this.#parts.store.apply([{ op: 'put', table: 'account', row }]);
  }

  /** A process that was frozen does not go on with what another one fetches by now. */
  #mustBeOurs(): void {
    if (!this.#ways.isOurs()) throw new EngineError('ACCOUNT_FAILED', 'another process fetches this account now');
  }

  async #seen(name: string): Promise<Seen | undefined> {
    const unreadable = this.#unreadable.get(name)?.seen;
    if (unreadable !== undefined) return unreadable;
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
