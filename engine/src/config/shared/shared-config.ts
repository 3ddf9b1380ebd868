import { dirname, resolve } from 'node:path';
import { type Abortable, orAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ConfigService, ToolCatalog, Writer } from '../config.ts';
import { Leader, type Leadership } from './leader.ts';
import type { PublishedConfigStore } from './published-config.ts';
import { createConfigCore } from '../config-folder.ts';
import { Follower } from './follower.ts';

export type { Leadership } from './leader.ts';

export interface SharedConfigOptions extends Abortable {
  /** The config folder; it is read only while this process decides. */
  readonly dir: string;
  readonly revisionStore: PublishedConfigStore;
  readonly catalog: ToolCatalog;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** Who this process is, in words for people: `host7 (process 4711)`. */
  readonly by: string;
  /** Of this Callsheet. */
  readonly version: string;
  /** False where the files are not watched while this process decides; true by default. */
  readonly watch?: boolean;
  /** Where it is missing this process never decides: it has no config folder. */
  readonly leadership?: Leadership;
}

/**
 * The config where several processes share a store. One of them decides with the files of its folder; all run what was
 * decided last, and say what is wrong at the decider. Which one decides may change at any time: whoever holds the service does
 * not notice. Resolves once there is a decision that this version can use, which for the first process of a store is its
 * own; `signal` ends the waiting. Edits reject with `CONFIG_ELSEWHERE` where another process decides. Errors of the store
 * pass.
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
      log.warn('no config yet: waiting for a process that has its files', { hint: 'callsheet start is one' });
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
    problems: () => follower.problems,
    onChange: (listener) => listeners.add(listener),
    revision: async (id) => (await revisions.get(id)).snapshot,
    sources: (id) => revisions.sources(id),
    gitCommit: () => follower.decision?.gitCommit,
    refresh: () => folder()?.refresh() ?? follower.refresh(),
    watching: () => folder()?.watching() ?? Promise.resolve(),
    close,
  };
}

/** Writes where this process decides, and refuses where it does not. */
function editor(follower: Follower, writer: () => Writer | undefined): Writer {
  const edit = async <T>(work: (writer: Writer) => Promise<T>): Promise<T> => {
    // A process that was frozen may not know yet that others decide now: its files are not to be changed then.
    if (writer() !== undefined) await follower.confirm();
    const own = writer();
    if (own === undefined) throw follower.elsewhere();
    return work(own);
  };
  return {
    read: (kind, id) => writer()?.read(kind, id) ?? follower.read(kind, id),
    write: (...change) => edit((own) => own.write(...change)),
    create: (...change) => edit((own) => own.create(...change)),
    remove: (...change) => edit((own) => own.remove(...change)),
    reorder: (...change) => edit((own) => own.reorder(...change)),
  };
}
