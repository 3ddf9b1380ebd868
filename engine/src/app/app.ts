import { dirname, join, resolve } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { createRedactor, type Redactor } from '../base/redact.ts';
import type { ConfigService } from '../config/config.ts';
import { hostsNamedBy } from '../config/secret-uses.ts';
import { openSecrets, type Secrets } from '../config/secrets.ts';
import { type FileService, openFiles } from '../file/open-files.ts';
import { createFilterPool } from '../filter/filter-pool.ts';
import { filterQuestion } from '../filter/filter-question.ts';
import type { FilterPool } from '../filter/filter.ts';
import { createReminders, type Reminders } from '../agenda/reminders.ts';
import { type AnswerLinks, createAnswerLinks } from '../guard/answer-link.ts';
import { type Notices, openNotices } from '../intake/notices.ts';
import { openNotifications } from '../notification/open-notifications.ts';
import { type Notebooks, openNotebookFolders } from '../file/notebook/notebooks.ts';
import { Fetcher } from '../intake/fetcher.ts';
import { SentWatch } from '../intake/sent/sent-watch.ts';
import { type MemoryService, notingMemories, openMemory } from '../memory/open-memory.ts';
import { INDEX_FILE } from '../memory/search/index-database.ts';
import { createEmbeddingModels } from '../model/models.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { Engine } from '../run/engine/engine.ts';
import { SearchIndexer } from '../search/indexer.ts';
import { Retention } from '../run/engine/retention.ts';
import type { EngineDependencies } from '../run/mode/mode.ts';
import { SEARCHED } from '../run/searched-runs.ts';
import { logWrites } from '../store/log-writes.ts';
import type { GuardOptions } from '../store/sqlite/store-guard.ts';
import type { Store } from '../store/store.ts';
import type { McpServers } from '../tool/mcp/mcp-servers.ts';
import { openMcpServers } from '../tool/mcp/open-server.ts';
import { openRunTools } from '../tool/open-run-tools.ts';
import { builtInTools } from '../tool/registry.ts';
import { withRemoteTools } from '../tool/remote-tools.ts';
import type { Tool } from '../tool/tool.ts';
import { createTasks, type Tasks } from '../task/tasks.ts';
import { type Chats, createChats } from '../chat/chats.ts';
import { openRoaming, type RoamingService } from '../chat/roaming.ts';
import { createRounds } from '../chat/rounds.ts';
import { readVersion } from './installation.ts';
import { type AccountServices, openAccountServices } from './services/account-services.ts';
import { openRevisions, type ProcessRole } from './join-cluster.ts';
import { type ClusterHandle, openLocalStore, type StoreHandle } from './local-store.ts';
import type { ProcessContext } from './process-context.ts';
import { createReferences, openRunDependencies, type RunAdapters } from './run-dependencies.ts';
import { OFFLINE_EMBEDDINGS, offlineServers, refuseDelivery } from './services/offline.ts';
import { lifecycleOf } from './services/lifecycle.ts';
import { redactVariables } from './services/redact-variables.ts';
import { toolCatalogOf } from './tool-catalog.ts';

export interface AppOptions extends Omit<ProcessContext, 'redactor'>, RunAdapters {
  readonly clock?: Clock;
  readonly redactor?: Redactor;
  /** Extra tools; a tool with the name of a built-in one replaces it. */
  readonly tools?: readonly Tool[];
  /** Replaces each tool, built-in or declared, such as by the stand-in of a replay. */
  readonly replaceTool?: (tool: Tool) => Tool;
  /** Whether to watch the config files. Default true; false for commands that read once. */
  readonly watch?: boolean;
  /** Reaches no other machine: mailboxes, calendars, notifications, MCP servers and embedding models refuse. Default false. */
  readonly isOffline?: boolean;
  /** Replaces the store of the data folder. */
  readonly storeHandle?: StoreHandle;
  /** Replaces the config of the folder, such as by that of another app in the process. */
  readonly config?: ConfigService | undefined;
  /** Replace the app's own threads, such as by those of another app in the process. */
  readonly threads?: Partial<Pick<App, 'mailWorkers' | 'calendarWorkers' | 'filterPool'>>;
  /**
   * On a shared store: `start` may publish the config and fetch mail, `worker` only processes runs, `command` (the default) reads
   * or changes something once.
   */
  readonly role?: ProcessRole;
  /** How the store of the data folder is guarded against the loss of its database. */
  readonly guard?: GuardOptions;
  /** Whether the caller has locked the data folder, and unlocks it. */
  readonly isLocked?: boolean | undefined;
}

/** All rooms, joined and not started: `start()` processes runs, `fetcher.start()` fetches mail, `retention.start()` deletes old runs, `searchIndexer.start()` updates the search index, `notices.start()` fires reminders, starts due tasks and delivers notifications. */
export interface App extends AccountServices {
  readonly deps: EngineDependencies;
  readonly engine: Engine;
  readonly fetcher: Fetcher;
  readonly retention: Retention;
  readonly searchIndexer: SearchIndexer;
  readonly notices: Notices;
  readonly answerLinks: AnswerLinks;
  readonly reminders: Reminders;
  readonly tasks: Tasks;
  readonly chats: Chats;
  readonly roaming: RoamingService;
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
  const { replaceTool: replace } = options;
  const table = new Map([...builtIn, ...(options.tools ?? [])].map((tool) => [tool.name, replace?.(tool) ?? tool]));
  const ownPaths = [options.configDir, dataDir, join(baseDir, '.env')].map((path) => resolve(path));
  const services = { clock, log, redactor, baseDir, ownPaths, resolve: references.secret, env };
  const mcpServers = options.isOffline
    ? offlineServers(services, store, readVersion())
    : openMcpServers(services, store, readVersion());
  const tools = withRemoteTools(openRunTools({ builtIn: table, services, servers: mcpServers, replace }));
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
      config: options.config,
    },
    storeHandle,
  );
  redactVariables(config, env, redactor);
  const folders = { config: resolve(options.configDir), data: dataDir };
  const roaming = openRoaming({
    ...{ store, clock, log, redactor, env, folders, hidden: ownPaths },
    config: () => config.current(),
    live: { publish: (name, data) => deps.live.publish(name, data) },
  });
  const deps = await openRunDependencies(options, {
    ...{ store, shared, revisions, config, references, tools, cliTurns: roaming },
    memory: () => memory,
    mailService: () => accounts.mailService,
  });
  const files = openFiles({ config: () => config.current(), folders, log });
  const notebooks = openNotebookFolders({ store, clock, ids: deps.ids, config: () => config.current(), folders });
  const worker = shared?.worker ?? deps.ids.next('worker');
  const memory = openMemory({
    ...{ store, clock, log, worker, live: deps.live, claims: joined?.claims, baseDir },
    config: () => config.current(),
    models: options.isOffline
      ? OFFLINE_EMBEDDINGS
      : createEmbeddingModels({ resolve: references.secret, redactor, clock, log }),
    meters: () => engine.meters,
    indexFile: indexFileOf(options, store),
  });
  const isShared = joined !== undefined;
  const { threads } = options;
  const accounts = openAccountServices({
    ...{ deps, config, references, baseDir, worker, isShared, allowsPlaintext, threads },
    isOffline: options.isOffline,
  });
  const reminders = createReminders({
    ...{ store, clock },
    onChange: ({ id, status }) => deps.live.publish('reminder', { id, status }),
  });
  const answerLinks = createAnswerLinks({ store, clock, config: () => config.current() });
  const notifications = openNotifications({
    ...{ store, clock, log, resolve: references.secret, mailService: () => accounts.mailService },
    config: () => config.current(),
    approvalLink: ({ approvalId = '', at }, to) => answerLinks.linkFor({ approvalId, at, to }),
    onNew: (id) => deps.live.publish('notification', { id, kind: 'message' }),
    ...(options.isOffline && { deliver: refuseDelivery }),
  });
  const engine = new Engine(deps);
  const tasks = createTasks(deps, (runId) => engine.cancel(runId));
  const rounds = createRounds({ ...deps, baseDir }, engine);
  const chats = createChats({ ...deps, config, roaming }, rounds);
  const notices = openNotices(deps, {
    ...{ engine, rounds, deliveries: notifications.deliveries },
    claims: joined?.claims,
  });
  const filterPool = threads?.filterPool ?? createFilterPool();
  const acceptsNewStore = options.guard?.acceptsNewStore;
  const fetcher = createFetcher(deps, { engine, filterPool, openSource: accounts.openSource, joined, acceptsNewStore });
  const retention = new Retention(deps, revisions, joined?.claims);
  const searchIndexer = new SearchIndexer({ store, clock, log, searched: SEARCHED, claims: joined?.claims });
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
    searchIndexer,
    notices,
    answerLinks,
    reminders,
    tasks,
    chats,
    roaming,
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
  return storeHandle === undefined && storage === 'plaintext' ? join(dataDir, INDEX_FILE) : '';
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
  const sentWatch = new SentWatch(deps);
  return new Fetcher(deps, {
    routeMail: (subject, snapshot, newLabels) => filterPool.decide(filterQuestion(subject, snapshot, newLabels)),
    onNewMail: () => {
      deps.metrics?.record([{ kind: 'mail' }]);
      engine.queued();
    },
    onRunsStarted: () => engine.queued(),
    lookAtSent: (accountId, signal) => sentWatch.look(accountId, signal),
    ...options,
    ...joined,
  });
}
