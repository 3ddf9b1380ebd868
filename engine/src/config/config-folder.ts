import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { deepFreeze } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import { ConfigListeners } from './change-listeners.ts';
import type { ToolCatalog, LastGoodStore, RevisionSource, Settings, Writer } from './config.ts';
import { ownFolders } from './own-folders.ts';
import { groupHosts, type SecretUse, secretUses } from './secret-uses.ts';
import type { SecretHosts } from './secrets.ts';
import type { Checks, ValidDocument } from './validate/validate.ts';
import { FileTable } from './validate/file-table.ts';
import { LastGoodSet } from './revision/last-good.ts';
import { LiveConfig, type Proposal } from './live/live-config.ts';
import { SnapshotCache } from './revision/snapshot-cache.ts';
import { type CheckShape, createShapeCheck } from './parse/schema.ts';
import { watchFolder } from './live/watch.ts';
import { createWriter } from './edit/writer.ts';

/** The parts of a running config that are the same whether this process decides it or follows another. */
export interface ConfigCore {
  readonly checks: Checks;
  /** The settings if there is no settings file. */
  readonly defaults: Settings;
  readonly revisions: SnapshotCache;
  readonly listeners: ConfigListeners;
  /** Which hosts may get the values of secrets. Undefined: a process without a store, where every host may. */
  readonly secretHosts: SecretHosts | undefined;
  readonly log: Logger;
  readonly clock: Clock;
}

interface CoreOptions {
  /** The config folder. */
  readonly dir: string;
  /** The data folder; absent for a process without one. */
  readonly dataDir?: string | undefined;
  readonly revisionStore: RevisionSource;
  readonly catalog: ToolCatalog;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** Version of this Callsheet. */
  readonly version?: string | undefined;
  /** See `ConfigCore`. */
  readonly secretHosts?: SecretHosts | undefined;
}

/** Creates the core of a config without documents. */
export function createConfigCore(options: CoreOptions): ConfigCore {
  const { revisionStore, catalog, env, log, clock, version = '', secretHosts } = options;
  const stored: Checks = { checkShape: createShapeCheck(), catalog, env };
  const checks: Checks = { ...stored, folders: ownFolders(options) };
  const defaults = defaultSettings(checks.checkShape);
  const revisions = new SnapshotCache({
    ...{ revisionStore, checks: stored, defaults, version },
    // A revision of another process may use hosts that a person has just allowed there.
    beforeUse: async () => secretHosts?.reload(),
  });
  return { checks, defaults, revisions, listeners: new ConfigListeners(log), secretHosts, log, clock };
}

/** The settings if there is no settings file. */
export function defaultSettings(checkShape: CheckShape): Settings {
  const value = {};
  if (checkShape('settings', value).length > 0)
    throw new EngineError('INTERNAL', 'the defaults of settings.schema.json are not valid');
  // The schema has filled in the defaults, and the generated type describes their shape.
  return deepFreeze(value) as Settings;
}

interface FolderOptions {
  /** Absolute path of the config folder. */
  readonly dir: string;
  /** Without `saveGood` where several processes share a store: there each decision saves the last good set. */
  readonly revisionStore: RevisionSource & Partial<LastGoodStore>;
  readonly isWatched: boolean;
  /** See `LiveConfig`. */
  readonly decide?: (proposal: Proposal, settle: () => void) => Promise<void>;
}

/** A config folder whose files decide the running config. */
export interface ConfigFolder {
  readonly live: LiveConfig;
  readonly writer: Writer;
  /** Reads every file again. */
  refresh(): Promise<void>;
  /** Resolves once the watcher is ready; at once if there is none. */
  watching(): Promise<void>;
  /** Stops watching. Resolves once all changes are applied and the last good set is saved. */
  close(): Promise<void>;
}

/** Reads the folder, applies it, and follows its changes until `close`. Errors of the store are passed on. */
export async function openFolder(core: ConfigCore, options: FolderOptions): Promise<ConfigFolder> {
  const { checks, log, clock, secretHosts } = core;
  const { dir, revisionStore, isWatched, decide } = options;
  const table = new FileTable(checks);
  const good = new LastGoodSet(revisionStore, checks, log);
  const live = new LiveConfig({ ...core, dir, table, good, ...(decide && { decide }) });
  await good.load();
  // After an upgrade the store has secrets without hosts: what was accepted before counts, not what the files name by now.
  await secretHosts?.bindFirst(() => groupHosts(good.documents().flatMap(secretUsesOf)));
  await live.update('all');
  const stopRechecking = secretHosts?.onHostsChange(() => void live.recheck().catch(logFailure(log)));
  const onChange = (hint: Parameters<LiveConfig['update']>[0]) => void live.update(hint).catch(logFailure(log));
  const watcher = isWatched ? watchFolder({ dir, clock, log, onChange }) : undefined;
  return {
    live,
    writer: createWriter({ dir, table, live, checks }),
    refresh: () => live.update('all'),
    watching: () => watcher?.ready ?? Promise.resolve(),
    close: async () => {
      stopRechecking?.();
      await watcher?.close();
      await live.settled();
      await good.saved();
    },
  };
}

function secretUsesOf({ typed, isEnabled }: ValidDocument): SecretUse[] {
  return isEnabled ? secretUses(typed) : [];
}

function logFailure(log: Logger): (error: unknown) => void {
  return (error) => log.error('a change of the config could not be applied', { why: String(error) });
}
