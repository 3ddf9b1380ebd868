import { type Clock, type ClockReading, readClocks } from '../base/clock.ts';
import { EngineError, errorBody } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import {
  type ProcessInfo,
  claimChange,
  deleteStaleClaims,
  type ClaimHolder,
  holderOf,
  leftMs,
  noteRows,
  type SeenClaim,
} from './claim-row.ts';
import type { Signals } from './signals.ts';
import type { Row, RowChange, Store } from '../store/store.ts';

/** How often a holder renews its claims, and other processes read them. */
const BEAT_MS = 5000;
/** Wait after an error of the store. */
const RETRY_MS = 1000;
/** The signal that a claim was released. */
const KIND = 'claim';

/** Callbacks of one claim. */
export interface ClaimListener {
  /** This process holds the claim from now on. */
  readonly onTaken: () => void;
  /** This process has lost the claim without releasing it. Work under the claim must end. */
  readonly onLost: () => void;
}

/**
 * Names that one process at a time holds, each a row of the table `claim`. The holder raises its `rev` every 5 s.
 * Another process that sees no change for 15 s, by its own steady clock, takes the row if `rev` is still the same. A
 * holder that sent its last renewal 12 s ago counts as having lost the claim, even if it was frozen meanwhile: 3 s
 * before another process can take it, since those 15 s begin after the renewal was sent. No clocks of two machines are
 * compared; their speeds may differ by a fifth.
 *
 * When a holder dies, another process has the claim after 25 s at the latest: 5 s until the last renewal is read, 15 s
 * of waiting, 5 s until the next reading. A released claim is taken at once where signals reach the other processes,
 * else within 5 s.
 *
 * A claim avoids double work; it does not exclude it (a virtual machine may freeze with all its clocks). Work that must
 * not happen twice is protected by its commits.
 */
export interface Claims {
  /**
   * Takes the name as soon as it is free, and keeps it. The returned function releases it; then no callback is called.
   */
  acquire(name: string, listener: ClaimListener): () => Promise<void>;
  isHeld(name: string): boolean;
  /**
   * The other process that held the name at the last reading. Claims are read regularly while this process acquires a
   * name.
   */
  holderOf(name: string): ClaimHolder | undefined;
  /** All claims of all processes, for diagnostics. */
  holders(): Promise<ClaimHolder[]>;
  /**
   * Reads all claims now; resolves when free names are taken. Errors of the store are logged and retried, never thrown.
   */
  refresh(): Promise<void>;
  /** Releases all claims. */
  close(): Promise<void>;
}

/** Options of `createClaims`. */
export interface ClaimOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Id of this process, unique also among earlier processes. */
  readonly worker: string;
  readonly about: ProcessInfo;
  /** Notifies other processes of released claims. */
  readonly signals?: Pick<Signals, 'send' | 'on' | 'onGap'>;
}

/** Creates the claims of a process over a store. */
export function createClaims(options: ClaimOptions): Claims {
  return new RowClaims(options);
}

interface WantedClaim extends ClaimListener {
  readonly name: string;
  /** When the last stored renewal was sent; undefined while this process does not hold the claim. */
  renewed: ClockReading | undefined;
}

/** A change of one name that this process acquires or releases. */
interface ClaimWrite {
  readonly name: string;
  readonly wanted: WantedClaim | undefined;
  readonly change: RowChange;
}

class RowClaims implements Claims {
  readonly #options: ClaimOptions;
  readonly #wanted = new Map<string, WantedClaim>();
  /** Released names, until their rows are written. */
  readonly #releasing = new Set<string>();
  readonly #unsubscribe: readonly (() => void)[];
  #seen = new Map<string, SeenClaim>();
  #turn: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isFailing = false;
  #cancelRefresh: () => void = () => {};
  #cancelLapseTimer: () => void = () => {};

  constructor(options: ClaimOptions) {
    this.#options = options;
    const refresh = () => void this.refresh();
    const { signals } = options;
    this.#unsubscribe = signals === undefined ? [] : [signals.on(KIND, refresh), signals.onGap(refresh)];
  }

  acquire(name: string, listener: ClaimListener): () => Promise<void> {
    if (this.#wanted.has(name)) throw new EngineError('INTERNAL', `the claim ${name} is wanted twice`);
    const wanted = { ...listener, name, renewed: undefined };
    this.#wanted.set(name, wanted);
    this.#releasing.delete(name);
    void this.refresh();
    return async () => {
      if (this.#wanted.get(name) !== wanted) return;
      this.#wanted.delete(name);
      this.#releasing.add(name);
      await this.refresh();
    };
  }

  isHeld(name: string): boolean {
    const renewed = this.#wanted.get(name)?.renewed;
    return renewed !== undefined && leftMs(renewed, this.#now()) > 0;
  }

  holderOf(name: string): ClaimHolder | undefined {
    const row = this.#seen.get(name)?.row;
    return row === undefined || row.worker === this.#options.worker ? undefined : holderOf(row);
  }

  async holders(): Promise<ClaimHolder[]> {
    return (await this.#rows()).map(holderOf).filter((holder) => holder !== undefined);
  }

  refresh(): Promise<void> {
    this.#next ??= this.#turn = this.#turn.then(() => {
      this.#next = undefined;
      return this.#update();
    });
    return this.#next;
  }

  async close(): Promise<void> {
    for (const end of this.#unsubscribe) end();
    for (const name of this.#wanted.keys()) this.#releasing.add(name);
    this.#wanted.clear();
    await this.refresh();
    this.#cancelRefresh();
  }

  /** One reading of all names: renews our claims and takes free ones. Never rejects. */
  async #update(): Promise<void> {
    this.#dropLapsed();
    this.#refreshIn(BEAT_MS);
    try {
      this.#seen = noteRows(this.#seen, await this.#rows(), this.#now());
      for (const wanted of [...this.#wanted.values()])
        if (this.#seen.get(wanted.name)?.row.worker !== this.#options.worker) this.#lose(wanted);
      const writes = this.#writes();
      if (writes.length > 0) await this.#apply(writes);
      const old = deleteStaleClaims(this.#seen, this.#now());
      if (old.length > 0) await this.#options.store.apply(old);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.log.warn('claims cannot be renewed or taken', { ...errorBody(error) });
      this.#isFailing = true;
      this.#refreshIn(RETRY_MS);
    }
    this.#dropLapsed();
  }

  #refreshIn(ms: number): void {
    this.#cancelRefresh();
    if (this.#wanted.size + this.#releasing.size === 0) return;
    this.#cancelRefresh = this.#options.clock.delay(() => void this.refresh(), ms);
  }

  /** A body that cannot be decrypted must not stop the work. */
  async #rows(): Promise<Row<'claim'>[]> {
    const { store } = this.#options;
    return store.list('claim').catch(() => store.list('claim', { bodies: false }));
  }

  /** The changes to write, in the order of names: two transactions in different orders could deadlock. */
  #writes(): ClaimWrite[] {
    const { worker, about } = this.#options;
    const now = this.#now();
    return [...this.#wanted.keys(), ...this.#releasing].sort().flatMap((name): ClaimWrite[] => {
      const wanted = this.#wanted.get(name);
      const wish = wanted === undefined ? 'leave' : wanted.renewed === undefined ? 'take' : 'keep';
      const change = claimChange({ name, worker, about, wish }, this.#seen.get(name), now);
      if (change === undefined) this.#releasing.delete(name);
      return change === undefined ? [] : [{ name, wanted, change }];
    });
  }

  /**
   * Writes all changes in one transaction; on a conflict it halves the list, so that one lost name does not hold up the
   * others.
   */
  async #apply(writes: readonly ClaimWrite[]): Promise<void> {
    // Read before sending: another process may see the row at once.
    const sent = this.#now();
    try {
      await this.#options.store.apply(writes.map(({ change }) => change));
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
      if (writes.length === 1) return this.#lose(writes[0]?.wanted);
      const half = writes.length >> 1;
      await this.#apply(writes.slice(0, half));
      return this.#apply(writes.slice(half));
    }
    for (const write of writes) this.#onWritten(write, sent);
  }

  #onWritten({ name, wanted }: ClaimWrite, sent: ClockReading): void {
    if (wanted === undefined) {
      this.#releasing.delete(name);
      this.#options.signals?.send(KIND);
      return;
    }
    // Released meanwhile, or already expired: the next reading handles it.
    if (this.#wanted.get(name) !== wanted || leftMs(sent, this.#now()) <= 0) return;
    // The earlier renewal may have expired before this answer, and the timer that tells of it come late.
    if (wanted.renewed !== undefined && leftMs(wanted.renewed, this.#now()) <= 0) this.#lose(wanted);
    const isNew = wanted.renewed === undefined;
    wanted.renewed = sent;
    if (!isNew) return;
    this.#options.log.debug('claim taken', { claim: name });
    wanted.onTaken();
  }

  #lose(wanted: WantedClaim | undefined): void {
    if (wanted?.renewed === undefined || this.#wanted.get(wanted.name) !== wanted) return;
    wanted.renewed = undefined;
    this.#options.log.warn('claim lost', { claim: wanted.name });
    wanted.onLost();
  }

  /** Drops claims that were not renewed in time, and sets a timer for the next expiry. */
  #dropLapsed(): void {
    this.#cancelLapseTimer();
    let nextMs = Infinity;
    for (const wanted of [...this.#wanted.values()]) {
      if (wanted.renewed === undefined) continue;
      const left = leftMs(wanted.renewed, this.#now());
      if (left <= 0) this.#lose(wanted);
      else nextMs = Math.min(nextMs, left);
    }
    if (nextMs < Infinity)
      this.#cancelLapseTimer = this.#options.clock.delay(() => this.#dropLapsed(), Math.ceil(nextMs));
  }

  #now(): ClockReading {
    return readClocks(this.#options.clock);
  }
}
