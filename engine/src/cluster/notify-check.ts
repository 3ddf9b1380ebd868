import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { SqlDatabase } from '../store/postgres/sql-database.ts';

/** A message that has not come back by then is lost. */
const ECHO_MS = 10_000;

/** Hint for a database connection that does not deliver NOTIFY. */
export const NOTIFY_HINT =
  'DATABASE_URL has to lead to PostgreSQL itself, or to a pooler in session mode: processes do not hear of each other else';

/** True where NOTIFY arrives at this process. A pooler in transaction mode drops it. Rejects where LISTEN fails. */
export async function receivesOwnNotify(
  database: Pick<SqlDatabase, 'listen' | 'notify'>,
  clock: Clock,
): Promise<boolean> {
  const channel = `callsheet_echo_${randomBytes(6).toString('hex')}`;
  const heard = Promise.withResolvers<boolean>();
  const cancel = clock.delay(() => heard.resolve(false), ECHO_MS);
  try {
    const listening = await database.listen(
      channel,
      () => heard.resolve(true),
      // Reconnected: the lost connection proves nothing, so it sends again.
      () => void database.notify(channel, '').catch(() => heard.resolve(false)),
    );
    try {
      await database.notify(channel, '');
      return await heard.promise;
    } finally {
      await listening.close();
    }
  } finally {
    cancel();
  }
}

/** Throws `STORE_FAILED` where processes on this database cannot notify each other. */
export async function requireNotify(database: Pick<SqlDatabase, 'listen' | 'notify'>, clock: Clock): Promise<void> {
  if (await receivesOwnNotify(database, clock)) return;
  throw new EngineError('STORE_FAILED', 'what is sent by NOTIFY does not come back from the database', {
    hint: NOTIFY_HINT,
    retryable: true,
  });
}
