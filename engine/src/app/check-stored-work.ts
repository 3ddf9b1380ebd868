import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup } from 'node:sqlite';
import { systemClock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { silentLogger } from '../base/log.ts';
import { createRevisionStore } from '../config/revision/revision-store.ts';
import { checkInFlight } from '../run/in-flight/check-in-flight.ts';
import type { InFlight } from '../run/in-flight/in-flight.ts';
import { MODES } from '../run/mode/registry.ts';
import type { InspectedStore } from '../store/maintenance/inspection.ts';
import { DATABASE_FILE, openReadOnly } from '../store/sqlite/database-file.ts';
import { openSqlite } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { openMcpServers } from '../tool/mcp/open-server.ts';
import { openRunTools } from '../tool/open-run-tools.ts';
import { inspectConfig, inspectDatabase } from './inspect.ts';
import { inspectDataFolder, keyOf } from '../store/sqlite/inspect-data-folder.ts';
import { readVersion } from './installation.ts';
import type { ProcessContext } from './process-context.ts';
import { builtInToolTable } from './tool-catalog.ts';

type Context = Pick<ProcessContext, 'configDir' | 'dataDir' | 'env' | 'redactor'>;

/**
 * Checks the open runs, sessions and objectives of the store against the config folder as it is now (`checkInFlight`). Reads the
 * store without its lock, so a server may run; nothing is asked, started or changed. Undefined where there is no store yet;
 * `STORE_*`.
 */
export async function checkStoredWork(
  context: Context,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly InFlight[] | undefined> {
  const opened = await openForReading(context);
  if (opened === undefined) return undefined;
  try {
    const { store } = opened;
    const revisions = createRevisionStore(store, readVersion());
    const config = await inspectConfig(context, store, (id, has) => revisions.loadRevision(id, has));
    try {
      const log = silentLogger;
      const { env, redactor } = context;
      const baseDir = dirname(context.configDir);
      const services = { clock: systemClock, log, redactor, baseDir, env, resolve: () => undefined };
      // Without `open` no server is connected: the stored lists of tools are read.
      const servers = openMcpServers(services, store, readVersion());
      const tools = openRunTools({ builtIn: builtInToolTable(), services, servers });
      const now = systemClock.now();
      return await checkInFlight({ store, config, tools, modes: MODES, now }, options);
    } finally {
      await config.close();
    }
  } finally {
    await opened.close();
  }
}

interface Opened {
  readonly store: Store;
  close(): Promise<void>;
}

/** Opens the store of a data folder or a database for reading, without its lock. Undefined where there is none yet; `STORE_*`. */
export async function openForReading(context: Context): Promise<Opened | undefined> {
  const url = context.env('DATABASE_URL') ?? '';
  if (url !== '') return openDatabase(context, url);
  const store = await inspectDataFolder(context);
  if (store === undefined || isCurrent(store)) return store && { store, close: () => store.close() };
  await store.close();
  return openCopy(context);
}

async function openDatabase(context: Context, url: string): Promise<Opened | undefined> {
  const database = await inspectDatabase(url, context);
  const store = await database.openStore().catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  if (store !== undefined && isCurrent(store)) return { store, close: () => database.close() };
  await database.close();
  if (store === undefined) return undefined;
  throw new EngineError('STORE_FAILED', 'the database has the tables of another version of Callsheet', {
    hint: 'run this command with the version of Callsheet that uses the database, or start this version first',
  });
}

function isCurrent({ schema }: InspectedStore): boolean {
  return schema.found === schema.known;
}

/** A copy of a store of an earlier version, brought to this one; the store itself stays as it is. `STORE_*`. */
async function openCopy({ dataDir, env }: Context): Promise<Opened> {
  const dir = mkdtempSync(join(dataDir, 'check-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    const source = openReadOnly(join(dataDir, DATABASE_FILE));
    try {
      await backup(source, join(dir, DATABASE_FILE));
    } finally {
      source.close();
    }
    const store = openSqlite({ dir, key: keyOf(env) });
    return {
      store,
      async close() {
        await store.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
