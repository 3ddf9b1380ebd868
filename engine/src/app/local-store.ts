import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deleteSessionKey } from '../api/auth/session-key.ts';
import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import { deleteIndexFile, INDEX_FILE } from '../memory/search/index-database.ts';
import type { ClusterDependencies } from '../run/dependencies.ts';
import type { Claims } from '../cluster/claims.ts';
import { parseKey } from '../store/cipher.ts';
import { lockData, acquireLock } from '../store/sqlite/data-lock.ts';
import type { GuardOptions } from '../store/sqlite/store-guard.ts';
import { openSqlite } from '../store/sqlite/sqlite-store.ts';
import type { Signals } from '../cluster/signals.ts';
import type { Store } from '../store/store.ts';
import type { ProcessContext } from './process-context.ts';

/** Coordination of the processes on a shared store. */
export interface ClusterHandle {
  readonly claims: Claims;
  readonly signals: Signals;
  /** Name of this process in messages. */
  readonly by: string;
  /** URL of the database without its password. */
  readonly address: string;
}

/** An open store, with the coordination of other processes if it is shared. */
export interface StoreHandle {
  readonly store: Store;
  /** Set where several processes share the store. */
  readonly shared?: ClusterDependencies;
  readonly joined?: ClusterHandle;
  close(): Promise<void>;
}

type Context = Pick<ProcessContext, 'dataDir' | 'env' | 'log' | 'redactor'>;

/** How the store of a data folder is opened. */
export interface LocalStoreOptions extends Context {
  readonly guard?: GuardOptions | undefined;
  /** Whether the caller has locked the data folder, and unlocks it. Default false. */
  readonly isLocked?: boolean | undefined;
}

/**
 * Opens and locks the store of a data folder. With a key, nothing stays in plain text: neither the store nor the search index of
 * memories. `DATA_LOCKED` if another process uses it; `STORE_*`.
 */
export async function openLocalStore({
  dataDir,
  env,
  log,
  redactor,
  guard = {},
  isLocked = false,
}: LocalStoreOptions): Promise<StoreHandle> {
  const lock = isLocked ? undefined : lockData(dataDir, log);
  try {
    const store = openSqlite({ dir: dataDir, key: readKey(env, redactor, log), log, guard });
    if (store.storage === 'encrypted') deleteIndexFile(join(dataDir, INDEX_FILE));
    return {
      store,
      async close() {
        await store.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Throws `DATA_LOCKED` if another process uses a data folder. */
export function expectUnlocked(dataDir: string): void {
  acquireLock(dataDir).release();
}

/** The encryption key, redacted in logs. An invalid key means plain text (seed 000, 3.2.7), with a warning. */
export function readKey(env: Context['env'], redactor: Redactor, log: Logger): string | undefined {
  const text = env('VX_MAILAGENT_KEY') ?? '';
  const key = parseKey(text);
  if (key !== undefined) redactor.add(text.trim());
  else if (text !== '')
    log.warn('VX_MAILAGENT_KEY is ignored: expected 64 hex digits', {
      hint: 'make one with callsheet key make',
    });
  return key;
}

/** Ends all browser sessions of a data folder that no server uses. `DATA_LOCKED` if a process uses it. */
export function endStoredSessions(dataDir: string, log: Logger): void {
  if (!existsSync(dataDir)) return;
  const lock = lockData(dataDir, log);
  try {
    deleteSessionKey(dataDir);
  } finally {
    lock.release();
  }
}
