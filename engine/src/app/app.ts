import { dirname, resolve } from 'node:path';
import { openAgenda } from '../agenda/open-agenda.ts';
import { type CalendarWorkers, createCalendarWorkers } from '../agenda/ical/ical-workers.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { createIds } from '../base/id.ts';
import type { Logger } from '../base/log.ts';
import { createRedactor, type Redactor } from '../base/redact.ts';
import { parseReference, type ReferenceSources, resolveReference } from '../config/reference.ts';
import type { ConfigService, Snapshot } from '../config/config.ts';
import { createFilterPool } from '../filter/filter-pool.ts';
import type { FilterPool } from '../filter/filter.ts';
import type { MailService } from '../mail/send/mail-service.ts';
import { createMailWorkers, type MailWorkers } from '../mail/parse/mail-workers.ts';
import type { Models } from '../model/model.ts';
import { createModels } from '../model/models.ts';
import { type Connections, createConnections } from '../account/connections.ts';
import { createSignIns, type SignIns } from '../account/oauth/sign-in.ts';
import type { OpenSource } from '../mail/source.ts';
import { Engine } from '../run/engine/engine.ts';
import { type EngineDependencies, type Mode, modeTable } from '../run/mode/mode.ts';
import { MODES } from '../run/mode/registry.ts';
import { Fetcher } from '../intake/fetcher.ts';
import type { ConfigSource, Dependencies } from '../run/dependencies.ts';
import { Retention } from '../run/engine/retention.ts';
import { SharedMeters } from '../budget/shared-meters.ts';
import type { RunRevisions } from '../config/revision/revision-store.ts';
import { openSecrets, type Secrets } from '../config/secrets.ts';
import type { Store } from '../store/store.ts';
import { ArgumentChecker } from '../tool/arguments.ts';
import { builtInTools } from '../tool/registry.ts';
import type { Tool } from '../tool/tool.ts';
import { LiveBus } from '../trace/live-bus.ts';
import type { Telemetry } from '../trace/otel.ts';
import { type StoreHandle, type ClusterHandle, openLocalStore } from './local-store.ts';
import { knowledgeOf } from './tool-catalog.ts';
import { openMailService, sourceOpener } from '../mail/open-mail.ts';
import { followCluster, openRevisions, type ProcessRole, joinCluster } from './join-cluster.ts';

export interface AppOptions {
  readonly configDir: string;
  readonly dataDir: string;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly redactor?: Redactor;
  /** Tools beside the built-in ones; one of the same name takes its place. */
  readonly tools?: readonly Tool[];
  /** Machine modes beside the built-in ones; one of the same name takes its place. */
  readonly modes?: readonly Mode[];
  /** In place of the providers' adapters. */
  readonly models?: Models;
  readonly probe?: Dependencies['probe'];
  /** In place of the one for the OpenTelemetry SDK of this process, if it has one. */
  readonly telemetry?: Telemetry;
  /** Counts what is done, where somebody may ask for it. */
  readonly metrics?: Dependencies['metrics'];
  /** False for commands that look once: config files are not watched. */
  readonly watch?: boolean;
  /** In place of the store of the data folder. */
  readonly storeHandle?: StoreHandle;
  /**
   * Where several processes share the store: `start` may decide the config and fetch, `worker` only works runs, `command` (the
   * default) asks or changes something once.
   */
  readonly role?: ProcessRole;
}

/** Everything joined, with nothing started yet: `engine.start()` takes up runs, `fetcher.start()` fetches, `retention.start()` deletes what is too old. */
export interface App {
  readonly deps: EngineDependencies;
  readonly engine: Engine;
  readonly fetcher: Fetcher;
  readonly retention: Retention;
  readonly config: ConfigService;
  readonly mailWorkers: MailWorkers;
  readonly calendarWorkers: CalendarWorkers;
  readonly filterPool: FilterPool;
  /** Absolute. */
  readonly dataDir: string;
  /** The folder that holds the config folder: relative paths in documents count from here. */
  readonly baseDir: string;
  readonly storage: Store['storage'];
  readonly secrets: Secrets;
  /** Tokens of the accounts that somebody signs in to. */
  readonly connections: Connections;
  readonly signIns: SignIns;
  readonly openSource: OpenSource;
  /** Looks into accounts and writes from them. */
  readonly mailService: MailService;
  /** Set where several processes share the store. */
  readonly joined?: ClusterHandle;
  /** Begins to work runs; returns how many machines were taken up. */
  start(): Promise<number>;
  /** Stops what is started and frees the data folder; tool calls that write get `graceMs` (default 0) to end. */
  close(options?: { graceMs: number }): Promise<void>;
}

/** Opens a data folder and a config folder. `DATA_LOCKED` where another process has the data folder; `STORE_*`. */
export async function openApp(options: AppOptions): Promise<App> {
  const redactor = options.redactor ?? createRedactor();
  const dataDir = resolve(options.dataDir);
  const given = { ...options, dataDir, redactor };
  const storeHandle = options.storeHandle ?? (await openLocalStore(given));
  try {
    return await joinRooms(given, storeHandle);
  } catch (error) {
    await storeHandle.close();
    throw error;
  }
}

type Given = AppOptions & { readonly redactor: Redactor };

async function joinRooms(options: Given, storeHandle: StoreHandle): Promise<App> {
  const { store, joined } = storeHandle;
  const { env, clock = systemClock, redactor, dataDir } = options;
  const baseDir = dirname(resolve(options.configDir));
  const allowsPlaintext = env('CALLSHEET_PLAINTEXT') === '1';
  const onChange = () => joined?.signals.send('secrets');
  const secrets = await openSecrets({ store, clock, redactor, allowsPlaintext, onChange });
  const calendarWorkers = createCalendarWorkers();
  const agenda = openAgenda({
    ...{ baseDir, store, clock, workers: calendarWorkers },
    config: () => config.current(),
    tokensOf: (accountId) => connections.tokensOf(accountId),
    onTodo: (id) => deps.live.publish('todo', { id, status: 'open' }),
  });
  const builtIn = builtInTools(
    () => agenda,
    () => mailService,
  );
  const tools = new Map([...builtIn, ...(options.tools ?? [])].map((tool) => [tool.name, tool]));
  const { revisions, config } = await openRevisions(
    {
      dir: options.configDir,
      knowledge: knowledgeOf(tools),
      env,
      log: options.log,
      clock,
      watch: options.watch,
      role: options.role,
    },
    storeHandle,
  );
  const { log } = options;
  const lookUp = resolver({ env, secret: secrets.get }, redactor);
  const references = { secret: lookUp, open: (text: string) => resolveReference(text, { env, secret: secrets.get }) };
  const isShared = joined !== undefined;
  const accountWays = {
    ...{ store, clock, redactor, log, references, isShared: joined !== undefined },
    config: () => config.current(),
  };
  const connections = createConnections(accountWays);
  const signIns = createSignIns({ ...accountWays, connections, allowsPlaintext });
  const deps = await openParts(options, { ...storeHandle, clock, revisions, config, secrets, tools });
  const engine = new Engine(deps);
  const mailWorkers = createMailWorkers();
  const filterPool = createFilterPool();
  const { tokensOf } = connections;
  const accountParts = { baseDir, workers: mailWorkers, clock, resolve: lookUp, tokensOf };
  const openSource = sourceOpener(accountParts);
  const worker = storeHandle.shared?.worker ?? deps.ids.next('worker');
  const mailService = openMailService({
    ...accountParts,
    store,
    log,
    config: () => config.current(),
    worker,
    isShared,
  });
  const fetcher = new Fetcher(deps, {
    routeMail: (subject, snapshot, putOn) => filterPool.decide(filterQuestion(subject, snapshot, putOn)),
    onTaken: () => {
      deps.metrics?.record([{ kind: 'mail' }]);
      engine.queued();
    },
    onStarted: () => engine.queued(),
    openSource,
    ...joined,
  });
  config.onChange(({ snapshot }) => {
    deps.live.publish('config', { revision: snapshot.revision, problems: config.problems().length });
    fetcher.configChanged();
    engine.queued();
  });
  const retention = new Retention(deps, revisions, joined?.claims);
  const leave = joined === undefined ? () => {} : followCluster(deps, joined, secrets);
  const stopping = new AbortController();
  const start = () => {
    if (storeHandle.shared !== undefined && joined !== undefined)
      joinCluster(deps, storeHandle.shared, joined, stopping.signal);
    return engine.start();
  };
  const close: App['close'] = async (how) => {
    stopping.abort();
    leave();
    await retention.stop();
    await fetcher.stop();
    await engine.stop(how);
    deps.telemetry?.close();
    const workers = [mailWorkers.close(), calendarWorkers.close(), filterPool.close()];
    await Promise.all([...workers, config.close(), deps.models.close()]);
    await connections.close();
    await storeHandle.close();
  };
  const { storage } = store;
  const rooms = { deps, engine, fetcher, retention, config, mailWorkers, calendarWorkers, filterPool, secrets };
  const ways = { connections, signIns, openSource, mailService };
  return { ...rooms, ...ways, ...(joined && { joined }), dataDir, baseDir, storage, start, close };
}

interface Base extends Pick<StoreHandle, 'store' | 'shared'> {
  readonly clock: Clock;
  readonly revisions: RunRevisions;
  readonly config: ConfigService;
  readonly secrets: Secrets;
  readonly tools: ReadonlyMap<string, Tool>;
}

/** What the run room is built from. */
async function openParts(options: Given, base: Base): Promise<EngineDependencies> {
  const { env, log, redactor, probe, metrics } = options;
  const { store, shared, clock, revisions, config, secrets, tools } = base;
  const resolve = resolver({ env, secret: secrets.get }, redactor);
  const telemetry = options.telemetry ?? (await openTelemetry(env, log));
  return {
    store,
    clock,
    ids: createIds(clock),
    log,
    redactor,
    live: new LiveBus(),
    config: configSource(config, revisions),
    models: options.models ?? createModels({ resolve, redactor, clock, log }),
    tools,
    checker: new ArgumentChecker(),
    modes: modeTable([...MODES.values(), ...(options.modes ?? [])]),
    ...(shared && { shared, meters: new SharedMeters({ store, clock, log }) }),
    ...(telemetry !== undefined && { telemetry }),
    ...(metrics && { metrics }),
    ...(probe && { probe }),
  };
}

/** Looks references up when they are used; what they stand for is redacted everywhere from then on. */
function resolver(sources: ReferenceSources, redactor: Redactor): (reference: string) => string | undefined {
  return (reference) => {
    if (parseReference(reference) === undefined) return undefined;
    const value = resolveReference(reference, sources);
    if (value !== undefined) redactor.add(value);
    return value;
  };
}

/** Where an SDK registers itself: see `setGlobalTracerProvider` of @opentelemetry/api 1. */
const OTEL_GLOBAL = Symbol.for('opentelemetry.js.api.1');

/**
 * Spans for the SDK that was loaded before us (`node --import`); without one not even the api is loaded. Content goes along
 * only with `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true`, the conventions' own switch.
 */
async function openTelemetry(env: AppOptions['env'], log: Logger): Promise<Telemetry | undefined> {
  if (!(OTEL_GLOBAL in globalThis)) return undefined;
  const [{ trace }, { createTelemetry }] = await Promise.all([
    import('@opentelemetry/api'),
    import('../trace/otel.ts'),
  ]);
  return createTelemetry({
    tracer: trace.getTracer('callsheet'),
    hasContent: env('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT') === 'true',
    onError: (error) => log.debug('a span could not be made', { error: String(error) }),
  });
}

/** What the judge is asked about a mail under one config; `putOn` are labels that came to a mail which is known. */
export function filterQuestion(
  subject: string,
  { revision, filters, directors }: Snapshot,
  putOn?: readonly string[],
): Parameters<FilterPool['decide']>[0] {
  const scopes = [...directors.values()].map(({ id, accountIds }) => [id, { accountIds }] as const);
  return { revision, filters, directors: Object.fromEntries(scopes), subject, ...(putOn && { putOn }) };
}

function configSource(config: ConfigService, revisions: RunRevisions): ConfigSource {
  return {
    current: () => config.current(),
    revision: (id) => config.revision(id),
    keep: (id, now) => revisions.keep(id, config.sources(id), now),
    gitCommit: () => config.gitCommit(),
  };
}
