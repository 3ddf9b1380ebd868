/** With more changed files than this, a full listing is cheaper. */
const MAX_CHANGED = 5000;

/** A full listing that nobody waits for takes at most this part of the time, so a folder of 50,000 files costs little. */
const FULL_SHARE = 1 / 20;

/** After this time a full listing is due again, also where every change was reported. In milliseconds. */
const FULL_AGE_MS = 5 * 60_000;

/**
 * Remembers which files of a watched folder may differ from the last full listing, so that one new mail costs one file
 * and not a listing of all. A file counts as changed until a listing finds it as it was ingested.
 */
export class ChangedFiles {
  #paths = new Set<string>();
  #watches = 0;
  #isComplete = false;
  #isFullWanted = false;
  #fullAtMs = 0;
  #fullTookMs = 0;

  /** A watch begins or ends. Without a watch every listing is a full one. */
  watched(isOn: boolean): void {
    this.#watches += isOn ? 1 : -1;
    this.#isComplete = false;
  }

  /** Adds changed files, or undefined where any file may have changed. */
  add(paths: readonly string[] | undefined): void {
    for (const path of paths ?? []) this.#paths.add(path);
    if (paths === undefined || this.#paths.size > MAX_CHANGED) this.#isComplete = false;
  }

  /** The files to look at; undefined where a full listing is due. */
  due(nowMs: number): readonly string[] | undefined {
    if (this.#watches === 0 || !this.#isComplete) return undefined;
    const ageMs = nowMs - this.#fullAtMs;
    const isCheap = ageMs < 0 || this.#fullTookMs <= ageMs * FULL_SHARE;
    const isWanted = this.#isFullWanted || this.#paths.size === 0 || ageMs > FULL_AGE_MS;
    return isWanted && isCheap ? undefined : [...this.#paths];
  }

  /** A file is as it was ingested, or no mail. */
  settle(path: string): void {
    this.#paths.delete(path);
  }

  /** A mail is not where it was: only a full listing can find out whether it is gone. Returns when that is due, in ms. */
  wantFull(nowMs: number): number {
    this.#isFullWanted = true;
    return Math.max(0, this.#fullAtMs + this.#fullTookMs / FULL_SHARE - nowMs);
  }

  /** A full listing begins: changes from now on are not part of it. */
  beginFull(): void {
    this.#isComplete = false;
    this.#paths.clear();
  }

  /** A full listing has emitted everything; `emitted` are the files that it found new or changed. */
  endFull(emitted: readonly string[], nowMs: number, tookMs: number): void {
    this.#isComplete = true;
    this.#isFullWanted = false;
    this.#fullAtMs = nowMs;
    this.#fullTookMs = tookMs;
    this.add(emitted);
  }
}
