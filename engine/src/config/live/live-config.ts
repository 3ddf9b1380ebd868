import { createYielder } from '../../base/yielding.ts';
import { type Candidate, CandidateChooser } from '../link/candidate.ts';
import type { ConfigListeners } from '../change-listeners.ts';
import type { DocumentState, Problem, Settings } from '../config.ts';
import type { FileTable } from '../validate/file-table.ts';
import type { LastGoodSet } from '../revision/last-good.ts';
import { oneProblemPerMistake } from '../one-problem.ts';
import { listFiles, readSource } from '../parse/read.ts';
import type { SnapshotCache } from '../revision/snapshot-cache.ts';
import type { SecretHosts } from '../secrets.ts';
import { hostsNamedBy } from '../secret-uses.ts';
import { buildRevision, type Revision } from '../revision/build-snapshot.ts';
import { allProblems, documentState, documentStates, LinkProblems } from './document-states.ts';
import type { ChangedPaths } from './watch.ts';

/** The config of the folder before it runs. */
export interface Proposal {
  readonly revision: Revision;
  readonly states: readonly DocumentState[];
  readonly problems: readonly Problem[];
}

interface LiveConfigDeps {
  readonly checks: { readonly env: (name: string) => string | undefined };
  /** Absolute path of the config folder. */
  readonly dir: string;
  readonly table: FileTable;
  readonly good: LastGoodSet;
  readonly revisions: SnapshotCache;
  /** The settings if there is no settings file. */
  readonly defaults: Settings;
  readonly listeners: ConfigListeners;
  /** See `ConfigCore`. */
  readonly secretHosts?: SecretHosts | undefined;
  /**
   * Only where several processes share a store: publishes a proposal to all of them, then calls `settle`, which applies it in
   * this process. If it rejects, nothing has changed, and the next change or refresh tries again.
   */
  readonly decide?: (proposal: Proposal, settle: () => void) => Promise<void>;
}

/** The running config. Changes go through one queue: read the files, then choose, build and swap in one step. */
export class LiveConfig {
  /** Also for what an edit would change. Use it only inside `exclusive`. */
  readonly chooser: CandidateChooser;
  readonly #parts: LiveConfigDeps;
  readonly #stamps = new Map<string, string>();
  readonly #linkProblems = new LinkProblems();
  #candidate: Candidate = { accepted: new Map(), deletedInUse: new Set(), findings: [] };
  #problems: readonly Problem[] = [];
  /** Computed on demand, since a swap does not need it. */
  #documents: readonly DocumentState[] | undefined;
  /** True if something was read that does not run yet. True at first, even for an empty folder. */
  #isPending = true;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: LiveConfigDeps) {
    this.#parts = parts;
    this.chooser = new CandidateChooser(parts.table.catalog);
  }

  get candidate(): Candidate {
    return this.#candidate;
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  get documents(): readonly DocumentState[] {
    return (this.#documents ??= documentStates(this.#parts.table, this.#candidate));
  }

  /** Runs `work` alone: no other change is read or applied at the same time. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Applies changes since the last call; `changed` names the files to read. */
  async update(changed: ChangedPaths): Promise<void> {
    await this.exclusive(async () => {
      if (changed === 'all') await this.#readFolder();
      else await this.ingest([...changed]);
    });
  }

  /** Runs `work`, which changes files of the folder, alone, and applies what it changed, also where it fails. */
  editFiles<T>(work: () => Promise<T>): Promise<T> {
    return this.exclusive(async () => {
      try {
        return await work();
      } finally {
        await this.#readFolder();
      }
    });
  }

  /** Reads these files and applies their changes. Call it only inside `exclusive`. */
  async ingest(relatives: readonly string[]): Promise<void> {
    const breathe = createYielder();
    for (let i = 0; i < relatives.length; i += 32) {
      const group = relatives.slice(i, i + 32);
      const found = await Promise.all(group.map((relative) => readSource(this.#parts.dir, relative)));
      for (const [n, relative] of group.entries()) {
        if (await this.#parts.table.put(relative, found[n])) this.#isPending = true;
        await breathe();
      }
    }
    if (this.#isPending) await this.#apply();
  }

  /** Lists the folder and reads the files whose size, times or inode changed since the last call. */
  async #readFolder(): Promise<void> {
    const listed = await listFiles(this.#parts.dir);
    const there = new Set(listed.map(({ relative }) => relative));
    const gone = Array.from(this.#parts.table.files(), ({ relative }) => relative).filter(
      (relative) => !there.has(relative),
    );
    const changed = listed.filter(({ relative, stamp }) => this.#stamps.get(relative) !== stamp);
    for (const relative of gone) this.#stamps.delete(relative);
    for (const { relative, stamp } of changed) this.#stamps.set(relative, stamp);
    await this.ingest([...gone, ...changed.map(({ relative }) => relative)]);
  }

  /** Chooses the documents that run, builds the snapshot and swaps it in. Yields to the event loop in between. */
  async #apply(): Promise<void> {
    const { table, good, revisions, defaults, listeners, decide, secretHosts, checks } = this.#parts;
    const breathe = createYielder();
    const candidate = await this.chooser.choose({
      newest: table.newest(),
      good: (name) => good.get(name),
      drafts: table.drafts(),
      secretHosts,
      isSet: ({ source, name }) => (source === 'env' ? (checks.env(name) ?? '') !== '' : secretHosts?.hasValue(name)),
    });
    const located = await this.#linkProblems.locate(candidate.findings);
    const problems = oneProblemPerMistake(allProblems(table, candidate, located));
    await breathe();
    const previous = revisions.current;
    const next = buildRevision(candidate.accepted, defaults, previous);
    await breathe();
    const settle = () => {
      if (next !== previous) revisions.swap(next);
      this.#isPending = false;
      this.#candidate = candidate;
      this.#problems = problems;
      this.#documents = undefined;
      good.accept(candidate.accepted);
      listeners.notify(previous.snapshot, next.snapshot);
    };
    if (decide === undefined) settle();
    else await decide({ revision: next, states: documentStates(table, candidate), problems }, settle);
    await secretHosts?.bindFirst(() => hostsNamedBy(next.snapshot));
  }

  /** Chooses again which documents run, after a person has changed a secret, its hosts or a variable. */
  async recheck(): Promise<void> {
    await this.exclusive(async () => {
      this.#isPending = true;
      await this.#apply();
    });
  }

  /** The state of a document by its name (`agents/reply`). */
  state(name: string): DocumentState | undefined {
    return documentState(this.#parts.table, this.#candidate, name);
  }

  /** Resolves once all changes so far are applied. */
  async settled(): Promise<void> {
    await this.#queue;
  }
}
