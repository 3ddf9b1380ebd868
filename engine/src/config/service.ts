import { dirname, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { ConfigService, ToolCatalog, LastGoodStore } from './config.ts';
import { createConfigCore, openFolder } from './config-folder.ts';
import { gitCommit } from './git.ts';
import { linksBetween } from './revision/build-snapshot.ts';
import type { SecretHosts } from './secrets.ts';

/** How long a commit that was read is reused, in milliseconds. */
const COMMIT_MS = 2000;

/** Options of `openConfig`. */
export interface ConfigOptions {
  /** The config folder. It need not exist yet. */
  readonly dir: string;
  /** The data folder, which no root of a tool may overlap. Absent for a process without one. */
  readonly dataDir?: string | undefined;
  readonly revisionStore: LastGoodStore;
  readonly catalog: ToolCatalog;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** Which hosts may get the values of secrets. Default: every host. */
  readonly secretHosts?: SecretHosts;
  /** False for commands that read the config once. Default: true. */
  readonly watch?: boolean;
  /** Version of this Callsheet. */
  readonly version?: string;
}

/** Opens the config of a folder and follows its changes until `close`. Errors of the store are passed on. */
export async function openConfig({ dir: path, watch = true, ...options }: ConfigOptions): Promise<ConfigService> {
  const dir = resolve(path);
  const baseDir = dirname(dir);
  const { revisionStore, clock } = options;
  const core = createConfigCore({ ...options, dir });
  const { revisions, listeners } = core;
  const { live, writer, refresh, watching, close } = await openFolder(core, { dir, revisionStore, isWatched: watch });
  return {
    ...writer,
    dir,
    baseDir,
    current: () => revisions.current.snapshot,
    documents: () => live.documents,
    links: () => linksBetween(revisions.current.documents),
    problems: () => live.problems,
    onChange: (listener) => listeners.add(listener),
    revision: async (id) => (await revisions.get(id)).snapshot,
    sources: (id) => revisions.sources(id),
    gitCommit: commitReader(baseDir, clock),
    refresh,
    recheck: () => live.recheck(),
    watching,
    close,
  };
}

/** Returns the checked-out commit and reads it at most every two seconds. */
function commitReader(folder: string, clock: Clock): () => string | undefined {
  let commit: { readonly value: string | undefined; readonly at: number } | undefined;
  return () => {
    if (commit === undefined || clock.now() - commit.at > COMMIT_MS)
      commit = { value: gitCommit(folder), at: clock.now() };
    return commit.value;
  };
}
