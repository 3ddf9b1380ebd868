import { isoTime } from '../base/clock.ts';
import { EngineError, type ErrorBody, errorBody } from '../base/error.ts';
import { identityKey } from '../mail/mail-store.ts';
import type { ParsedMail } from '../mail/mail.ts';
import type {
  FoundMail,
  SourceEvent,
  GoneMail,
  ListOptions,
  MailSource,
  CursorReached,
  RelabelledMail,
  SeenMail,
} from '../mail/source.ts';
import type { AccountFetchResult, AccountStatus } from './account-status.ts';
import { FetchProgress } from './fetch-progress.ts';
import { ingestMail } from './intake.ts';
import { MailQueue } from './mail-queue.ts';
import type { RouteMail } from './start-runs.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { markGone, type KnownMailSighting, updateKnownMail } from './label-changes.ts';
import { SourceState } from './source-state.ts';
import { isDamage } from '../store/damaged-row.ts';

/** How mails are routed, and who is informed of what a fetch does. */
export interface AccountFetcherOptions {
  readonly routeMail: RouteMail;
  /** True where a person has said that the store may be another one than before. */
  readonly acceptsNewStore?: boolean | undefined;
  /** Called after a new mail was stored. */
  readonly onNewMail: () => void;
  /** Called after new labels of a known mail have started runs. */
  readonly onRunsStarted?: (() => void) | undefined;
  /** Looks at sent mail after each fetch; true where it woke an objective. Never rejects. */
  readonly lookAtSent?: ((accountId: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Called when more of the found mails are done. */
  readonly onProgress?: (() => void) | undefined;
  /** False once another process fetches the account; checked before each mail is read, and before it is stored. */
  readonly isOurs: () => boolean;
}

/** Fetches one account: lists its source, reads new mails in workers and stores them. */
export class AccountFetcher {
  readonly id: string;
  readonly #deps: Dependencies;
  readonly #source: MailSource | EngineError;
  readonly #options: AccountFetcherOptions;
  readonly #sourceState: SourceState;
  readonly #progress: FetchProgress;
  readonly #abort = new AbortController();
  readonly #mails = new MailQueue();
  readonly #unreadable = new Map<string, { seen: SeenMail | undefined; error: ErrorBody }>();
  #watch: Promise<(() => Promise<void>) | undefined> = Promise.resolve(undefined);
  #state: AccountStatus['state'] = 'idle';
  #lastFetchAt: string | undefined;
  #lastError: ErrorBody | undefined;
  #taken = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(deps: Dependencies, accountId: string, source: MailSource | EngineError, options: AccountFetcherOptions) {
    this.#deps = deps;
    this.id = accountId;
    this.#source = source;
    this.#options = options;
    this.#sourceState = new SourceState(deps.store, accountId);
    this.#progress = new FetchProgress(deps.log, accountId, options.onProgress);
  }

  status(): AccountStatus {
    const progress = this.#progress.counts();
    return {
      accountId: this.id,
      state: this.#state,
      ...(this.#lastFetchAt !== undefined && { lastFetchAt: this.#lastFetchAt }),
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
      unreadable: [...this.#unreadable].map(([name, { error }]) => ({ name, error })),
      taken: this.#taken,
      ...(progress !== undefined && { progress }),
    };
  }

  async watch(onChange: () => void): Promise<void> {
    if (this.#source instanceof EngineError) return;
    await (this.#watch = this.#source.watch(onChange, { signal: this.#abort.signal }));
  }

  /** Stops between two mails; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#abort.abort(new EngineError('ACCOUNT_FAILED', 'fetching was stopped'));
    // A watch that is just being set up ends, too.
    const unwatch = await this.#watch;
    await unwatch?.();
    await this.#running;
  }

  /** Fetches the account once; does nothing after `stop`. Never rejects: errors are in the status and the log. */
  async fetch(cycleId: string, isPatient: boolean): Promise<AccountFetchResult> {
    if (this.#abort.signal.aborted) return { taken: 0, failed: 0 };
    const fetch = this.#fetchOnce(cycleId, isPatient);
    this.#running = fetch;
    return fetch;
  }

  async #fetchOnce(cycleId: string, isPatient: boolean): Promise<AccountFetchResult> {
    this.#state = 'fetching';
    const before = this.#taken;
    let failed = 0;
    try {
      if (this.#source instanceof EngineError) throw this.#source;
      failed = await this.#storeAll(this.#source, cycleId, isPatient);
      if (await this.#options.lookAtSent?.(this.id, this.#abort.signal)) this.#options.onRunsStarted?.();
      this.#state = 'idle';
      this.#lastError = undefined;
    } catch (error) {
      if (this.#options.isOurs()) {
        this.#noteFailure(error);
        failed++;
      }
    }
    this.#lastFetchAt = isoTime(this.#deps.clock.now());
    return { taken: this.#taken - before, failed };
  }

  #noteFailure(error: unknown): void {
    const isNews = this.#lastError?.message !== errorBody(error).message;
    this.#state = 'failed';
    this.#lastError = errorBody(error);
    if (isNews && !this.#abort.signal.aborted)
      this.#deps.log.warn('fetching an account failed', { account: this.id, ...this.#lastError });
  }

  async #storeAll(source: MailSource, cycleId: string, isPatient: boolean): Promise<number> {
    const failures: unknown[] = [];
    let unread: string[] = [];
    let failed = 0;
    // The cursor must not pass a mail that was not stored: the next process tries it again.
    const noteUnread = ({ name }: FoundMail) => {
      failed++;
      unread.push(name);
    };
    const store = async (found: FoundMail) => {
      try {
        if (!(await this.#storeMail(found, cycleId))) noteUnread(found);
        this.#progress.addDone();
      } catch (error) {
        if (!isDamage(error)) return void failures.push(error);
        this.#noteUnreadable(found, errorBody(error));
        noteUnread(found);
      }
    };
    try {
      for await (const one of source.list(await this.#listOptions(isPatient))) {
        await this.#mails.room(one);
        if (failures.length > 0) break;
        if (one.kind === 'mail') this.#mails.add(one.seen?.size, store(one));
        else if (one.kind === 'reached') {
          this.#requireOurs();
          await this.#sourceState.storeCursor(one.cursor(unread));
          unread = [];
        } else await this.#handleKnown(one, cycleId);
      }
    } finally {
      // When a fetch ends, nothing of it runs any more, also where one of its mails failed.
      await this.#mails.all();
      this.#progress.end();
    }
    if (failures.length > 0) throw failures[0];
    return failed;
  }

  async #listOptions(isPatient: boolean): Promise<ListOptions> {
    const known = await this.#sourceState.readListOptions(this.#options.acceptsNewStore === true);
    // Of a backlog no mail is looked up: nothing is stored yet.
    const find = known.store?.knowsNothing === true ? () => undefined : (name: string) => this.#sourceState.find(name);
    return {
      ...{ signal: this.#abort.signal, isPatient, ...known },
      seen: async (name) => this.#unreadable.get(name)?.seen ?? (await find(name))?.seen,
      isUnreadable: (name) => this.#unreadable.has(name),
      onTotal: (mails) => this.#progress.setTotal(mails),
    };
  }

  /**
   * Reads and stores one mail; false where the mail cannot be read, and the fetch goes on with the others. An error of
   * the store or the account rejects and ends the fetch.
   */
  async #storeMail(found: FoundMail, cycleId: string): Promise<boolean> {
    this.#requireOurs();
    const { name, seen, providerId, labels } = found;
    const about = { ...(labels !== undefined && { labels }), fetchCycleId: cycleId };
    const cursor = (id: string) => (seen === undefined ? [] : [this.#sourceState.noteChange(name, seen, id)]);
    const identity = providerId === undefined ? undefined : this.#identityOf(providerId);
    if (identity !== undefined && (await this.#updateKnown({ ...about, identity, cursor: cursor(identity) })))
      return true;
    const mailId = this.#deps.ids.next('mail');
    const parsed = await this.#read(found, mailId);
    if (typeof parsed === 'boolean') return parsed;
    this.#requireOurs();
    this.#unreadable.delete(name);
    const beforeCommit = () => this.#mails.shareCommit(parsed.raw.byteLength);
    const { isNew, hasStarted } = await this.#mails.inThread(parsed.facts.threadId, () =>
      ingestMail(this.#deps, this.#options.routeMail, {
        ...{ ...about, mailId, accountId: this.id, parsed, cursor, beforeCommit },
        ...(providerId !== undefined && { providerId }),
      }),
    );
    if (isNew) {
      this.#taken++;
      this.#options.onNewMail();
    } else if (hasStarted) this.#options.onRunsStarted?.();
    return true;
  }

  /** The mail; true where it is left for a later fetch; false where it cannot be read. */
  async #read(found: FoundMail, id: string): Promise<ParsedMail | boolean> {
    const { signal } = this.#abort;
    try {
      return await found.read({ id, receivedAt: isoTime(this.#deps.clock.now()) }, { signal });
    } catch (error) {
      signal.throwIfAborted();
      // The mail is fine: nobody has signed in, the provider does not answer, or the store with the sign-in, or no worker started.
      if (error instanceof EngineError && /^((ACCOUNT|STORE)_|BUSY$)/.test(error.code)) throw error;
      // The file is still being written, or the mail is gone: the source announces a change later.
      if (error instanceof EngineError && error.code === 'MAIL_UNSETTLED') return true;
      this.#noteUnreadable(found, errorBody(error));
      return false;
    }
  }

  /** A source may try a mail again and again: its error is logged once. */
  #noteUnreadable({ name, seen }: FoundMail, error: ErrorBody): void {
    if (this.#unreadable.get(name)?.error.message !== error.message)
      this.#deps.log.warn('a mail could not be read; it stays at its source', {
        account: this.id,
        file: name,
        ...error,
      });
    this.#unreadable.set(name, { seen, error });
  }

  /** Handles an event about mails that are known already. */
  async #handleKnown(one: Exclude<SourceEvent, FoundMail | CursorReached>, cycleId: string): Promise<void> {
    this.#requireOurs();
    if (one.kind === 'labels') await this.#unlessDamaged(one.name, this.#relabel(one, cycleId));
    else if (one.kind === 'gone') await this.#unlessDamaged(one.name, this.#handleGone(one));
    else {
      for (const name of this.#unreadable.keys()) if (!one.names.has(name)) this.#unreadable.delete(name);
      for await (const { identity, isElsewhere, forget } of this.#sourceState.namesNotIn(one.names)) {
        this.#abort.signal.throwIfAborted();
        this.#requireOurs();
        await this.#unlessDamaged('', markGone(this.#deps, isElsewhere ? undefined : identity, [forget]));
      }
    }
  }

  /** A known mail whose row cannot be read does not stop the fetch. */
  async #unlessDamaged(name: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      const about = { account: this.id, ...(name !== '' && { name }), message: error.message };
      this.#deps.log.warn('a stored mail cannot be read', about);
    });
  }

  async #relabel({ name, providerId, labels, isThere }: RelabelledMail, cycleId: string): Promise<void> {
    const noted = await this.#sourceState.find(name);
    const identity = providerId === undefined ? noted?.identity : this.#identityOf(providerId);
    if (identity === undefined || identity === '') return;
    const cursor =
      noted?.seen === undefined ? [] : [this.#sourceState.noteChange(name, { ...noted.seen, labels }, identity)];
    await this.#updateKnown({ identity, labels, isThere, fetchCycleId: cycleId, cursor });
  }

  async #handleGone({ name, providerId }: GoneMail): Promise<void> {
    this.#unreadable.delete(name);
    const identity =
      providerId === undefined ? (await this.#sourceState.find(name))?.identity : this.#identityOf(providerId);
    if (identity === undefined) return;
    const isElsewhere = providerId === undefined && (await this.#sourceState.isElsewhere(name, identity));
    await markGone(this.#deps, isElsewhere ? undefined : identity, [this.#sourceState.forgetChange(name)]);
  }

  /** Whether the mail is known; if so, it is up to date afterwards. */
  async #updateKnown(sighting: KnownMailSighting): Promise<boolean> {
    const known = await updateKnownMail(this.#deps, this.#options.routeMail, sighting);
    if (known?.hasStarted) this.#options.onRunsStarted?.();
    return known !== undefined;
  }

  #identityOf(providerId: string): string {
    return identityKey(this.#deps.store, this.id, providerId);
  }

  /** A process that was suspended must not go on with an account that another process fetches now. */
  #requireOurs(): void {
    if (!this.#options.isOurs()) throw new EngineError('ACCOUNT_FAILED', 'another process fetches this account now');
  }
}
