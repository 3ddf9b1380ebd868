import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isoTime } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { createRedactor } from '../../base/redact.ts';
import type { Api, ConfigService, Snapshot } from '../../config/config.ts';
import { resolveReference } from '../../config/reference.ts';
import type { Recogniser } from '../../guard/privacy/recogniser.ts';
import type { Models } from '../../model/model.ts';
import { createModels } from '../../model/models.ts';
import { emptyCassette } from '../../replay/cassette.ts';
import { Deck } from '../../replay/play/deck.ts';
import { LiveSpend } from '../../replay/play/live-spend.ts';
import { PlayClock } from '../../replay/play/play-clock.ts';
import { refuseRecognizers } from '../../replay/play/refuse-recognizers.ts';
import { tapedModels } from '../../replay/play/taped-models.ts';
import { tapedTool } from '../../replay/play/taped-tools.ts';
import type { PlayOptions, Recording } from '../../replay/replay.ts';
import { openMemorySqlite } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { withApply } from '../../store/with-apply.ts';
import { type App, openApp } from '../app.ts';
import { builtInToolTable } from '../tool-catalog.ts';
import type { ArgumentChecker } from '../../tool/arguments.ts';
import type { Tool } from '../../tool/tool.ts';

/** Options of `openScratch`. */
export interface ScratchOptions {
  /** Relative paths of documents count from its parent. */
  readonly configDir: string;
  readonly env: (name: string) => string | undefined;
  /** Values of `${secret:NAME}`, for models that are asked. Default: none is set. */
  readonly secret?: (name: string) => string | undefined;
  /** Threads to use instead of own ones, such as those of another app in this process. */
  readonly threads?: Pick<App, 'mailWorkers' | 'calendarWorkers' | 'filterPool'>;
  readonly recogniser?: Recogniser;
  /** Models of scripted apis, and of all apis in a mode that records. Default: those of the config. */
  readonly models?: Models;
  /** Tools besides the built-in ones; one with the name of a built-in one replaces it. */
  readonly tools?: readonly Tool[];
}

/** What all plays of a scratch engine share. */
export interface PlaySetup extends Pick<ScratchOptions, 'configDir' | 'env' | 'secret' | 'models' | 'tools'> {
  readonly log: Logger;
  readonly threads: Pick<App, 'mailWorkers' | 'calendarWorkers' | 'filterPool'>;
  readonly recogniser: Recogniser;
  /** The config of the folder, where another play has read it. */
  readonly config?: ConfigService;
  readonly checker?: ArgumentChecker;
}

/** An app for one play. */
export interface OpenPlay {
  readonly app: App;
  readonly clock: PlayClock;
  readonly deck: Deck;
  /** Whether something happened in the store or in the recogniser since the last call. */
  wasBusy(): boolean;
  close(): Promise<void>;
}

/**
 * Opens an app on an empty store in memory, and an empty temporary folder, which `close` deletes. `CONFLICT` where models may really be asked,
 * and the config has private data found by a service.
 */
export async function openPlay(
  setup: PlaySetup,
  recording: Pick<Recording, 'cassette'> = { cassette: emptyCassette(isoTime(0)) },
  options: PlayOptions = {},
): Promise<OpenPlay> {
  const dir = await mkdtemp(join(tmpdir(), 'callsheet-play-'));
  const { cassette } = recording;
  const deck = await Deck.open(cassette, options.mode ?? 'none', options);
  const clock = new PlayClock(Date.parse(cassette.at));
  const { spend = new LiveSpend() } = options;
  const work = { count: 0, open: 0 };
  // No text of a mail is ever on the disk.
  const sqlite = openMemorySqlite();
  const store = counted(sqlite, () => void work.count++);
  const close = async () => {
    await sqlite.close();
    await rm(dir, { recursive: true, force: true });
  };
  const builtIn = builtInToolTable();
  // A program or an MCP server may do more than its document says; an HTTP tool sends one request to a fixed host.
  const isLiveRead = ({ name, effects }: Tool) =>
    options.hasLiveReads === true &&
    effects === 'read' &&
    !builtIn.has(name) &&
    app.config.current().tools.get(name)?.kind === 'http';
  const { answerTool } = options;
  const { configDir, env, log, threads, config, checker, tools = [] } = setup;
  const app: App = await openApp({
    ...{ configDir, dataDir: dir, env, log, clock, threads },
    isOffline: true,
    watch: false,
    storeHandle: { store, close },
    config,
    ...(checker && { checker }),
    models: withOneApi(
      tapedModels({ deck, clock, spend, models: modelsOf(setup), unavailable: cassette.unavailable }),
      () => (options.api === undefined ? undefined : app.config.current().apis.get(options.api)),
    ),
    recogniser: localRecogniser(setup.recogniser, work),
    tools,
    replaceTool: (tool) =>
      tapedTool(tool, {
        deck,
        clock,
        isLiveRead,
        ...(answerTool && { answerTool }),
      }),
  });
  try {
    if (deck.records) refuseServices(app.config.current(), options.api);
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    ...{ app, clock, deck },
    wasBusy() {
      const wasBusy = work.count > 0 || work.open > 0;
      work.count = 0;
      return wasBusy;
    },
    close: () => app.close(),
  };
}

/** A play asks no recogniser service, so no model may be asked that would get what the service hides. Scripted ones send nothing. */
function refuseServices(config: Snapshot, only: string | undefined): void {
  const apis = [...config.apis.values()].filter(({ id }) => only === undefined || id === only);
  if (apis.some(({ provider }) => provider !== 'scripted')) refuseRecognizers(config, 'a play');
}

/** Models of one api, whichever is opened; `find` returns undefined where each api is itself. */
function withOneApi(models: Models, find: () => Api | undefined): Models {
  return { open: (api) => models.open(find() ?? api), close: () => models.close() };
}

/** Models of the config itself. They send nothing unless they are asked. */
function modelsOf({ models, env, secret = () => undefined, log }: PlaySetup): Models {
  if (models !== undefined) return { open: (api) => models.open(api), close: async () => {} };
  const redactor = createRedactor();
  const clock = { now: () => Date.now(), delay: (fn: () => void, ms: number) => stoppable(setTimeout(fn, ms)) };
  return createModels({
    resolve: (reference) => resolveReference(reference, { env, secret }),
    redactor,
    clock,
    log,
    env,
  });
}

function stoppable(timer: NodeJS.Timeout): () => void {
  return () => clearTimeout(timer);
}

/** Never asks the services that a config names: they are other machines. */
function localRecogniser(recogniser: Recogniser, work: { count: number; open: number }): Recogniser {
  return {
    async recognise(text, options) {
      work.open++;
      try {
        return await recogniser.recognise(text, { ...options, recognizers: [] });
      } finally {
        work.open--;
        work.count++;
      }
    },
    close: async () => {},
  };
}

/** A store that tells of every request. */
function counted(store: Store, onRequest: () => void): Store {
  return {
    ...withApply(store, (changes) => {
      onRequest();
      return store.apply(changes);
    }),
    get(table, key) {
      onRequest();
      return store.get(table, key);
    },
    list(table, query) {
      onRequest();
      return store.list(table, query);
    },
  };
}
