import type { Logger } from '../base/log.ts';
import { createBreather } from './breathe.ts';
import { type Candidate, chooseCandidate } from './candidate.ts';
import type { DocumentState, Problem, Settings, Snapshot } from './config.ts';
import type { FileTable } from './file-table.ts';
import type { GoodSet } from './good.ts';
import { listFiles, nameOf, readSource } from './read.ts';
import type { Revisions } from './revision.ts';
import { buildRevision } from './snapshot.ts';
import { allProblems, documentStates, LinkProblems } from './state.ts';
import type { Hint } from './watch.ts';

/** What listeners are told after a change was applied, a change of problems alone included. */
export interface ConfigChange {
  readonly snapshot: Snapshot;
  readonly previous: Snapshot;
  /** Names (`agents/reply`) whose running version is another, or gone. */
  readonly changed: readonly string[];
}

interface Parts {
  /** Absolute path of the config folder. */
  readonly dir: string;
  readonly table: FileTable;
  readonly good: GoodSet;
  readonly revisions: Revisions;
  /** The settings where there is no file. */
  readonly defaults: Settings;
  readonly log: Logger;
}

/** The config as it runs. Changes go through one queue: read, then choose, build and swap as one. */
export class LiveConfig {
  readonly #parts: Parts;
  readonly #stamps = new Map<string, string>();
  readonly #linkProblems = new LinkProblems();
  readonly #listeners = new Set<(change: ConfigChange) => void>();
  #candidate: Candidate = { accepted: new Map(), deletedInUse: new Set(), findings: [] };
  #problems: readonly Problem[] = [];
  /** Made when asked for: a swap does not need it. */
  #documents: readonly DocumentState[] | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
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

  onChange(listener: (change: ConfigChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs `work` alone: no other change is read or applied meanwhile. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Applies what changed since the last look; a hint says where to look. */
  async follow(hint: Hint): Promise<void> {
    await this.exclusive(async () => {
      if (hint === 'all') await this.#lookAtAll();
      else await this.ingest([...hint]);
    });
  }

  /** Reads these files and applies what is new in them. Only inside `exclusive`. */
  async ingest(relatives: readonly string[]): Promise<void> {
    const breathe = createBreather();
    let isNews = false;
    for (let i = 0; i < relatives.length; i += 32) {
      const group = relatives.slice(i, i + 32);
      const found = await Promise.all(group.map((relative) => readSource(this.#parts.dir, relative)));
      for (const [n, relative] of group.entries()) {
        if (this.#parts.table.put(relative, found[n])) isNews = true;
        await breathe();
      }
    }
    if (isNews) await this.#apply();
  }

  /** Lists the folder and reads the files whose size, time or inode is another than at the last look. */
  async #lookAtAll(): Promise<void> {
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

  /** Chooses what runs, builds it and swaps it in. The first call of a process applies an empty folder, too. */
  async #apply(): Promise<void> {
    const { table, good, revisions, defaults } = this.#parts;
    const newest = table.newest();
    const candidate = chooseCandidate({ newest, good: (name) => good.get(name), drafts: table.drafts() });
    const problems = allProblems(table, candidate, await this.#linkProblems.place(candidate.findings));
    const previous = revisions.current;
    const next = buildRevision(candidate.accepted, defaults, previous);
    if (next !== previous) revisions.swap(next);
    this.#candidate = candidate;
    this.#problems = problems;
    this.#documents = undefined;
    good.accept(candidate.accepted);
    const change = {
      snapshot: next.snapshot,
      previous: previous.snapshot,
      changed: changedNames(previous.snapshot, next.snapshot),
    };
    for (const listener of [...this.#listeners]) this.#tell(listener, change);
  }

  /** A listener that throws must not keep the others, or the next change, from being told. */
  #tell(listener: (change: ConfigChange) => void, change: ConfigChange): void {
    try {
      listener(change);
    } catch (error) {
      this.#parts.log.error('a listener failed at a change of the config', { why: String(error) });
    }
  }

  /** The state of a document by kind and id. */
  state(name: string): DocumentState | undefined {
    return this.documents.find(({ kind, id }) => nameOf(kind, id) === name);
  }

  /** Applies the folder as it is now, even where nothing is in it: the start of a process. */
  async start(): Promise<void> {
    await this.exclusive(async () => {
      await this.#lookAtAll();
      // With no files at all nothing was news, but an earlier process may have left documents that are deleted now.
      if (this.documents.length === 0) await this.#apply();
    });
  }

  /** Resolves once all changes so far are applied. */
  async settled(): Promise<void> {
    await this.#queue;
  }
}

function changedNames(before: Snapshot, after: Snapshot): string[] {
  if (before === after) return [];
  const changed: string[] = [];
  for (const [name, hash] of after.documents) if (before.documents.get(name) !== hash) changed.push(name);
  for (const name of before.documents.keys()) if (!after.documents.has(name)) changed.push(name);
  return changed;
}
