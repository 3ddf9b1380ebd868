import { openProcessApp } from './process-app.ts';
import type { ProcessContext } from './process-context.ts';

/** A server of our own for one command, where none runs. */
export interface CommandServer {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Opens the data folder, or the shared database, and serves it on a free port. `isDriving` says whether runs go on meanwhile;
 * without it what the work changes is taken up at the next start. `DATA_LOCKED` where another process has the data folder.
 */
export async function openCommandServer(
  context: ProcessContext,
  { isDriving }: { readonly isDriving: boolean },
): Promise<CommandServer> {
  const app = await openProcessApp(context, { watch: false });
  try {
    // On a shared store others work what is changed here, and this process only helps where it waits for the outcome.
    if (app.joined !== undefined && isDriving) await app.start();
    if (app.joined === undefined && !isDriving) await app.engine.stop();
    const { serveApp } = await import('./serve-app.ts');
    const { url, token, close } = await serveApp(app, context, { port: 0, isBrief: true });
    return {
      url,
      token,
      async close() {
        await close().finally(() => app.close());
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}
