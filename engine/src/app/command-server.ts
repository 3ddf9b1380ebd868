import { openProcessApp } from './process-app.ts';
import type { ProcessContext } from './process-context.ts';

/** A temporary server for one command. */
export interface CommandServer {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Opens the data folder, or the shared database, and serves it on a free port. `isDriving`: the server also processes runs and rounds of chats;
 * without it, changes take effect at the next start. `DATA_LOCKED` if another process uses the data folder.
 */
export async function openCommandServer(
  context: ProcessContext,
  { isDriving }: { readonly isDriving: boolean },
): Promise<CommandServer> {
  const app = await openProcessApp(context, { watch: false });
  try {
    // On a shared store the other processes process runs; this one helps only if the command waits for a run.
    if (app.joined !== undefined && isDriving) await app.start();
    if (app.joined === undefined && !isDriving) await app.engine.stop();
    if (isDriving) app.notices.startRounds();
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
