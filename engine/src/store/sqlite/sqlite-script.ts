import type { DatabaseSync } from 'node:sqlite';
import { plainCodec } from '../codec.ts';
import { inTransaction } from './database-file.ts';
import type { ScriptDialect, Script } from '../maintenance/script.ts';

/**
 * How scripts use SQLite. With a key, SQLite overwrites deleted content with zeros (`secure_delete`, set by
 * `openDatabase`). So only two things remain to purge: content that was deleted before the store had a key, and the
 * write-ahead log.
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

/** Runs a script to its end, on a data folder that this process has locked. */
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
