import { dirname, resolve } from 'node:path';
import { type Abortable, orAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ConfigService, ToolCatalog, Writer } from '../config.ts';
import { Leader, type Leadership } from './leader.ts';
import type { PublishedConfigStore } from './published-config.ts';
import { createConfigCore } from '../config-folder.ts';
import { linksBetween } from '../revision/build-snapshot.ts';
import type { SecretHosts } from '../secrets.ts';
import { Follower } from './follower.ts';

export type { Leadership } from './leader.ts';

export interface SharedConfigOptions extends Abortable {
  /** The config folder; it is read only while this process is the leader. */
  readonly dir: string;
  /** See `ConfigOptions`. */
  readonly dataDir?: string | undefined;
  readonly revisionStore: PublishedConfigStore;
  readonly catalog: ToolCatalog;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** Which hosts may get the values of secrets. Default: every host. */
  readonly secretHosts?: SecretHosts;
  /** Name of this process for messages: `host7 (process 4711)`. */
  readonly by: string;
  /** Version of this engine. */
  readonly version: string;
  /** Whether the leader watches its files; true by default. */
  readonly watch?: boolean;
  /** Leader election. Undefined in a process without a config folder, which never becomes the leader. */
  readonly leadership?: Leadership;
}

/**
 * Opens the config of a store that several processes share. One process, the leader, publishes the files of its folder; all
 * processes run the config that was published last and report the leader's problems. The leader may change at any time;
 * callers of the service do not notice. Resolves when there is a published config that this version can use; the first
 * process of a store publishes it itself. `signal` aborts the wait. Edits reject with `CONFIG_ELSEWHERE` if another process
 * is the leader. Throws errors of the store.
 */
export async function openSharedConfig(options: SharedConfigOptions): Promise<ConfigService> {
  const { revisionStore, log, clock, by, version, watch: isWatched = true, leadership, signal } = options;
  const dir = resolve(options.dir);
  const core = createConfigCore(options);
  const { revisions, listeners } = core;
  const follower = new Follower({ revisionStore, revisions, listeners, log, clock, by, version });
  let leader: Leader | undefined;
  const close = async () => {
    await leader?.close();
    await follower.close();
  };
  try {
    await follower.refresh();
    if (leadership !== undefined) leader = new Leader(core, follower, { dir, revisionStore, isWatched, leadership });
    await leader?.started();
    if (follower.decision === undefined && !follower.isBehind)
      log.warn('no config yet: waiting for a process with a config folder', {
        hint: 'run callsheet start on the machine that has the config folder',
      });
    await orAbort(follower.ready, signal);
  } catch (error) {
    await close();
    throw error;
  }
  const folder = () => leader?.folder;
  return {
    ...editor(follower, () => folder()?.writer),
    dir,
    baseDir: dirname(dir),
    current: () => revisions.current.snapshot,
    documents: () => follower.documents,
    links: () => linksBetween(revisions.current.documents),
    problems: () => follower.problems,
    onChange: (listener) => listeners.add(listener),
    revision: async (id) => (await revisions.get(id)).snapshot,
    sources: (id) => revisions.sources(id),
    gitCommit: () => follower.decision?.gitCommit,
    refresh: () => folder()?.refresh() ?? follower.refresh(),
    recheck: () => folder()?.live.recheck() ?? Promise.resolve(),
    watching: () => folder()?.watching() ?? Promise.resolve(),
    close,
  };
}

/** Edits the files if this process is the leader; otherwise rejects with `CONFIG_ELSEWHERE`. */
function editor(follower: Follower, writer: () => Writer | undefined): Writer {
  const edit = async <T>(work: (writer: Writer) => Promise<T>): Promise<T> => {
    // A process that was suspended may have lost leadership without knowing it; it must not change its files then.
    if (writer() !== undefined) await follower.confirm();
    const own = writer();
    if (own === undefined) throw follower.elsewhere();
    return work(own);
  };
  return {
    read: (kind, id) => writer()?.read(kind, id) ?? follower.read(kind, id),
    write: (...change) => edit((own) => own.write(...change)),
    draft: (...change) => edit((own) => own.draft(...change)),
    create: (...change) => edit((own) => own.create(...change)),
    remove: (...change) => edit((own) => own.remove(...change)),
    reorder: (...change) => edit((own) => own.reorder(...change)),
    editFiles: (work) => edit((own) => own.editFiles(work)),
  };
}
