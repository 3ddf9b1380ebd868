import { dirname, join, resolve } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { createRedactor, type Redactor } from '../base/redact.ts';
import type { ConfigService, Snapshot } from '../config/config.ts';
import { hostsNamedBy } from '../config/secret-uses.ts';
import { openSecrets, type Secrets } from '../config/secrets.ts';
import { type FileService, openFiles } from '../file/open-files.ts';
import { createFilterPool } from '../filter/filter-pool.ts';
import type { FilterPool } from '../filter/filter.ts';
import { createReminders, type Reminders } from '../agenda/reminders.ts';
import { DueReminders } from '../intake/due-reminders.ts';
import { Notices } from '../intake/notices.ts';
import { openNotifications } from '../notification/open-notifications.ts';
import { type Notebooks, openNotebookFolders } from '../file/notebook/notebooks.ts';
import { Fetcher } from '../intake/fetcher.ts';
import { type MemoryService, notingMemories, openMemory } from '../memory/open-memory.ts';
import { deleteIndexFile, INDEX_FILE } from '../memory/search/index-database.ts';
import { createEmbeddingModels } from '../model/models.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { Engine } from '../run/engine/engine.ts';
import { Retention } from '../run/engine/retention.ts';
import type { EngineDependencies } from '../run/mode/mode.ts';
import { logWrites } from '../store/log-writes.ts';
import type { GuardOptions } from '../store/sqlite/store-guard.ts';
import type { Store } from '../store/store.ts';
import type { McpServers } from '../tool/mcp/mcp-servers.ts';
import { openMcpServers } from '../tool/mcp/open-server.ts';
import { openRunTools } from '../tool/open-run-tools.ts';
import { builtInTools } from '../tool/registry.ts';
import { withRemoteTools } from '../tool/remote-tools.ts';
import type { Tool } from '../tool/tool.ts';
import { readVersion } from './installation.ts';
import { type AccountServices, openAccountServices } from './account-services.ts';
import { followCluster, joinCluster, openRevisions, type ProcessRole } from './join-cluster.ts';
import { type ClusterHandle, openLocalStore, type StoreHandle } from './local-store.ts';
import type { ProcessContext } from './process-context.ts';
import { createReferences, openRunDependencies, type RunAdapters } from './run-dependencies.ts';
import { toolCatalogOf } from './tool-catalog.ts';

export interface AppOptions extends Omit<ProcessContext, 'redactor'>, RunAdapters {
  readonly clock?: Clock;
  readonly redactor?: Redactor;
  /** Extra tools; a tool with the name of a built-in one replaces it. */
  readonly tools?: readonly Tool[];
  /** Replaces each declared tool, such as by the stand-in of a replay. */
  readonly replaceDeclaredTool?: (tool: Tool) => Tool;
  /** Whether to watch the config files. Default true; false for commands that read once. */
  readonly watch?: boolean;
  /** Replaces the store of the data folder. */
  readonly storeHandle?: StoreHandle;
  /**
   * On a shared store: `start` may publish the config and fetch mail, `worker` only processes runs, `command` (the default) reads
   * or changes something once.
   */
  readonly role?: ProcessRole;
  /** How the store of the data folder is guarded against the loss of its database. */
  readonly guard?: GuardOptions;
}

/** All rooms, joined and not started: `start()` processes runs, `fetcher.start()` fetches mail, `retention.start()` deletes old runs, `notices.start()` fires reminders and delivers notifications. */
export interface App extends AccountServices {
  readonly deps: EngineDependencies;
  readonly engine: Engine;
  readonly fetcher: Fetcher;
  readonly retention: Retention;
  readonly notices: Notices;
  readonly reminders: Reminders;
  readonly config: ConfigService;
  readonly filterPool: FilterPool;
  /** The MCP servers of declared tools. Nothing is connected before `start`, or before a run needs it. */
  readonly mcpServers: McpServers;
  /** Absolute. */
  readonly dataDir: string;
  /** Parent of the config folder; relative paths in documents start here. */
  readonly baseDir: string;
  readonly storage: Store['storage'];
  readonly secrets: Secrets;
  readonly memory: MemoryService;
  readonly files: FileService;
  /** The folders that notebook tools work on. */
  readonly notebooks: Notebooks;
  /** Set where several processes share the store. */
  readonly joined?: ClusterHandle;
  /** Starts processing runs; returns the number of resumed machines. */
  start(): Promise<number>;
  /** Stops everything and unlocks the data folder. Writing tool calls get `graceMs` (default 0) to finish. */
  close(options?: { graceMs: number }): Promise<void>;
}

/** Opens a data folder and a config folder. `DATA_LOCKED` if another process uses the data folder; `STORE_*`. */
export async function openApp(options: AppOptions): Promise<App> {
  const resolved = {
    ...options,
    dataDir: resolve(options.dataDir),
    baseDir: dirname(resolve(options.configDir)),
    clock: options.clock ?? systemClock,
    redactor: options.redactor ?? createRedactor(),
  };
  const opened = options.storeHandle ?? (await openLocalStore(resolved));
  const storeHandle =
    options.log.isVerbose === true ? { ...opened, store: logWrites(opened.store, options.log) } : opened;
  try {
    return await buildApp(resolved, storeHandle);
  } catch (error) {
    await storeHandle.close();
    throw error;
  }
}

interface ResolvedOptions extends AppOptions {
  readonly baseDir: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

async function buildApp(options: ResolvedOptions, storeHandle: StoreHandle): Promise<App> {
  const { shared, joined } = storeHandle;
  const store = notingMemories(storeHandle.store, (changed) => deps.live.publish('memory', changed));
  const { env, clock, redactor, dataDir, baseDir, log, watch, role } = options;
  const allowsPlaintext = env('CALLSHEET_PLAINTEXT') === '1';
  const onChange = () => joined?.signals.send('secrets');
  const named = () => hostsNamedBy(config.current());
  const secrets = await openSecrets({ store, clock, log, redactor, allowsPlaintext, named, onChange });
  const references = createReferences({ env, secret: secrets.get, allowsHost: secrets.allowsHost }, redactor);
  // Config needs the names of the tools before the services that the tools call can be opened.
  const builtIn = builtInTools({
    agenda: () => accounts.agenda,
    mailService: () => accounts.mailService,
    files: () => files,
    notebooks: () => notebooks,
    memory: () => memory,
    reminders: () => reminders,
    notifications: () => notifications,
  });
  const table = new Map([...builtIn, ...(options.tools ?? [])].map((tool) => [tool.name, tool]));
  const services = { clock, log, redactor, baseDir, resolve: references.secret, env };
  const mcpServers = openMcpServers(services, store, readVersion());
  const tools = withRemoteTools(
    openRunTools({ builtIn: table, services, servers: mcpServers, replace: options.replaceDeclaredTool }),
  );
  const { revisions, config } = await openRevisions(
    {
      dir: options.configDir,
      dataDir,
      catalog: toolCatalogOf(table),
      env,
      log,
      clock,
      watch,
      role,
      secretHosts: secrets,
    },
    storeHandle,
  );
  const deps = await openRunDependencies(options, {
    store,
    shared,
    revisions,
    config,
    references,
    tools,
    memory: () => memory,
  });
  const folders = { config: resolve(options.configDir), data: dataDir };
  const files = openFiles({ config: () => config.current(), folders, log });
  const notebooks = openNotebookFolders({ store, clock, ids: deps.ids, config: () => config.current(), folders });
  const worker = shared?.worker ?? deps.ids.next('worker');
  const memory = openMemory({
    ...{ store, clock, log, worker, live: deps.live, claims: joined?.claims, baseDir },
    config: () => config.current(),
    models: createEmbeddingModels({ resolve: references.secret, redactor, clock, log }),
    meters: () => engine.meters,
    indexFile: indexFileOf(options, store),
  });
  const isShared = joined !== undefined;
  const accounts = openAccountServices({ deps, config, references, baseDir, worker, isShared, allowsPlaintext });
  const reminders = createReminders({
    ...{ store, clock },
    onChange: ({ id, status }) => deps.live.publish('reminder', { id, status }),
  });
  const notifications = openNotifications({
    ...{ store, clock, log, resolve: references.secret, mailService: () => accounts.mailService },
    settings: () => config.current().settings,
    onNew: (id) => deps.live.publish('notification', { id, kind: 'message' }),
  });
  const engine = new Engine(deps);
  const notices = new Notices(
    deps.live,
    { reminders: new DueReminders(deps, () => engine.queued()), deliveries: notifications.deliveries },
    joined?.claims,
  );
  const filterPool = createFilterPool();
  const acceptsNewStore = options.guard?.acceptsNewStore;
  const fetcher = createFetcher(deps, { engine, filterPool, openSource: accounts.openSource, joined, acceptsNewStore });
  const retention = new Retention(deps, revisions, joined?.claims);
  config.onChange(({ snapshot }) => {
    deps.live.publish('config', { revision: snapshot.revision, problems: config.problems().length });
    mcpServers.follow(snapshot);
    fetcher.configChanged();
    memory.configChanged();
    engine.queued();
  });
  mcpServers.follow(config.current());
  const rooms = {
    deps,
    engine,
    fetcher,
    retention,
    notices,
    reminders,
    config,
    filterPool,
    secrets,
    memory,
    files,
    notebooks,
    mcpServers,
    ...accounts,
  };
  const location = { dataDir, baseDir, storage: store.storage };
  return { ...rooms, ...location, ...(joined && { joined }), ...lifecycleOf(rooms, storeHandle) };
}

/** An index of plain text is in a file only where the store itself is. */
function indexFileOf({ dataDir, storeHandle }: ResolvedOptions, { storage }: Store): string {
  if (storeHandle !== undefined) return '';
  const file = join(dataDir, INDEX_FILE);
  if (storage === 'plaintext') return file;
  deleteIndexFile(file);
  return '';
}

function createFetcher(
  deps: Dependencies,
  {
    joined,
    engine,
    filterPool,
    ...options
  }: Pick<App, 'engine' | 'filterPool' | 'openSource' | 'joined'> & Pick<GuardOptions, 'acceptsNewStore'>,
): Fetcher {
  return new Fetcher(deps, {
    routeMail: (subject, snapshot, newLabels) => filterPool.decide(filterQuestion(subject, snapshot, newLabels)),
    onNewMail: () => {
      deps.metrics?.record([{ kind: 'mail' }]);
      engine.queued();
    },
    onRunsStarted: () => engine.queued(),
    ...options,
    ...joined,
  });
}

/** `start` and `close` of an app. On a shared store, follows the changes of other processes until `close`. */
function lifecycleOf(
  app: Omit<App, 'dataDir' | 'baseDir' | 'storage' | 'joined' | 'start' | 'close'>,
  storeHandle: StoreHandle,
): Pick<App, 'start' | 'close'> {
  const { deps, engine, fetcher, retention, config, secrets } = app;
  const { shared, joined } = storeHandle;
  const stopFollowing = joined === undefined ? () => {} : followCluster(deps, joined, secrets);
  const stopping = new AbortController();
  return {
    start() {
      if (shared !== undefined && joined !== undefined) joinCluster(deps, shared, joined, stopping.signal);
      app.sentCopies.start();
      app.mcpServers.open();
      return engine.start();
    },
    async close(options) {
      stopping.abort();
      stopFollowing();
      // Before the fetcher: a later change of the config would open accounts again.
      await config.close();
      await retention.stop();
      await app.notices.stop();
      await app.sentCopies.stop();
      await fetcher.close();
      await engine.stop(options);
      await app.mcpServers.close();
      deps.telemetry?.close();
      const workers = [app.mailWorkers.close(), app.calendarWorkers.close(), app.filterPool.close(), app.files.close()];
      await Promise.all([...workers, deps.models.close()]);
      await app.connections.close();
      await app.memory.close();
      await storeHandle.close();
    },
  };
}

/** The question to the filter pool about a mail under one config. `putOn`: labels that were added to a known mail. */
export function filterQuestion(
  subject: string,
  { revision, filters, directors }: Snapshot,
  newLabels?: readonly string[],
): Parameters<FilterPool['decide']>[0] {
  const scopes = [...directors.values()].map(({ id, accountIds }) => [id, { accountIds }] as const);
  return { revision, filters, directors: Object.fromEntries(scopes), subject, ...(newLabels && { newLabels }) };
}
