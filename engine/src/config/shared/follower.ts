import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { ConfigListeners } from '../change-listeners.ts';
import type { DocumentState, Kind, Problem, ReadDocument, StoredDocument } from '../config.ts';
import type { PublishedConfig, PublishedConfigStore } from './published-config.ts';
import { toStored } from '../revision/last-good.ts';
import type { Proposal } from '../live/live-config.ts';
import { compareText } from '../problem.ts';
import { nameOf } from '../parse/read.ts';
import type { SnapshotCache } from '../revision/snapshot-cache.ts';
import type { Revision } from '../revision/build-snapshot.ts';
import { missing } from '../edit/writer.ts';

export interface FollowerOptions {
  readonly revisionStore: PublishedConfigStore;
  readonly revisions: SnapshotCache;
  readonly listeners: ConfigListeners;
  readonly log: Logger;
  readonly clock: Clock;
  /** Name of this process for messages: `host7 (process 4711)`. */
  readonly by: string;
  /** Version of this engine. */
  readonly version: string;
}

/** The state that a new published config builds on. */
export interface DecisionBase {
  /** The `term` in which the leader read the last good set. */
  readonly term: number;
  /** The commit that is checked out at the leader; undefined if its folder is not a git checkout. */
  readonly gitCommit: string | undefined;
}

/** Delay before a failed read is retried, in milliseconds. */
const RETRY_MS = 1000;

/**
 * The newest published config that this process knows: read from the store, or published by this process. Reading and
 * publishing run one after the other, so the running config never goes back to an older one.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #stopListening: () => void;
  #decision: PublishedConfig | undefined;
  #documents: readonly DocumentState[] | undefined;
  /** The number of the newest published config that cannot run here; 0 if there is none. */
  #skippedNumber = 0;
  /** True if a newer version of the engine published that config. */
  #isBehind = false;
  #term = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #cancel = () => {};
  #isClosed = false;
  /** Called when another process has published a config. */
  onOverruled: () => void = () => {};

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#stopListening = options.revisionStore.onNews(() => void this.#refreshWithRetry());
  }

  /** The published config that this process runs. */
  get decision(): PublishedConfig | undefined {
    return this.#decision;
  }

  /** True if there is a newer published config that this version of the engine cannot use. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /**
   * Increases each time another process publishes a config. A leader passes the term in which it read the last good set, so
   * that it cannot publish on top of an older one.
   */
  get term(): number {
    return this.#term;
  }

  /** Resolves when there is a published config that this process can run. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** The state of each document at the leader. */
  get documents(): readonly DocumentState[] {
    return (this.#documents ??= this.#states());
  }

  get problems(): readonly Problem[] {
    return this.#decision?.problems ?? [];
  }

  /** Reads the newest published config and runs it if it is newer. Throws errors of the store. */
  refresh(): Promise<void> {
    return this.#enqueue(async () => {
      const { revisionStore, revisions, listeners } = this.#options;
      const known = this.#known();
      if ((await revisionStore.number()) <= known) return;
      const decision = await revisionStore.newest();
      if (decision === undefined || decision.number <= known) return;
      this.#term++;
      this.onOverruled();
      const revision = await this.#get(decision);
      if (revision === undefined) return;
      const { current } = revisions;
      revisions.swap(revision);
      this.#setDecision(decision);
      listeners.notify(current.snapshot, revision.snapshot);
    });
  }

  /**
   * Publishes a proposal, calls `settle` to run it here, and notifies the other processes. `CONFIG_ELSEWHERE` if another
   * process has published since `term`, or if this process is not the leader. Throws errors of the store.
   */
  decide(proposal: Proposal, { term, gitCommit }: DecisionBase, settle: () => void): Promise<void> {
    return this.#enqueue(async () => {
      const { documents, snapshot } = proposal.revision;
      const texts = new Map(Array.from(documents, ([name, document]) => [name, toStored(document)]));
      const states = proposal.states.filter(({ state }) => state !== 'live');
      await this.#publish({ revision: snapshot.revision, states, problems: proposal.problems, gitCommit }, term, texts);
      settle();
    });
  }

  /** Publishes the same config again with another git commit. Errors as for `decide`. */
  decideCommit({ term, gitCommit }: DecisionBase): Promise<void> {
    return this.#enqueue(async () => {
      const { revision, states, problems } = this.#decision ?? {};
      if (revision === undefined || states === undefined || problems === undefined) return;
      const texts = this.#options.revisions.sources(revision);
      await this.#publish({ revision, states, problems, gitCommit }, term, texts);
    });
  }

  /** Throws `CONFIG_ELSEWHERE` if the config that runs here is no longer the newest published one. */
  async confirm(): Promise<void> {
    const number = await this.#enqueue(() => this.#options.revisionStore.number());
    if (number === this.#decision?.number) return;
    await this.refresh();
    throw this.elsewhere();
  }

  /** The error for an edit in a process that is not the leader. */
  elsewhere(): EngineError {
    const by = this.#decision?.by ?? 'another process';
    return new EngineError('CONFIG_ELSEWHERE', `this process cannot change the config: ${by} publishes it`, {
      hint: 'edit the files in the config folder of that process, or send the request to that process',
    });
  }

  /** A document as it runs. The text is the running one: the leader's file may be different if it has errors. */
  read(kind: Kind, id: string): ReadDocument {
    const state = this.documents.find((one) => one.kind === kind && one.id === id);
    if (state === undefined) throw missing(kind, id);
    const document = this.#options.revisions.current.documents.get(nameOf(kind, id));
    return { text: document?.source.text ?? '', value: document?.typed.value, state };
  }

  /** Stops listening; resolves when pending reads and writes have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#cancel();
    await this.#queue;
  }

  async #publish(
    facts: Pick<PublishedConfig, 'revision' | 'states' | 'problems' | 'gitCommit'>,
    term: number,
    documents: ReadonlyMap<string, StoredDocument>,
  ): Promise<void> {
    const { revisionStore, clock, by, version } = this.#options;
    if (term !== this.#term) throw this.elsewhere();
    const number = this.#known() + 1;
    const decision = { number, at: clock.now(), by, version, ...facts };
    try {
      await revisionStore.publish(decision, documents);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
      this.#term++;
      this.onOverruled();
      void this.#refreshWithRetry();
      throw this.elsewhere();
    }
    this.#setDecision(decision);
    revisionStore.announce();
  }

  #known(): number {
    return Math.max(this.#decision?.number ?? 0, this.#skippedNumber);
  }

  #setDecision(decision: PublishedConfig): void {
    this.#decision = decision;
    this.#documents = undefined;
    this.#isBehind = false;
    this.#ready.resolve();
  }

  /**
   * The revision of a published config. Undefined if this version cannot use it: the previous revision keeps running, and
   * the reason is logged once. The revision is missing if a process in single-process mode has used the store meanwhile.
   */
  async #get({ number, revision, by }: PublishedConfig): Promise<Revision | undefined> {
    try {
      return await this.#options.revisions.get(revision);
    } catch (error) {
      const isMissing = error instanceof EngineError && error.code === 'NOT_FOUND';
      if (!(error instanceof EngineError) || !(isMissing || error.code.startsWith('CONFIG_'))) throw error;
      const { code, message: why, hint } = error;
      if (!this.#isBehind)
        this.#options.log.error('this process cannot use the newest config', { code, why, hint, by });
      this.#skippedNumber = number;
      this.#isBehind = !isMissing;
      return undefined;
    }
  }

  #states(): DocumentState[] {
    if (this.#decision === undefined) return [];
    const states = new Map(this.#decision.states.map((state) => [nameOf(state.kind, state.id), state]));
    for (const [name, { source }] of this.#options.revisions.current.documents) {
      const { kind, id, file, hash } = source;
      if (!states.has(name)) states.set(name, { kind, id, file, hash, state: 'live' });
    }
    return [...states.values()].sort((a, b) => compareText(a.file, b.file));
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => {
      if (this.#isClosed) throw this.elsewhere();
      return work();
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Refreshes, and retries until it succeeds. The first failure is logged. */
  async #refreshWithRetry(isLogged = false): Promise<void> {
    try {
      if (!this.#isClosed) await this.refresh();
    } catch (error) {
      if (this.#isClosed) return;
      const { log, clock } = this.#options;
      if (!isLogged)
        log.warn('the newest config cannot be read; the engine retries', { why: errorBody(error).message });
      this.#cancel();
      this.#cancel = clock.delay(() => void this.#refreshWithRetry(true), RETRY_MS);
    }
  }
}
