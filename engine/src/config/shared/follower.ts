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
  /** Who this process is, in words for people. */
  readonly by: string;
  /** Of this Callsheet. */
  readonly version: string;
}

/** On top of what a decision is made. */
export interface DecisionBase {
  /** The `term` in which the decider has read the last good set. */
  readonly term: number;
  /** What is checked out there. */
  readonly gitCommit: string | undefined;
}

/** After this long what could not be read is looked for again. */
const AGAIN_MS = 1000;

/**
 * The newest decision as this process knows it: taken from the place, or made here. Looks and decisions of this process take
 * turns, so that what runs never goes back to an older one.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #first = Promise.withResolvers<void>();
  readonly #stopListening: () => void;
  #decision: PublishedConfig | undefined;
  #documents: readonly DocumentState[] | undefined;
  /** The number of the newest decision that cannot run here, and whether that is because a newer version made it. */
  #passedOver = 0;
  #isBehind = false;
  #term = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #cancel = () => {};
  #isClosed = false;
  /** Called where somebody else has decided. */
  onOverruled: () => void = () => {};

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#stopListening = options.revisionStore.onNews(() => void this.#keepLooking());
  }

  /** The decision that this process runs. */
  get decision(): PublishedConfig | undefined {
    return this.#decision;
  }

  /** True where there is a newer decision, whose documents this version cannot use. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Another with each decision of others: who decides on top of one names the term in which he has seen it. */
  get term(): number {
    return this.#term;
  }

  /** Resolves once there is a decision that this process can run. */
  get ready(): Promise<void> {
    return this.#first.promise;
  }

  /** What became of each document at the decider. */
  get documents(): readonly DocumentState[] {
    return (this.#documents ??= this.#states());
  }

  get problems(): readonly Problem[] {
    return this.#decision?.problems ?? [];
  }

  /** Takes the newest decision, if it is another than the one that runs here. Errors of the store pass. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
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
      this.#take(decision);
      listeners.notify(current.snapshot, revision.snapshot);
    });
  }

  /**
   * Makes a proposal the newest decision, has it settled here, and tells everybody. `CONFIG_ELSEWHERE` where others have
   * decided since `term`, or where they are the ones who decide; errors of the store pass.
   */
  decide(proposal: Proposal, { term, gitCommit }: DecisionBase, settle: () => void): Promise<void> {
    return this.#inTurn(async () => {
      const { documents, snapshot } = proposal.revision;
      const texts = new Map(Array.from(documents, ([name, document]) => [name, toStored(document)]));
      const states = proposal.states.filter(({ state }) => state !== 'live');
      await this.#publish({ revision: snapshot.revision, states, problems: proposal.problems, gitCommit }, term, texts);
      settle();
    });
  }

  /** Decides the same again, with another commit. As `decide`. */
  decideCommit({ term, gitCommit }: DecisionBase): Promise<void> {
    return this.#inTurn(async () => {
      const { revision, states, problems } = this.#decision ?? {};
      if (revision === undefined || states === undefined || problems === undefined) return;
      const texts = this.#options.revisions.sources(revision);
      await this.#publish({ revision, states, problems, gitCommit }, term, texts);
    });
  }

  /** `CONFIG_ELSEWHERE` where what runs here is not the newest decision any more. */
  async confirm(): Promise<void> {
    const number = await this.#inTurn(() => this.#options.revisionStore.number());
    if (number === this.#decision?.number) return;
    await this.refresh();
    throw this.elsewhere();
  }

  /** A refusal: it is not for this process to decide. */
  elsewhere(): EngineError {
    const by = this.#decision?.by ?? 'another process';
    return new EngineError('CONFIG_ELSEWHERE', `${by} decides the config, not this process`, {
      hint: 'edit the files in the config folder of that process, or send the change to it',
    });
  }

  /** A document as far as it is known here: the text is the one that runs, not that of a file which does not. */
  read(kind: Kind, id: string): ReadDocument {
    const state = this.documents.find((one) => one.kind === kind && one.id === id);
    if (state === undefined) throw missing(kind, id);
    const document = this.#options.revisions.current.documents.get(nameOf(kind, id));
    return { text: document?.source.text ?? '', value: document?.typed.value, state };
  }

  /** Resolves once nothing is read or written any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#cancel();
    await this.#turn;
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
      void this.#keepLooking();
      throw this.elsewhere();
    }
    this.#take(decision);
    revisionStore.announce();
  }

  #known(): number {
    return Math.max(this.#decision?.number ?? 0, this.#passedOver);
  }

  #take(decision: PublishedConfig): void {
    this.#decision = decision;
    this.#documents = undefined;
    this.#isBehind = false;
    this.#first.resolve();
  }

  /**
   * The revision of a decision, undefined where this version cannot use it: then the one before runs on, which is said once.
   * It may be missing where one process had the store to itself meanwhile, which knows nothing of decisions.
   */
  async #get({ number, revision, by }: PublishedConfig): Promise<Revision | undefined> {
    try {
      return await this.#options.revisions.get(revision);
    } catch (error) {
      const isMissing = error instanceof EngineError && error.code === 'NOT_FOUND';
      if (!(error instanceof EngineError) || !(isMissing || error.code.startsWith('CONFIG_'))) throw error;
      const { code, message: why, hint } = error;
      if (!this.#isBehind)
        this.#options.log.error('the newest config cannot be used by this process', { code, why, hint, by });
      this.#passedOver = number;
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

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => {
      if (this.#isClosed) throw this.elsewhere();
      return work();
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Looks, again and again until it can be done; that it cannot is said once. */
  async #keepLooking(isSaid = false): Promise<void> {
    try {
      if (!this.#isClosed) await this.refresh();
    } catch (error) {
      if (this.#isClosed) return;
      const { log, clock } = this.#options;
      if (!isSaid) log.warn('the newest config cannot be read for now', { why: errorBody(error).message });
      this.#cancel();
      this.#cancel = clock.delay(() => void this.#keepLooking(true), AGAIN_MS);
    }
  }
}
