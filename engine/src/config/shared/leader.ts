import { dirname } from 'node:path';
import { EngineError, type ErrorBody, errorBody } from '../../base/error.ts';
import type { PublishedConfigStore } from './published-config.ts';
import { type ConfigFolder, type ConfigCore, openFolder } from '../config-folder.ts';
import { gitCommit } from '../git.ts';
import type { Proposal } from '../live/live-config.ts';
import type { Follower } from './follower.ts';

/** Whose turn it is to decide, among all processes. */
export interface Leadership {
  /** Asks for the turn. `onTaken` and `onLost` are called as it comes and goes; the returned function gives it back for good. */
  request(ways: { readonly onTaken: () => void; readonly onLost: () => void }): () => Promise<void>;
  /** Resolves once the turn is taken where it is free. */
  check(): Promise<void>;
}

interface LeaderOptions {
  /** Absolute path of the config folder. */
  readonly dir: string;
  readonly revisionStore: PublishedConfigStore;
  readonly isWatched: boolean;
  readonly leadership: Leadership;
}

/** A folder while it decides. */
interface Seat {
  readonly folder: ConfigFolder;
  /** The term in which its last good set was read. */
  readonly term: number;
}

/** After this long what could not be done is tried again. */
const AGAIN_MS = 1000;
/** A process that is not fit to decide gives its turn back, and asks for it again after this long. */
const UNFIT_MS = 30_000;
/** How often to look which commit is checked out: committing a change that runs already changes no file. */
const COMMIT_MS = 5000;

/**
 * Decides with the files of a folder while it is this process's turn. Each turn begins with the last good set of the store,
 * and ends when the turn is lost, or as soon as anybody else has decided; while it is still this process's turn then, it
 * begins anew on top of that.
 */
export class Leader {
  readonly #core: ConfigCore;
  readonly #follower: Follower;
  readonly #options: LeaderOptions;
  readonly #cancels = new Set<() => void>();
  #giveBack: () => Promise<void> = async () => {};
  #isMyTurn = false;
  #isClosed = false;
  #seat: Seat | undefined;
  #work: Promise<unknown> = Promise.resolve();
  /** Why this process is not fit to decide, so that it is said once. */
  #unfit = '';

  constructor(core: ConfigCore, follower: Follower, options: LeaderOptions) {
    this.#core = core;
    this.#follower = follower;
    this.#options = options;
    follower.onOverruled = () => {
      this.#stepDown();
      if (this.#isMyTurn) this.#later(AGAIN_MS, () => this.#begin());
    };
    this.#ask();
  }

  /** The folder, while it decides. */
  get folder(): ConfigFolder | undefined {
    return this.#seat?.folder;
  }

  /** Resolves once the files decide, where it is this process's turn at once, or it is known why they do not. */
  async started(): Promise<void> {
    await this.#options.leadership.check();
    await this.#work;
  }

  /** Gives the turn back; resolves once nothing is decided any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#cancels) cancel();
    this.#stepDown();
    await this.#work;
    await this.#giveBack();
  }

  #ask(): void {
    const onTaken = () => {
      this.#isMyTurn = true;
      this.#begin();
    };
    const onLost = () => {
      this.#isMyTurn = false;
      this.#stepDown();
    };
    this.#giveBack = this.#options.leadership.request({ onTaken, onLost });
  }

  #begin(): void {
    this.#work = this.#work.then(() => this.#sitDown()).catch((error: unknown) => this.#fail(error));
  }

  async #sitDown(): Promise<void> {
    if (!this.#isMyTurn || this.#isClosed || this.#seat !== undefined) return;
    const follower = this.#follower;
    await follower.refresh();
    // The files that a newer version can read may be none for this one: it would decide to drop them.
    if (follower.isBehind)
      throw new EngineError('CONFIG_TOO_NEW', 'a newer version decided last', { hint: 'update this process' });
    const { term } = follower;
    const { dir, revisionStore, isWatched } = this.#options;
    const decide = (proposal: Proposal, settle: () => void) => this.#decide(term, proposal, settle);
    const folder = await openFolder(this.#core, { dir, revisionStore, isWatched, decide });
    if (this.#isMyTurn && !this.#isClosed && term === follower.term) {
      this.#seat = { folder, term };
      this.#unfit = '';
      this.#core.log.info('this process decides the config', { folder: dir });
      this.#followCommit(this.#seat);
    } else await folder.close();
  }

  async #decide(term: number, proposal: Proposal, settle: () => void): Promise<void> {
    const follower = this.#follower;
    const isFirst = this.#seat === undefined;
    if (!this.#isMyTurn || this.#isClosed) throw follower.elsewhere();
    const { documents } = this.#core.revisions.current;
    if (isFirst && proposal.revision.documents.size === 0 && documents.size > 0)
      throw new EngineError('CONFIG_UNREADABLE', `there are no documents in ${this.#options.dir}`, {
        hint: 'check out the config there, or start this process as a worker',
      });
    try {
      await follower.decide(proposal, { term, gitCommit: this.#commit() }, settle);
    } catch (error) {
      // What was read runs nowhere yet.
      if (!isElsewhere(error) && !isFirst) this.#later(AGAIN_MS, () => void this.folder?.refresh().catch(() => {}));
      throw error;
    }
  }

  #stepDown(): void {
    const seat = this.#seat;
    this.#seat = undefined;
    if (seat !== undefined) this.#work = this.#work.then(() => seat.folder.close());
  }

  async #fail(error: unknown): Promise<void> {
    const { log } = this.#core;
    const body = errorBody(error);
    const { code, message: why, hint } = body;
    if (!isUnfit(body)) {
      if (!isElsewhere(error)) log.warn('the config folder cannot decide yet', { code, why, hint });
      return this.#later(AGAIN_MS, () => this.#begin());
    }
    if (this.#unfit !== why) log.error('this process cannot decide the config', { code, why, hint });
    this.#unfit = why;
    this.#isMyTurn = false;
    await this.#giveBack();
    this.#later(UNFIT_MS, () => this.#ask());
  }

  #commit(): string | undefined {
    return gitCommit(dirname(this.#options.dir));
  }

  #followCommit(seat: Seat): void {
    this.#later(COMMIT_MS, () => {
      if (this.#seat !== seat) return;
      const commit = this.#commit();
      const isSame = commit === this.#follower.decision?.gitCommit;
      const done = isSame ? Promise.resolve() : this.#follower.decideCommit({ term: seat.term, gitCommit: commit });
      // One that fails is tried again at the next look.
      void done.catch(() => {}).then(() => this.#followCommit(seat));
    });
  }

  #later(ms: number, work: () => void): void {
    if (this.#isClosed) return;
    const cancel = this.#core.clock.delay(() => {
      this.#cancels.delete(cancel);
      work();
    }, ms);
    this.#cancels.add(cancel);
  }
}

/** A process that is not fit to decide: of an older version, or without its files. */
function isUnfit({ code }: ErrorBody): boolean {
  return code === 'CONFIG_TOO_NEW' || code === 'CONFIG_UNREADABLE';
}

function isElsewhere(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'CONFIG_ELSEWHERE';
}
