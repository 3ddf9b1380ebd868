import { existsSync } from 'node:fs';
import type { App } from '../../../app/app.ts';
import { lockDataFolder, openProcessApp } from '../../../app/process-app.ts';
import { ShadowLoop } from '../../../app/scratch/shadow-loop.ts';
import { fillInbox } from '../../../app/sample-inbox.ts';
import { type AppServer, serveApp } from '../../../app/serve-app.ts';
import { encryptFolder } from '../../../app/services/encrypt-folder.ts';
import { KEY_NAME } from '../../../app/services/env-key.ts';
import { EngineError, type ErrorBody } from '../../../base/error.ts';
import { isOwnVariable } from '../../../config/own-variables.ts';
import { openBrowser } from '../../terminal/browser.ts';
import type { CommandContext } from '../../context.ts';
import { listenKeys } from './hotkeys.ts';
import { readToken } from './token.ts';
import { reportChanges, reportConfig } from './report-config.ts';
import { reportRuns } from './report-runs.ts';
import { watchEnv } from './watch-env.ts';
import { removeServerFile, writeServerFile } from '../../server-file.ts';
import { EXIT } from '../../terminal/terminal.ts';

interface StartOptions {
  /** 0 for any free port; undefined for the port of the settings, or the next free one above it. */
  readonly port?: number;
  readonly open: boolean;
  /** Uses the database although it is another or an older one than before. */
  readonly acceptNewStore?: boolean;
}

/** Time limit of a stop. After it the process exits, and the next start resumes unfinished work. */
const STOP_MS = 9000;
/** Time that a process gets to end by itself once everything is closed. With the limit above less than 10 s. */
const LINGER_MS = 900;
/** Time that writing tool calls get to finish on a stop: the outcome of an aborted call is unknown. */
export const WRITES_MS = 5000;

/** `start`: runs until a signal or the key q. Exit 0, 130 after Ctrl-C, 2 if it cannot start. */
export async function start(context: CommandContext, options: StartOptions): Promise<number> {
  const { configDir } = context;
  if (!existsSync(configDir))
    throw new EngineError('USAGE', `there is no config folder ${configDir}`, {
      hint: 'change to the folder that contains config/, or use --config',
    });
  const token = readToken(context);
  const stopped = nextStop(context);
  // Kept from the first round to the last: while the data folder is encrypted, no other process may use it.
  const lock = lockDataFolder(context);
  try {
    return await serveRounds(stopped, context, { ...options, token });
  } finally {
    lock?.release();
    stopped.done();
  }
}

/** What one round of serving begins with. A later round has the port and the token of the one before. */
interface Round extends StartOptions {
  readonly token: string | undefined;
  readonly isAgain?: boolean;
  /** Why the encryption before this round changed nothing. */
  readonly failure?: ErrorBody | undefined;
}

/** The end of a round. */
interface RoundEnd {
  readonly reason: Reason | 'encrypt';
  readonly port: number;
  readonly token: string;
}

/** Serves until the process shall stop. A click in the viewer ends a round, encrypts the data folder, and begins the next round. */
async function serveRounds(stopped: NextStop, context: CommandContext, first: Round): Promise<number> {
  for (let round = first; ;) {
    const { reason, port, token } = await serveUntil(stopped, context, round);
    if (reason !== 'encrypt') return exitCodeFor(reason);
    const signal = stopped.reason();
    if (signal !== undefined) return exitCodeFor(signal);
    const failure = await encryptFolder({ ...context, envPath: context.envFile.path });
    // Of the engine's own variables only the key is new.
    context.envFile.reload((name) => name !== KEY_NAME && isOwnVariable(name));
    if (failure !== undefined)
      context.log.error(`the data folder was not encrypted: ${failure.message}`, { ...failure });
    round = { ...first, port, token, failure, open: false, isAgain: true };
  }
}

/** When the metrics of the process begin, unless they are asked for before: loading them would delay the first page. */
const METRICS_AFTER_MS = 1000;

async function serveUntil(stopped: NextStop, context: CommandContext, round: Round): Promise<RoundEnd> {
  const { dataDir, log, terminal } = context;
  const encrypting = Promise.withResolvers<'encrypt'>();
  const onLost = ({ code, message, hint }: EngineError) => {
    log.error(message, { code, hint });
    stopped.stop('lost');
  };
  const app = await openProcessApp(context, {
    watch: true,
    role: 'start',
    isLocked: true,
    onOutdated: () => stopped.stop('outdated'),
    guard: { acceptsNewStore: round.acceptNewStore, onLost },
  });
  const stops: (() => void)[] = [];
  const shadow = new ShadowLoop(app, context);
  try {
    logStore(context, app);
    reportConfig(context, app);
    const changes = reportChanges(context, app);
    stops.push(
      changes.stop,
      reportRuns(context, app),
      watchEnv(context, () => app.config.recheck()),
    );
    await fillInbox(app, log);
    const server = await serveApp(app, context, {
      ...{ port: round.port, token: round.token },
      encryption: {
        envFile: context.envFile,
        processEnv: (name) => terminal.env[name],
        failure: round.failure,
        onBegin: () => encrypting.resolve('encrypt'),
      },
    });
    try {
      const link = announce(context, server, round);
      const metrics = setTimeout(() => void app.deps.metrics?.load(), METRICS_AFTER_MS);
      stops.push(() => clearTimeout(metrics));
      const resumed = await app.start();
      if (resumed > 0) log.info('unfinished runs resumed', { machines: resumed });
      app.fetcher.start();
      app.retention.start();
      app.searchIndexer.start();
      app.memory.start();
      app.notices.start();
      shadow.begin();
      const reload = async () => {
        await changes.mute(() => app.config.refresh());
        reportConfig(context, app);
      };
      const closeKeys = listenKeys(context, { url: link, reload, quit: stopped.stop });
      if (round.open && terminal.isStdoutTty && !context.env('CI') && !context.isJson)
        openBrowser(link, terminal.platform);
      terminal.limitHeapGrowthSoon?.();
      const reason = await Promise.race([stopped.promise, encrypting.promise]);
      closeKeys();
      log.info('stopping', { reason });
      return { reason, port: server.port, token: server.token };
    } finally {
      removeServerFile(dataDir, terminal.pid);
      await server.close();
    }
  } finally {
    for (const stop of stops) stop();
    await shadow.end();
    await app.close({ graceMs: WRITES_MS });
  }
}

/** Logs the location of the store, and whether it is encrypted. */
export function logStore({ dataDir, log }: CommandContext, { joined, storage }: App): void {
  if (joined === undefined) log.info('data folder open', { data: dataDir, storage });
  else log.info('database open', { database: joined.address, storage, as: joined.by });
  if (storage === 'plaintext')
    log.warn('mail, transcripts and results are stored in plain text', {
      hint: 'make a key for VX_MAILAGENT_KEY with callsheet key make',
    });
}

/** Why a process ends. `outdated`: the shared store rejects its writes until it is restarted. `lost`: the database is gone. */
type Reason = 'SIGINT' | 'SIGTERM' | 'q' | 'outdated' | 'lost';

/** The exit code of a reason. 1 for `outdated` and `lost`, so that a supervisor restarts the process. */
export function exitCodeFor(reason: Reason): number {
  if (reason === 'outdated' || reason === 'lost') return EXIT.warning;
  return reason === 'SIGINT' ? EXIT.interrupted : EXIT.fine;
}

/** The end of a process: asked for by a signal, a key or the store. */
export interface NextStop {
  /** Resolves at the first request to stop. */
  readonly promise: Promise<Reason>;
  /** The reason of that request; undefined while there is none. */
  readonly reason: () => Reason | undefined;
  /** Requests a stop. */
  readonly stop: (reason: Reason) => void;
  /** To be called when everything is closed: a process that does not end by itself then is ended. */
  readonly done: () => void;
}

/**
 * Waits for the first signal. A second signal exits at once; so do a stop that takes too long, and something that is
 * still open after `done`.
 */
export function nextStop({ terminal, log }: CommandContext): NextStop {
  const { promise, resolve } = Promise.withResolvers<Reason>();
  let isStopping = false;
  let guard: NodeJS.Timeout | undefined;
  let first: Reason | undefined;
  const stop = (reason: Reason) => {
    if (isStopping && (reason === 'outdated' || reason === 'lost')) return;
    if (isStopping) return terminal.exit(EXIT.interrupted);
    isStopping = true;
    first = reason;
    guard = setTimeout(() => {
      log.warn('stopping took too long; the next start resumes unfinished work');
      terminal.exit(reason === 'SIGINT' ? EXIT.interrupted : EXIT.fine);
    }, STOP_MS);
    resolve(reason);
  };
  // The signals stay watched until the process has ended.
  terminal.onSignal(stop);
  const done = () => {
    isStopping = true;
    clearTimeout(guard);
    // Keeps nothing alive itself: usually the process has ended long before.
    guard = setTimeout(() => {
      log.warn('something was still open at the end; the process is ended');
      terminal.exit();
    }, LINGER_MS);
    guard.unref();
  };
  return { promise, reason: () => first, stop, done };
}

/**
 * Prints the URL of the viewer in the first round, and writes that of the API to the data folder for other commands. Returns the
 * printed link: it has the token unless people sign in with Google.
 */
function announce(
  { terminal, dataDir, isJson, log }: CommandContext,
  { version, url, viewerUrl, hasLogin, token }: AppServer,
  { isAgain = false }: Pick<Round, 'isAgain'>,
): string {
  const link = hasLogin ? `${viewerUrl}/` : `${viewerUrl}/?token=${encodeURIComponent(token)}`;
  writeServerFile(dataDir, { url, token, pid: terminal.pid });
  const facts = { url, token, ...(viewerUrl !== url && { publicUrl: viewerUrl }) };
  if (isAgain) log.info('serving again', { url });
  else terminal.out(isJson ? `${JSON.stringify(facts)}\n` : `Callsheet ${version} is at ${link}\n`);
  return link;
}
