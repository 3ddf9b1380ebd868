import { dirname } from 'node:path';
import { type Connections, createConnections } from '../account/connections.ts';
import { createGoogleLogin, type LoginClient } from '../api/auth/google-login.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { silentLogger } from '../base/log.ts';
import type { ConfigService, LastGoodStore, Snapshot } from '../config/config.ts';
import type { McpTool } from '../config/documents.gen.ts';
import type { ResolveReference } from '../config/reference.ts';
import { openSecrets, type Secrets } from '../config/secrets.ts';
import { openConfig } from '../config/service.ts';
import { askRecognizer, type RecognizerSettings } from '../guard/privacy/recognizer-service.ts';
import { createKeepAliveFetch } from '../model/http/keep-alive-fetch.ts';
import type { Models } from '../model/model.ts';
import { createEmbeddingModels, createModels } from '../model/models.ts';
import type { EmbeddingModels } from '../model/embedding.ts';
import type { InspectedStore } from '../store/maintenance/inspection.ts';
import { passwordsIn, withoutPassword } from '../store/postgres/database-url.ts';
import type { SqlDatabase } from '../store/postgres/sql-database.ts';
import type { Store } from '../store/store.ts';
import { type InspectedServer, inspectServer } from '../tool/mcp/inspect-server.ts';
import { readVersion } from './installation.ts';
import { keyOf } from '../store/sqlite/inspect-data-folder.ts';
import type { ProcessContext } from './process-context.ts';
import { createReferences } from './run-dependencies.ts';
import { builtInToolCatalog, builtInToolTable } from './tool-catalog.ts';

/** A server that accepts no connection within this time counts as unreachable. */
const CONNECT_MS = 5_000;

/** A store for the last good revisions that stores nothing: the files are judged as they are now. */
const NO_LAST_GOOD: LastGoodStore = {
  loadGood: async () => new Map(),
  saveGood: async () => {},
  loadRevision: async () => undefined,
};

/** A PostgreSQL database opened for reading. */
export interface InspectedDatabase {
  readonly database: SqlDatabase;
  /** The URL without its password. */
  readonly address: string;
  readonly clock: Clock;
  /** Undefined if the database has no tables of Callsheet; `STORE_*`. */
  openStore(): Promise<InspectedStore | undefined>;
  close(): Promise<void>;
}

/** Opens the database of a URL for reading; connects at the first query. `USAGE` for an invalid URL. */
export async function inspectDatabase(
  url: string,
  { env, redactor }: Pick<ProcessContext, 'env' | 'redactor'>,
): Promise<InspectedDatabase> {
  for (const password of passwordsIn(url)) redactor.add(password);
  const [{ openPg }, { inspectPostgres }] = await Promise.all([
    import('../store/postgres/pool.ts'),
    import('../store/postgres/inspect-postgres.ts'),
  ]);
  const database = openPg(url, { connections: 2, connectTimeoutMs: CONNECT_MS });
  return {
    database,
    address: withoutPassword(url) ?? '',
    clock: systemClock,
    openStore: () => inspectPostgres(database, keyOf(env)),
    close: () => database.close(),
  };
}

/**
 * Reads the config folder as it is now, without the last good revision. A document that would send a secret of the store to
 * a host that nobody has allowed is left out, as at a start. `loadRevision` reads stored revisions (default: there are none).
 * Errors as `openConfig`.
 */
export async function inspectConfig(
  { configDir, dataDir, env, redactor }: Pick<ProcessContext, 'configDir' | 'dataDir' | 'env' | 'redactor'>,
  store: Store | undefined,
  loadRevision: LastGoodStore['loadRevision'] = NO_LAST_GOOD.loadRevision,
): Promise<ConfigService> {
  const secrets = await readableSecrets(store, redactor);
  const options = { watch: false, log: silentLogger, clock: systemClock, catalog: builtInToolCatalog() };
  // An inspection binds nothing.
  const secretHosts = secrets && { ...readingOnly, allowsHost: secrets.allowsHost, hasValue: secrets.hasValue };
  return openConfig({
    ...{ dir: configDir, dataDir, revisionStore: { ...NO_LAST_GOOD, loadRevision }, env, ...options },
    ...(secretHosts && { secretHosts }),
  });
}

const readingOnly = { bindFirst: async () => {}, reload: async () => {}, onHostsChange: () => () => {} };

/** References and connections of accounts, as far as the store is readable. */
export interface InspectedAccounts {
  /** The value of a reference, or undefined. */
  readonly find: ResolveReference;
  /** Undefined without a store. */
  readonly connections: Connections | undefined;
}

/** Opens the connections of a config for reading; no provider is asked. */
export async function inspectAccounts(
  { env, redactor }: Pick<ProcessContext, 'env' | 'redactor'>,
  snapshot: Snapshot,
  store: Store | undefined,
): Promise<InspectedAccounts> {
  const secrets = await readableSecrets(store, redactor);
  const { secret: find, open } = createReferences(sourcesOf(env, secrets), redactor);
  const connections =
    store &&
    createConnections({
      ...{ store, clock: systemClock, redactor, log: silentLogger },
      config: () => snapshot,
      references: { secret: find, open },
      tools: builtInToolTable(),
    });
  return { find, connections };
}

/** Opens the models of a config; their keys are redacted from then on. */
export async function inspectModels(
  { env, redactor }: Pick<ProcessContext, 'env' | 'redactor'>,
  store: Store | undefined,
): Promise<Models> {
  const secrets = await readableSecrets(store, redactor);
  const { secret } = createReferences(sourcesOf(env, secrets), redactor);
  return createModels({ resolve: secret, redactor, clock: systemClock, log: silentLogger, env });
}

/** Opens the embedding models of a config; their keys are redacted from then on. */
export async function inspectEmbeddings(
  { env, redactor }: Pick<ProcessContext, 'env' | 'redactor'>,
  store: Store | undefined,
): Promise<EmbeddingModels> {
  const secrets = await readableSecrets(store, redactor);
  const { secret } = createReferences(sourcesOf(env, secrets), redactor);
  return createEmbeddingModels({ resolve: secret, redactor, clock: systemClock, log: silentLogger, env });
}

/** Connects to an MCP server once. Rejects where it is not available before `signal` aborts. */
export async function inspectMcpServer(
  { configDir, env, redactor }: Pick<ProcessContext, 'configDir' | 'env' | 'redactor'>,
  document: McpTool,
  { store, signal }: { readonly store: Store | undefined; readonly signal: AbortSignal },
): Promise<InspectedServer> {
  const secrets = await readableSecrets(store, redactor);
  const { secret: resolve } = createReferences(sourcesOf(env, secrets), redactor);
  const baseDir = dirname(configDir);
  const services = { clock: systemClock, log: silentLogger, redactor, baseDir, resolve, env };
  return inspectServer(document, services, { version: readVersion(), signal });
}

/** Begins a sign-in as a browser would, which asks Google for its keys. Errors as of the sign-in. */
export async function inspectLogin(client: LoginClient, redirectUri: string): Promise<void> {
  await createGoogleLogin(client, { clock: systemClock }).begin({ redirectUri, place: '' });
}

/** Asks a recogniser service about a text that is nobody's data. `PRIVACY_UNAVAILABLE` where it does not answer in time. */
export async function inspectRecognizer(service: RecognizerSettings, timeoutMs: number): Promise<void> {
  const { fetch, close } = createKeepAliveFetch();
  try {
    await askRecognizer(service, 'Jane Doe lives in Springfield.', { fetch, timeoutMs });
  } finally {
    close();
  }
}

function sourcesOf(env: ProcessContext['env'], secrets: Secrets | undefined): Parameters<typeof createReferences>[0] {
  const allowsHost = secrets?.allowsHost ?? (() => true);
  return { env, secret: (name) => secrets?.get(name), allowsHost };
}

/** Undefined without a store, and if the secrets are unreadable: the check of rows reports that. */
async function readableSecrets(
  store: Store | undefined,
  redactor: ProcessContext['redactor'],
): Promise<Secrets | undefined> {
  if (store === undefined) return undefined;
  return openSecrets({ store, clock: systemClock, redactor, allowsPlaintext: false }).catch(() => undefined);
}
