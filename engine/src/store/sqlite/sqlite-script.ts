import type { DatabaseSync } from 'node:sqlite';
import { plainCodec } from '../codec.ts';
import { inTransaction } from './database-file.ts';
import type { ScriptDialect, Script } from '../maintenance/script.ts';

/**
 * With a key what is overwritten or removed is blotted out (`secure_delete`, set by `openDatabase`), so that only what was
 * removed while there was none, and the WAL, remain to purge.
 */
export const sqliteScriptDialect: ScriptDialect = {
  name: 'data folder',
  plainCodec: plainCodec,
  wrapCodec: (codec) => codec,
  readColumn: (column) => column,
  hasTable: 'SELECT name FROM sqlite_master WHERE name = ?',
  relaxDurability: ['PRAGMA synchronous = NORMAL'],
  restoreDurability: ['PRAGMA synchronous = FULL'],
  purgePlain: ['VACUUM', 'PRAGMA wal_checkpoint(TRUNCATE)'],
  purgeSealed: ['PRAGMA wal_checkpoint(TRUNCATE)'],
};

/** Runs a script to its end, on a data folder that this process has to itself. */
export function runSqliteScript<T>(db: DatabaseSync, script: Script<T>): T {
  let next = script.next();
  while (next.done !== true) {
    const request = next.value;
    let answer: unknown;
    try {
      switch (request.op) {
        case 'query':
          answer = db.prepare(request.text).all(...request.values);
          break;
        case 'transaction':
          inTransaction(db, () => (answer = runSqliteScript(db, request.work())));
          break;
        case 'requireExclusive':
          break;
        default:
          request satisfies never;
      }
    } catch (error) {
      next = script.throw(error);
      continue;
    }
    next = script.next(answer);
  }
  return next.value;
}
