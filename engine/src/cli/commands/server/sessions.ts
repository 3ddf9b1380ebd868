import { endStoredSessions } from '../../../app/local-store.ts';
import { createClient } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { findServer } from '../../server-file.ts';

/**
 * `sessions end`: ends all sessions of browsers, at the running server or in the data folder. Open pages and their streams end
 * at once. `DATA_LOCKED` if a server has the data folder and does not answer.
 */
export async function endSessions(context: CommandContext): Promise<number> {
  const { dataDir, log, say, isJson, print } = context;
  const server = await findServer(dataDir);
  if (server === undefined) endStoredSessions(dataDir, log);
  else await createClient(server, true).request('DELETE', '/api/browser-sessions');
  if (isJson) print({ ended: true });
  else say('All browsers are signed out. To sign in again, open the URL that callsheet start printed.');
  return 0;
}
