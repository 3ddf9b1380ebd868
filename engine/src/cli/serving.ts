import { join } from 'node:path';
import type { Services } from '../api/api.ts';
import { openSessions } from '../api/session.ts';
import { type App, openApp, question } from './app.ts';
import { type Client, createClient } from './client.ts';
import { type CommandContext, HOME, readVersion } from './context.ts';
import { findServer } from './server-file.ts';

/** Shorter tokens are words that may stand anywhere; blotting those out would eat ordinary text. */
const MIN_SECRET = 16;

/** Opens the folders of a command. */
export function openFolders(context: CommandContext, options: { readonly watch: boolean }): Promise<App> {
  const { configDir, dataDir, env, log, redactor } = context;
  return openApp({ configDir, dataDir, env, log, redactor, watch: options.watch });
}

/** What the HTTP edge needs, from an app. `token` is made anew unless it is given. */
export async function servicesOf(
  app: App,
  { redactor }: Pick<CommandContext, 'redactor'>,
  token: string | undefined,
): Promise<Services> {
  const { parts, engine, fetcher, config, mailRoom: mail, judge, dataDir, storage, secrets } = app;
  const sessions = await openSessions({ dataDir, store: parts.store, clock: parts.clock, token });
  if (sessions.token.length >= MIN_SECRET) redactor.add(sessions.token);
  return {
    version: readVersion(),
    dataDir,
    storage,
    uiDir: join(HOME, 'ui'),
    parts,
    engine,
    fetcher,
    config,
    mail,
    judge: (subject, snapshot) => judge.judge(question(subject, snapshot)),
    secrets,
    sessions,
  };
}

/**
 * Does `work` over the API: that of the live server of the data folder where there is one, else over one of our own on the
 * opened folder, which goes when the work is done. `isDriving` says whether runs go on meanwhile; without it what the work
 * changes is taken up at the next start. `DATA_LOCKED` where the folder is taken and no server answers.
 */
export async function withApi<T>(
  context: CommandContext,
  { isDriving }: { readonly isDriving: boolean },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const live = await findServer(context.dataDir);
  if (live !== undefined) return work(createClient(live, true));
  const app = await openFolders(context, { watch: false });
  try {
    if (!isDriving) await app.engine.stop();
    const { listen } = await import('../api/server.ts');
    const services = await servicesOf(app, context, undefined);
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
