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

/** How often a holder shows a sign of life, and a challenger looks for one. */
const BEAT_MS = 5000;
/** After trouble with the store. */
const RETRY_MS = 1000;
/** The signal that something was given up. */
const KIND = 'claim';

export interface ClaimListener {
  /** The claim is ours from now on. */
  readonly onTaken: () => void;
  /** It no longer is, although we did not give it up: what is under way for it must end. */
  readonly onLost: () => void;
}

/**
 * Names that one process at a time holds, each a row of the table `claim`. A holder raises its `rev` every 5 s; who sees no
 * change of it for 15 s, by his own steady clock, takes the row if `rev` is still the same. A holder whose last sign of life
 * was sent 12 s ago counts as having lost the claim, also where it was frozen meanwhile: 3 s before anybody can take it, since
 * a challenger's 15 s begin after the sign was sent. No clocks of two machines are compared; how fast they run may differ by
 * a fifth.
 *
 * When a holder dies, the next one has the claim after 25 s at the latest: 5 s until its last sign of life is seen, 15 s of
 * patience, 5 s until the next look. What is given up is taken at once where signals reach the others, else within 5 s.
 *
 * A claim keeps work from being done twice; it is no proof that it is not (a virtual machine may stand still with all its
 * clocks). What must not happen twice is guarded by what it commits.
 */
export interface Claims {
  /** Takes the name as soon as it is free, and keeps it. The returned function gives it up; then neither way is called. */
  acquire(name: string, listener: ClaimListener): () => Promise<void>;
  isHeld(name: string): boolean;
  /** The other process that held the name at our last look: we look by ourselves while something is wanted here. */
  holderOf(name: string): ClaimHolder | undefined;
  /** All that is held, by whomever, for diagnostics. */
  holders(): Promise<ClaimHolder[]>;
  /** A look of now; resolved when what was free is taken. Trouble with the store is logged and tried again, never thrown. */
  refresh(): Promise<void>;
  /** Gives everything up. */
  close(): Promise<void>;
}

export interface ClaimOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Unlike that of any other process, also of an earlier one. */
  readonly worker: string;
  readonly about: ProcessInfo;
  /** Tells other processes of what is given up. */
  readonly signals?: Pick<Signals, 'send' | 'on' | 'onGap'>;
}

/** Claims over a store. */
export function createClaims(options: ClaimOptions): Claims {
  return new RowClaims(options);
}

interface WantedClaim extends ClaimListener {
  readonly name: string;
  /** When the last sign of life was sent that arrived; undefined where the claim is not ours. */
  renewed: ClockReading | undefined;
}

/** A change of one name, for somebody who wants it or did. */
interface ClaimWrite {
  readonly name: string;
  readonly wanted: WantedClaim | undefined;
  readonly change: RowChange;
}

class RowClaims implements Claims {
  readonly #options: ClaimOptions;
  readonly #wanted = new Map<string, WantedClaim>();
  /** Names that were given up, until their rows say so. */
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

  /** One look at all names: signs of life for ours, and what is free is taken. Never rejects. */
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

  /** A body that cannot be opened is no reason to leave the work undone. */
  async #rows(): Promise<Row<'claim'>[]> {
    const { store } = this.#options;
    return store.list('claim').catch(() => store.list('claim', { bodies: false }));
  }

  /** What is to be written, in the order of names: two lists in different orders could wait for each other. */
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

  /** All in one list; where somebody was faster with one of them, by halves, so that the others are not held up. */
  async #apply(writes: readonly ClaimWrite[]): Promise<void> {
    // The time before it is sent, since a challenger may see it at once.
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
    // Given up meanwhile; or so slow that it is worth nothing: the next look sees to it.
    if (this.#wanted.get(name) !== wanted || leftMs(sent, this.#now()) <= 0) return;
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

  /** Loses what was not renewed in time, and looks again when the next one would be lost. */
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
