import { createMetrics } from '../trace/metrics.ts';
import { type App, openApp } from './app.ts';
import { readVersion } from './installation.ts';
import type { ProcessRole } from './join-cluster.ts';
import type { ProcessContext } from './process-context.ts';

/** What the process does with the app. */
export interface ProcessAppOptions {
  /** True keeps up with changes of the config files. */
  readonly watch: boolean;
  /** What this process does for the others on a shared store. Default: `command`. */
  readonly role?: ProcessRole;
  /** Whether somebody may ask for metrics. Default: true for `start`. */
  readonly isCounted?: boolean;
  /** Called once a shared store takes nothing from this process any more before it is started again. */
  readonly onOutdated?: () => void;
}

/** Opens what a command works on: the data folder, or the database that `DATABASE_URL` names, which several processes share. */
export async function openProcessApp(context: ProcessContext, options: ProcessAppOptions): Promise<App> {
  const { configDir, dataDir, env, log, redactor } = context;
  const { watch, role = 'command', isCounted = role === 'start', onOutdated } = options;
  const version = readVersion();
  const metrics = isCounted ? { metrics: createMetrics({ version, hasProcess: true }) } : {};
  const given = { configDir, dataDir, env, log, redactor, watch, role, ...metrics };
  const url = env('DATABASE_URL');
  if (url === undefined || url === '') return openApp(given);
  const { openSharedStore } = await import('./shared-store.ts');
  const own = { ...(role === 'start' && { ownDir: dataDir }), ...(onOutdated && { onOutdated }) };
  return openApp({ ...given, storeHandle: await openSharedStore({ url, env, log, redactor, version, ...own }) });
}
