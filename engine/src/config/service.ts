import { dirname, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { deepFreeze } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import type { DocumentState, Knowledge, Problem, RevisionPlace, Settings, Snapshot, StoredDocument } from './config.ts';
import type { Checks } from './document.ts';
import { FileTable } from './file-table.ts';
import { GoodSet } from './good.ts';
import { type ConfigChange, LiveConfig } from './live.ts';
import { Revisions } from './revision.ts';
import { type CheckShape, createShapeCheck } from './schema.ts';
import { buildRevision } from './snapshot.ts';
import { watchFolder } from './watch.ts';
import { createWriter, type Writer } from './write.ts';

export type { ConfigChange } from './live.ts';

export interface ConfigOptions {
  /** The config folder; it need not exist yet. */
  readonly dir: string;
  readonly place: RevisionPlace;
  readonly knowledge: Knowledge;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** False for commands that look once; true by default. */
  readonly watch?: boolean;
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
  /** The snapshot of a revision: `NOT_FOUND`, or `CONFIG_INVALID` where this version of the engine cannot use it. */
  revision(id: string): Promise<Snapshot>;
  /** The documents of the current or a recent revision, to be stored with a run; `NOT_FOUND` otherwise. */
  sources(revisionId: string): ReadonlyMap<string, StoredDocument>;
  /** Looks at every file again, now. */
  refresh(): Promise<void>;
  /** Resolves once the watcher is in place; at once where there is none. */
  watching(): Promise<void>;
  /** Ends watching; resolves once the last good set is saved. */
  close(): Promise<void>;
}

/** Reads the config folder, applies what links, and keeps up with its changes until `close`. Errors of the store pass. */
export async function openConfig({ dir: folder, watch = true, ...options }: ConfigOptions): Promise<ConfigService> {
  const { place, knowledge, env, log, clock } = options;
  const dir = resolve(folder);
  const checks: Checks = { checkShape: createShapeCheck(), knowledge, env };
  const defaults = defaultSettings(checks.checkShape);
  const table = new FileTable(checks);
  const good = new GoodSet(place, checks, log);
  const none = buildRevision(new Map(), defaults);
  const revisions = new Revisions(place, checks, defaults, none);
  const live = new LiveConfig({ dir, table, good, revisions, defaults, log });
  await good.load();
  await live.start();
  const watcher = watch
    ? watchFolder({ dir, clock, log, onHint: (hint) => void live.follow(hint).catch(failed(log)) })
    : undefined;
  return {
    ...createWriter({ dir, table, live, checks }),
    dir,
    baseDir: dirname(dir),
    current: () => revisions.current.snapshot,
    documents: () => live.documents,
    problems: () => live.problems,
    onChange: (listener) => live.onChange(listener),
    revision: (id) => revisions.snapshot(id),
    sources: (id) => revisions.sources(id),
    refresh: () => live.follow('all'),
    watching: () => watcher?.ready ?? Promise.resolve(),
    close: async () => {
      await watcher?.close();
      await live.settled();
      await good.saved();
    },
  };
}

/** The settings where there is no file. */
export function defaultSettings(checkShape: CheckShape): Settings {
  const value = {};
  if (checkShape('settings', value).length > 0)
    throw new EngineError('INTERNAL', 'the defaults of settings.schema.json are not valid');
  // Filled in by the schema, whose shape the generated type describes.
  return deepFreeze(value) as Settings;
}

function failed(log: Logger): (error: unknown) => void {
  return (error) => log.error('a change of the config could not be applied', { why: String(error) });
}
