import { dirname, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { ConfigService, ToolCatalog, LastGoodStore } from './config.ts';
import { createConfigCore, openFolder } from './config-folder.ts';
import { gitCommit } from './git.ts';

/** How long the commit that was read counts as the one that is checked out. */
const COMMIT_MS = 2000;

export interface ConfigOptions {
  /** The config folder; it need not exist yet. */
  readonly dir: string;
  readonly revisionStore: LastGoodStore;
  readonly catalog: ToolCatalog;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** False for commands that look once; true by default. */
  readonly watch?: boolean;
  /** Of this Callsheet. */
  readonly version?: string;
}

/** Reads the config folder, applies what links, and keeps up with its changes until `close`. Errors of the store pass. */
export async function openConfig({ dir: path, watch = true, ...options }: ConfigOptions): Promise<ConfigService> {
  const dir = resolve(path);
  const baseDir = dirname(dir);
  const { revisionStore, clock } = options;
  const core = createConfigCore(options);
  const { revisions, listeners } = core;
  const { live, writer, refresh, watching, close } = await openFolder(core, { dir, revisionStore, isWatched: watch });
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
