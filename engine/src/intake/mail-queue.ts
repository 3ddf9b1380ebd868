import type { SourceEvent } from '../mail/source.ts';

/**
 * Mails of one account that are read and stored at the same time: many small ones, so that they share commits; of those that are large, or
 * whose size is not known before, a few beside them, since all of them are in memory.
 */
const LANES = { small: 64, other: 2 } as const;
const SMALL_BYTES = 64 * 1024;

/** Mails that share a commit, at most. While they are committed, as many others are read. */
const COMMIT_MAILS = LANES.small / 2;
/** The bytes of a group after which it does not wait for more, so that no commit blocks the event loop for long. */
const COMMIT_BYTES = 256 * 1024;
/** Longest time that a mail waits for others. */
const SHARE_MS = 50;

/** The mails of one account that are being read and stored. */
export class MailQueue {
  readonly #lanes = { small: new Set<Promise<void>>(), other: new Set<Promise<void>>() };
  readonly #threads = new Map<string, Promise<unknown>>();
  /** Mails that are ready for their commit. */
  #ready: (() => void)[] = [];
  #readyBytes = 0;
  /** Mails that wait for another one of their thread. */
  #behind = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Waits until this event may be handled: a mail beside some others, any other event alone. */
  async room(one: SourceEvent): Promise<void> {
    const isFull = () => (one.kind === 'mail' ? this.#hasNoLane(laneOf(one.seen?.size)) : this.#count() > 0);
    while (isFull()) await Promise.race([...this.#lanes.small, ...this.#lanes.other]);
  }

  /** Adds the work on a mail, which never rejects. `size` is that of the mail in bytes, if it is known. */
  add(size: number | undefined, work: Promise<void>): void {
    const lanes = this.#lanes[laneOf(size)];
    const lane: Promise<void> = work.finally(() => {
      lanes.delete(lane);
      this.#shareIfAllAreReady();
    });
    lanes.add(lane);
  }

  /** Resolves when no mail is worked on. */
  async all(): Promise<void> {
    await Promise.all([...this.#lanes.small, ...this.#lanes.other]);
  }

  /** Stores one mail of a thread after the other, so that each knows those before it, such as one with the same Message-ID. */
  async inThread<T>(thread: string, store: () => Promise<T>): Promise<T> {
    const before = this.#threads.get(thread);
    const mine = before === undefined ? store() : this.#after(before).then(store);
    this.#threads.set(thread, mine);
    try {
      return await mine;
    } finally {
      if (this.#threads.get(thread) === mine) this.#threads.delete(thread);
    }
  }

  /**
   * Waits until a mail of `bytes` may be committed: once enough mails are ready, once all that are worked on are, and at most for `SHARE_MS`.
   * Those that wait go on together, and so share a commit: each costs a sync of the disk, and a walk of SQLite through its cache.
   */
  shareCommit(bytes: number): Promise<void> {
    return new Promise((resolve) => {
      this.#ready.push(resolve);
      this.#readyBytes += bytes;
      if (this.#ready.length >= COMMIT_MAILS || this.#readyBytes >= COMMIT_BYTES) this.#share();
      else this.#shareIfAllAreReady();
      if (this.#ready.length > 0) this.#timer ??= setTimeout(() => this.#share(), SHARE_MS);
    });
  }

  #shareIfAllAreReady(): void {
    if (this.#ready.length > 0 && this.#ready.length + this.#behind >= this.#count()) this.#share();
  }

  #share(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#readyBytes = 0;
    for (const go of this.#ready.splice(0)) go();
  }

  async #after(before: Promise<unknown>): Promise<void> {
    this.#behind++;
    this.#shareIfAllAreReady();
    await before.catch(() => {});
    this.#behind--;
  }

  #hasNoLane(lane: keyof typeof LANES): boolean {
    return this.#lanes[lane].size >= LANES[lane];
  }

  #count(): number {
    return this.#lanes.small.size + this.#lanes.other.size;
  }
}

function laneOf(size: number | undefined): keyof typeof LANES {
  return size !== undefined && size <= SMALL_BYTES ? 'small' : 'other';
}
