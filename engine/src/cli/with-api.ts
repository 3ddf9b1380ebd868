import { type ApiClient, createClient } from './client.ts';
import type { CommandContext } from './context.ts';
import { findServer } from './server-file.ts';
import { openProcessApp, servicesOf } from '../app/api-services.ts';

/**
 * Does `work` over the API: that of the live server of the data folder where there is one, else over one of our own on the
 * opened folder, which goes when the work is done. `isDriving` says whether runs go on meanwhile; without it what the work
 * changes is taken up at the next start. `DATA_LOCKED` where the folder is taken and no server answers.
 */
export async function withApi<T>(
  context: CommandContext,
  { isDriving }: { readonly isDriving: boolean },
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const live = await findServer(context.dataDir);
  if (live !== undefined) return work(createClient(live, true));
  const app = await openProcessApp(context, { watch: false });
  try {
    // On a shared store others work what is changed here, and this process only helps where it waits for the outcome.
    if (app.joined !== undefined && isDriving) await app.start();
    if (app.joined === undefined && !isDriving) await app.engine.stop();
    const { listen } = await import('../api/server.ts');
    const services = await servicesOf(app, context, undefined, { isBrief: true });
    const listening = await listen(services, { port: 0 });
    try {
      return await work(createClient({ url: listening.url, token: services.sessions.token }, false));
    } finally {
      await listening.close();
    }
  } finally {
    await app.close();
  }
}
