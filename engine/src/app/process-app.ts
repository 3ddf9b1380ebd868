import { createMetrics } from '../trace/metrics.ts';
import { type App, openApp } from './app.ts';
import { readVersion } from './installation.ts';
import type { ProcessRole } from './join-cluster.ts';
import { type DataLock, lockData } from '../store/sqlite/data-lock.ts';
import type { GuardOptions } from '../store/sqlite/store-guard.ts';
import type { ProcessContext } from './process-context.ts';

/** Options of the app of one process. */
export interface ProcessAppOptions {
  /** Whether to watch the config files. */
  readonly watch: boolean;
  /** Role of this process on a shared store. Default: `command`. */
  readonly role?: ProcessRole;
  /** Whether to count metrics. Default: true for `start`. */
  readonly isCounted?: boolean;
  /** Called when the shared store rejects all further writes of this process until a restart. */
  readonly onOutdated?: () => void;
  /** How the store of a data folder is guarded against the loss of its database. */
  readonly guard?: GuardOptions;
  /** Whether the caller has locked the data folder, and unlocks it. */
  readonly isLocked?: boolean;
}

/**
 * Locks the data folder that a process uses, until `release`; undefined where it uses the shared database of `DATABASE_URL` instead.
 * `DATA_LOCKED` if another process has it.
 */
export function lockDataFolder({
  dataDir,
  env,
  log,
}: Pick<ProcessContext, 'dataDir' | 'env' | 'log'>): DataLock | undefined {
  return (env('DATABASE_URL') ?? '') === '' ? lockData(dataDir, log) : undefined;
}

/** Opens the app of a command: on the shared database of `DATABASE_URL` if set, else on the data folder. */
export async function openProcessApp(context: ProcessContext, options: ProcessAppOptions): Promise<App> {
  const { configDir, dataDir, env, log, redactor } = context;
  const { watch, role = 'command', isCounted = role === 'start', onOutdated } = options;
  const version = readVersion();
  const metrics = isCounted ? { metrics: createMetrics({ version, hasProcess: true }) } : {};
  const guard = options.guard && { guard: options.guard };
  const { isLocked } = options;
  const given = { configDir, dataDir, env, log, redactor, watch, role, isLocked, ...metrics, ...guard };
  const url = env('DATABASE_URL');
  if (url === undefined || url === '') return openApp(given);
  const { openSharedStore } = await import('./shared-store.ts');
  const own = {
    ...(role === 'start' && { ownDir: dataDir, acceptsNewStore: options.guard?.acceptsNewStore }),
    ...(onOutdated && { onOutdated }),
  };
  return openApp({ ...given, storeHandle: await openSharedStore({ url, env, log, redactor, version, ...own }) });
}
