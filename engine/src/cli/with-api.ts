import { type ApiClient, createClient } from './client.ts';
import type { CommandContext } from './context.ts';
import { findServer } from './server-file.ts';

/**
 * Does `work` over the API: that of the live server of the data folder where there is one, else over one of our own on the
 * opened folder, which goes when the work is done. `isDriving` says whether runs go on meanwhile; without it what the work
 * changes is taken up at the next start. `DATA_LOCKED` where the folder is taken and no server answers.
 */
export async function withApi<T>(
  context: CommandContext,
  options: { readonly isDriving: boolean },
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const live = await findServer(context.dataDir);
  if (live !== undefined) return work(createClient(live, true));
  // A command on a live server needs none of the rooms that this one loads.
  const { openCommandServer } = await import('../app/command-server.ts');
  const server = await openCommandServer(context, options);
  try {
    return await work(createClient(server, false));
  } finally {
    await server.close();
  }
}
