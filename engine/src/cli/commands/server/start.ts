import { existsSync } from 'node:fs';
import type { App } from '../../../app/app.ts';
import { openProcessApp } from '../../../app/process-app.ts';
import { fillInbox } from '../../../app/sample-inbox.ts';
import { type AppServer, serveApp } from '../../../app/serve-app.ts';
import { EngineError } from '../../../base/error.ts';
import { formatProblems } from '../../../config/report.ts';
import { openBrowser } from '../../terminal/browser.ts';
import type { CommandContext } from '../../context.ts';
import { listenKeys } from './hotkeys.ts';
import { removeServerFile, writeServerFile } from '../../server-file.ts';
import { EXIT } from '../../terminal/terminal.ts';

interface StartOptions {
  /** 0 takes a free one; undefined takes that of the settings, or the next free one above it. */
  readonly port?: number;
  readonly open: boolean;
}

/** After this long the process ends, whatever is still under way: the store takes it up at the next start. */
const STOP_MS = 9000;
/** What acts on the world may end within this time: of a call that is cut off nobody knows whether it happened. */
export const WRITES_MS = 5000;

/** `start`: works until a signal or the key q. Exit 0, 130 where Ctrl-C ended it, 2 where it cannot begin. */
export async function start(context: CommandContext, options: StartOptions): Promise<number> {
  const { configDir, dataDir, log, terminal } = context;
  if (!existsSync(configDir))
    throw new EngineError('USAGE', `there is no config folder ${configDir}`, {
      hint: 'go to the folder that holds config/, or name it with --config',
    });
  const stopped = nextStop(context);
  const app = await openProcessApp(context, { watch: true, role: 'start', onOutdated: () => stopped.stop('outdated') });
  try {
    logStore(context, app);
    tellConfig(context, app);
    await fillInbox(app, log);
    const token = context.env('CALLSHEET_TOKEN') || undefined;
    const server = await serveApp(app, context, { port: options.port, token });
    try {
      const link = announce(context, server);
      void app.deps.metrics?.load();
      const resumed = await app.start();
      if (resumed > 0) log.info('unfinished runs taken up', { machines: resumed });
      app.fetcher.start();
      app.retention.start();
      const closeKeys = listenKeys(context, { url: link, reload: () => app.config.refresh(), quit: stopped.stop });
      if (options.open && terminal.isStdoutTty && !context.env('CI') && !context.isJson)
        openBrowser(link, terminal.platform);
      const reason = await stopped.promise;
      closeKeys();
      log.info('stopping', { reason });
      return exitCodeFor(reason);
    } finally {
      removeServerFile(dataDir, terminal.pid);
      await server.close();
    }
  } finally {
    await app.close({ graceMs: WRITES_MS });
    stopped.done();
  }
}

/** Says where everything is kept, and how. */
export function logStore({ dataDir, log }: CommandContext, { joined, storage }: App): void {
  if (joined === undefined) log.info('data folder open', { data: dataDir, storage });
  else log.info('database open', { database: joined.address, storage, as: joined.by });
  if (storage === 'plaintext')
    log.warn('mail, transcripts and results are stored in plain text', {
      hint: 'callsheet key make prints a key for VX_MAILAGENT_KEY',
    });
}

/** Why a process ends; outdated: the shared store takes nothing from it before it is started again. */
type Reason = 'SIGINT' | 'SIGTERM' | 'q' | 'outdated';

/** The exit code for it: whoever watches over the process is to start one again that was outdated. */
export function exitCodeFor(reason: Reason): number {
  if (reason === 'outdated') return EXIT.warning;
  return reason === 'SIGINT' ? EXIT.interrupted : EXIT.fine;
}

/** The first signal asks to stop, a second one, or too long a stop, ends the process at once. */
export function nextStop({ terminal, log }: CommandContext) {
  const { promise, resolve } = Promise.withResolvers<Reason>();
  let isStopping = false;
  let limit: NodeJS.Timeout | undefined;
  const stop = (reason: Reason) => {
    if (isStopping && reason === 'outdated') return;
    if (isStopping) return terminal.exit(EXIT.interrupted);
    isStopping = true;
    limit = setTimeout(() => {
      log.warn('stopping took too long; what was under way goes on at the next start');
      terminal.exit(reason === 'SIGINT' ? EXIT.interrupted : EXIT.fine);
    }, STOP_MS);
    resolve(reason);
  };
  const off = terminal.onSignal(stop);
  const done = () => {
    off();
    clearTimeout(limit);
  };
  return { promise, stop, done };
}

/** Says what runs and what is wrong. A config with errors still runs with what is valid. */
function tellConfig({ terminal, hasColor, isJson, isQuiet, log }: CommandContext, { config }: App): void {
  const { revision, directors } = config.current();
  const problems = config.problems();
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const facts = {
    revision: revision.slice(0, 12),
    directors: directors.size,
    errors,
    warnings: problems.length - errors,
  };
  if (errors > 0) log.warn('the config has errors: what is valid runs, the rest is left out', facts);
  else log.info('config loaded', facts);
  if (isQuiet || problems.length === 0) return;
  if (isJson)
    for (const { severity, ...problem } of problems)
      log[severity === 'error' ? 'error' : 'warn']('config problem', problem);
  else terminal.err(formatProblems({ revision, problems }, 'pretty', { color: hasColor.err }));
}

/** Tells where the viewer is: on stdout, and for other commands in the data folder. Returns the link with the token. */
function announce({ terminal, dataDir, isJson }: CommandContext, { version, url, token }: AppServer): string {
  const link = `${url}/?token=${encodeURIComponent(token)}`;
  writeServerFile(dataDir, { url, token, pid: terminal.pid });
  terminal.out(isJson ? `${JSON.stringify({ url, token })}\n` : `Callsheet ${version} is at ${link}\n`);
  return link;
}
