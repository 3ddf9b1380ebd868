import { dirname } from 'node:path';
import { EngineError, type ErrorBody, errorBody } from '../../base/error.ts';
import type { PublishedConfigStore } from './published-config.ts';
import { type ConfigFolder, type ConfigCore, openFolder } from '../config-folder.ts';
import { gitCommit } from '../git.ts';
import type { Proposal } from '../live/live-config.ts';
import type { Follower } from './follower.ts';

/** Leader election among the processes that share a store. */
export interface Leadership {
  /**
   * Requests leadership. `onTaken` and `onLost` are called each time this process gets and loses it; the returned function
   * gives up leadership and the request.
   */
  request(callbacks: { readonly onTaken: () => void; readonly onLost: () => void }): () => Promise<void>;
  /** Takes leadership if it is free; resolves when that is done. */
  check(): Promise<void>;
}

interface LeaderOptions {
  /** Absolute path of the config folder. */
  readonly dir: string;
  readonly revisionStore: PublishedConfigStore;
  readonly isWatched: boolean;
  readonly leadership: Leadership;
}

/** The config folder while this process is the leader. */
interface ActiveFolder {
  readonly folder: ConfigFolder;
  /** The term in which the last good set was read. */
  readonly term: number;
}

/** Delay before a failed step is retried, in milliseconds. */
const RETRY_MS = 1000;
/** A process that cannot lead gives up leadership and requests it again after this many milliseconds. */
const UNFIT_MS = 30_000;
/** How often the checked-out git commit is read, in milliseconds: a commit of a change that already runs changes no file. */
const COMMIT_MS = 5000;

/**
 * Publishes the files of a folder while this process is the leader. It starts with the last good set of the store, and stops
 * when leadership is lost or another process has published a config. If this process is still the leader then, it starts
 * again from the newer config.
 */
export class Leader {
  readonly #core: ConfigCore;
  readonly #follower: Follower;
  readonly #options: LeaderOptions;
  readonly #cancels = new Set<() => void>();
  #release: () => Promise<void> = async () => {};
  #isLeader = false;
  #isClosed = false;
  #active: ActiveFolder | undefined;
  #work: Promise<unknown> = Promise.resolve();
  /** The logged reason why this process cannot lead, so that each reason is logged once. */
  #unfit = '';

  constructor(core: ConfigCore, follower: Follower, options: LeaderOptions) {
    this.#core = core;
    this.#follower = follower;
    this.#options = options;
    follower.onOverruled = () => {
      this.#stepDown();
      if (this.#isLeader) this.#schedule(RETRY_MS, () => this.#start());
    };
    this.#requestLeadership();
  }

  /** The folder; undefined while this process is not the leader. */
  get folder(): ConfigFolder | undefined {
    return this.#active?.folder;
  }

  /** Resolves when the first attempt to lead has ended: with the folder open, without leadership, or with a logged error. */
  async started(): Promise<void> {
    await this.#options.leadership.check();
    await this.#work;
  }

  /** Stops publishing and gives up leadership. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#cancels) cancel();
    this.#stepDown();
    await this.#work;
    await this.#release();
  }

  #requestLeadership(): void {
    const onTaken = () => {
      this.#isLeader = true;
      this.#start();
    };
    const onLost = () => {
      this.#isLeader = false;
      this.#stepDown();
    };
    this.#release = this.#options.leadership.request({ onTaken, onLost });
  }

  #start(): void {
    this.#work = this.#work.then(() => this.#openFolder()).catch((error: unknown) => this.#fail(error));
  }

  async #openFolder(): Promise<void> {
    if (!this.#isLeader || this.#isClosed || this.#active !== undefined) return;
    const follower = this.#follower;
    await follower.refresh();
    // This version may reject files that the newer version accepts, and would publish a config without them.
    if (follower.isBehind)
      throw new EngineError('CONFIG_TOO_NEW', 'a newer version of the engine published the config', {
        hint: 'update Callsheet on this machine',
      });
    const { term } = follower;
    const { dir, revisionStore, isWatched } = this.#options;
    const decide = (proposal: Proposal, settle: () => void) => this.#decide(term, proposal, settle);
    const folder = await openFolder(this.#core, { dir, revisionStore, isWatched, decide });
    if (this.#isLeader && !this.#isClosed && term === follower.term) {
      this.#active = { folder, term };
      this.#unfit = '';
      this.#core.log.info('this process publishes the config', { folder: dir });
      this.#followCommit(this.#active);
    } else await folder.close();
  }

  async #decide(term: number, proposal: Proposal, settle: () => void): Promise<void> {
    const follower = this.#follower;
    const isFirst = this.#active === undefined;
    if (!this.#isLeader || this.#isClosed) throw follower.elsewhere();
    const { documents } = this.#core.revisions.current;
    if (isFirst && proposal.revision.documents.size === 0 && documents.size > 0)
      throw new EngineError('CONFIG_UNREADABLE', `no config documents in ${this.#options.dir}`, {
        hint: 'check out the config there, or start this process as a worker',
      });
    try {
      await follower.decide(proposal, { term, gitCommit: this.#commit() }, settle);
    } catch (error) {
      // What was read runs nowhere yet.
      if (!isElsewhere(error) && !isFirst) this.#schedule(RETRY_MS, () => void this.folder?.refresh().catch(() => {}));
      throw error;
    }
  }

  #stepDown(): void {
    const active = this.#active;
    this.#active = undefined;
    if (active !== undefined) this.#work = this.#work.then(() => active.folder.close());
  }

  async #fail(error: unknown): Promise<void> {
    const { log } = this.#core;
    const body = errorBody(error);
    const { code, message: why, hint } = body;
    if (!isUnfit(body)) {
      if (!isElsewhere(error)) log.warn('this process cannot publish the config yet; it retries', { code, why, hint });
      return this.#schedule(RETRY_MS, () => this.#start());
    }
    if (this.#unfit !== why) log.error('this process cannot publish the config', { code, why, hint });
    this.#unfit = why;
    this.#isLeader = false;
    await this.#release();
    this.#schedule(UNFIT_MS, () => this.#requestLeadership());
  }

  #commit(): string | undefined {
    return gitCommit(dirname(this.#options.dir));
  }

  #followCommit(active: ActiveFolder): void {
    this.#schedule(COMMIT_MS, () => {
      if (this.#active !== active) return;
      const commit = this.#commit();
      const isSame = commit === this.#follower.decision?.gitCommit;
      const done = isSame ? Promise.resolve() : this.#follower.decideCommit({ term: active.term, gitCommit: commit });
      // A failure is retried at the next interval.
      void done.catch(() => {}).then(() => this.#followCommit(active));
    });
  }

  #schedule(ms: number, work: () => void): void {
    if (this.#isClosed) return;
    const cancel = this.#core.clock.delay(() => {
      this.#cancels.delete(cancel);
      work();
    }, ms);
    this.#cancels.add(cancel);
  }
}

/** True if this process cannot lead: its version is too old, or its files are missing. */
function isUnfit({ code }: ErrorBody): boolean {
  return code === 'CONFIG_TOO_NEW' || code === 'CONFIG_UNREADABLE';
}

function isElsewhere(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'CONFIG_ELSEWHERE';
}
