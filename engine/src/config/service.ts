import { dirname, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { ConfigChange } from './change-listeners.ts';
import type { DocumentState, Knowledge, Problem, LastGoodStore, Snapshot, StoredDocument } from './config.ts';
import { createConfigCore, openFolder } from './config-folder.ts';
import { gitCommit } from './git.ts';
import type { Writer } from './edit/writer.ts';

export type { ConfigChange } from './change-listeners.ts';

/** How long the commit that was read counts as the one that is checked out. */
const COMMIT_MS = 2000;

export interface ConfigOptions {
  /** The config folder; it need not exist yet. */
  readonly dir: string;
  readonly place: LastGoodStore;
  readonly knowledge: Knowledge;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** False for commands that look once; true by default. */
  readonly watch?: boolean;
  /** Of this Callsheet. */
  readonly version?: string;
}

/** The running config. Reads are of the last applied change; writes are applied when their promise resolves. */
export interface ConfigService extends Writer {
  /** Absolute path of the config folder. */
  readonly dir: string;
  /** Absolute path of the folder that holds it: relative paths in documents count from here. */
  readonly baseDir: string;
  current(): Snapshot;
  documents(): readonly DocumentState[];
  /** Sorted by file, line and column. */
  problems(): readonly Problem[];
  /** `listener` is called after each change; the returned function ends that. */
  onChange(listener: (change: ConfigChange) => void): () => void;
  /**
   * The snapshot of a revision. `NOT_FOUND`; `CONFIG_TOO_NEW` where a newer version of the engine made it and this one cannot
   * use it, so that its runs are for others; `CONFIG_INVALID` where no version from this one on can.
   */
  revision(id: string): Promise<Snapshot>;
  /** The documents of the current or a recent revision, to be stored with a run; `NOT_FOUND` otherwise. */
  sources(revisionId: string): ReadonlyMap<string, StoredDocument>;
  /** The commit that was checked out where the newest revision was decided; undefined where that is no git checkout. */
  gitCommit(): string | undefined;
  /** Looks at every file again, now; where others decide, at what they have decided. */
  refresh(): Promise<void>;
  /** Resolves once the watcher is in place; at once where there is none. */
  watching(): Promise<void>;
  /** Ends watching; resolves once the last good set is saved. */
  close(): Promise<void>;
}

/** Reads the config folder, applies what links, and keeps up with its changes until `close`. Errors of the store pass. */
export async function openConfig({ dir: path, watch = true, ...options }: ConfigOptions): Promise<ConfigService> {
  const dir = resolve(path);
  const baseDir = dirname(dir);
  const { place, clock } = options;
  const core = createConfigCore(options);
  const { revisions, listeners } = core;
  const { live, writer, refresh, watching, close } = await openFolder(core, { dir, place, isWatched: watch });
  return {
    ...writer,
    dir,
    baseDir,
    current: () => revisions.current.snapshot,
    documents: () => live.documents,
    problems: () => live.problems,
    onChange: (listener) => listeners.add(listener),
    revision: async (id) => (await revisions.get(id)).snapshot,
    sources: (id) => revisions.sources(id),
    gitCommit: commitReader(baseDir, clock),
    refresh,
    watching,
    close,
  };
}

/** Reads the commit that is checked out at most every two seconds. */
function commitReader(folder: string, clock: Clock): () => string | undefined {
  let commit: { readonly value: string | undefined; readonly at: number } | undefined;
  return () => {
    if (commit === undefined || clock.now() - commit.at > COMMIT_MS)
      commit = { value: gitCommit(folder), at: clock.now() };
    return commit.value;
  };
}
