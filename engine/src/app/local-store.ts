import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { ClusterDependencies } from '../run/dependencies.ts';
import type { Claims } from '../cluster/claims.ts';
import { parseKey } from '../store/cipher.ts';
import { lockData } from '../store/sqlite/data-lock.ts';
import { openSqlite } from '../store/sqlite/sqlite-store.ts';
import type { Signals } from '../cluster/signals.ts';
import type { Store } from '../store/store.ts';
import type { ProcessContext } from './process-context.ts';

/** What joins the processes on one store. */
export interface ClusterHandle {
  readonly claims: Claims;
  readonly signals: Signals;
  /** Who this process is, in words for people. */
  readonly by: string;
  /** Of the database, without its password. */
  readonly address: string;
}

/** What an app stands on: the store, and what joins it to other processes on the same one. */
export interface StoreHandle {
  readonly store: Store;
  /** Set where several processes share the store. */
  readonly shared?: ClusterDependencies;
  readonly joined?: ClusterHandle;
  close(): Promise<void>;
}

type Context = Pick<ProcessContext, 'dataDir' | 'env' | 'log' | 'redactor'>;

/** The store of a data folder, which this process then has to itself. `DATA_LOCKED` where another one has it; `STORE_*`. */
export async function openLocalStore({ dataDir, env, log, redactor }: Context): Promise<StoreHandle> {
  const lock = lockData(dataDir);
  try {
    const store = openSqlite({ dir: dataDir, key: readKey(env, redactor, log), log });
    return {
      store,
      async close() {
        await store.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** `DATA_LOCKED` where a process works on a data folder. */
export function expectUnlocked(dataDir: string): void {
  lockData(dataDir).release();
}

/** The key of the store, if there is a valid one: anything else means plain text (seed 000, 3.2.7), and is said. */
export function readKey(env: Context['env'], redactor: Redactor, log: Logger): string | undefined {
  const text = env('VX_MAILAGENT_KEY') ?? '';
  const key = parseKey(text);
  if (key !== undefined) redactor.add(text.trim());
  else if (text !== '')
    log.warn('VX_MAILAGENT_KEY is not 64 hex digits and is left out', {
      hint: 'callsheet key make prints one that is',
    });
  return key;
}
