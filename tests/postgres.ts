import { PGlite, type Transaction } from '@electric-sql/pglite';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SqlDatabase, SqlConnection, SqlResult } from '../engine/src/store/postgres/sql-database.ts';
import { openPg } from '../engine/src/store/postgres/pool.ts';
import { postgres as binaries, root } from './available.ts';
import { testCache, writeCached } from './test-cache.ts';

const PGLITE = join(root, 'node_modules', '@electric-sql', 'pglite');

/** The files of a new cluster of PGlite: to make one takes five times as long as to load it. */
let newCluster: Promise<Blob> | undefined;

/** Of the processes of a test run, and of the runs after it, the first one makes it. */
async function loadCluster(): Promise<Blob> {
  const { version } = JSON.parse(readFileSync(join(PGLITE, 'package.json'), 'utf8')) as { version: string };
  const file = join(testCache, `pglite-${version}.tar`);
  if (existsSync(file)) return new Blob([readFileSync(file)]);
  const lite = await PGlite.create();
  const files = await lite.dumpDataDir('none');
  await lite.close();
  writeCached(file, Buffer.from(await files.arrayBuffer()));
  return files;
}

/** PostgreSQL inside this process, for tests that need no server. It takes half a second to start: one a file is enough. */
export async function startPglite(): Promise<PgliteServer> {
  const lite = await PGlite.create({ loadDataDir: await (newCluster ??= loadCluster()) });
  return {
    database: new PgliteDatabase(lite),
    async empty() {
      await lite.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    },
    stop: () => lite.close(),
  };
}

export interface PgliteServer {
  readonly database: SqlDatabase;
  /** Drops all tables; it is much faster than another instance. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

class PgliteDatabase implements SqlDatabase {
  readonly #lite: PGlite;

  constructor(lite: PGlite) {
    this.#lite = lite;
  }

  async query(text: string, values?: readonly unknown[]): Promise<SqlResult> {
    try {
      return await ask(this.#lite, text, values);
    } catch (error) {
      // There is but one session: a transaction that the text began would stay open for everybody.
      await this.#lite.exec('ROLLBACK');
      throw error;
    }
  }

  transaction<T>(work: (link: SqlConnection) => Promise<T>): Promise<T> {
    return this.#lite.transaction((tx) => work({ query: (text, values) => ask(tx, text, values) }));
  }

  async listen(channel: string, onNotice: (payload: string) => void) {
    const stop = await this.#lite.listen(channel, onNotice);
    return { close: () => stop() };
  }

  async holdLock(take: string, drop: string) {
    const { rows } = await this.query(take);
    return { rows, close: async () => void (await this.query(drop)) };
  }

  async notify(channel: string, payload: string): Promise<void> {
    await this.query('SELECT pg_notify($1, $2)', [channel, payload]);
  }

  /** The instance stays, so that a test can open it anew. */
  async close(): Promise<void> {}
}

async function ask(link: PGlite | Transaction, text: string, values: readonly unknown[] = []): Promise<SqlResult> {
  const one = () => link.query<Record<string, unknown>>(text, [...values]);
  const all = values.length > 0 ? [await one()] : await link.exec(text);
  return {
    rows: all.flatMap(({ rows }) => rows as Record<string, unknown>[]),
    touched: all.reduce((sum, { affectedRows }) => sum + (affectedRows ?? 0), 0),
  };
}

/** A server of its own on loopback, in a folder that goes with it. */
export interface PostgresServer {
  readonly port: number;
  /** Where its files lie. */
  readonly data: string;
  /** Of a database, of the user who may do everything. */
  url(database?: string): string;
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Lets nobody in any more and ends all sessions, as an administrator would. */
  stop(): Promise<void>;
  /** Ends it at once; it has to recover when it starts. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after `stop` or `kill`. */
  start(): Promise<void>;
  /** Stops it for good and removes the folder. */
  remove(): Promise<void>;
}

/**
 * Starts Debian's PostgreSQL; ask `available.ts` first whether there is one. initdb refuses root, who lends the server to
 * another user. Text is sorted by language where nothing else is said, so that a forgotten COLLATE shows. `fsync` is for
 * measuring: a test that kills the server does not kill the machine.
 */
export async function startPostgres({
  fsync = false,
  settings = [] as readonly string[],
} = {}): Promise<PostgresServer> {
  if (binaries === undefined) throw new Error('there is no PostgreSQL; ask available.ts first');
  const owner = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-pg-'));
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions'];
  execFileSync(join(binaries, 'initdb'), [...init, '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en'], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Whoever belongs to the group `locked` needs a password.
  const access = readFileSync(join(data, 'pg_hba.conf'), 'utf8');
  writeFileSync(join(data, 'pg_hba.conf'), `host all +locked 127.0.0.1/32 scram-sha-256\n${access}`);
  const port = await freePort();
  const flags = [
    `listen_addresses=127.0.0.1`,
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    `fsync=${fsync ? 'on' : 'off'}`,
    'shared_buffers=64MB',
    'max_connections=100',
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  let server: ChildProcess | undefined;
  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const end = async (signal: NodeJS.Signals) => {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const closed = once(running, 'exit');
    running.kill(signal);
    await closed;
  };
  const start = async () => {
    server = spawn(join(binaries!, 'postgres'), ['-D', data, ...flags], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await isReady(server);
  };
  // Also when a test run is cut short.
  const last = () => void server?.kill('SIGQUIT');
  process.once('exit', last);
  await start();
  const setup = openPg(url());
  await setup.query('CREATE ROLE locked');
  await setup.close();
  let count = 0;
  return {
    port,
    data,
    url,
    async createDatabase() {
      const name = `t${process.pid}_${++count}`;
      const admin = openPg(url());
      await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
      await admin.close();
      return url(name);
    },
    stop: () => end('SIGINT'),
    kill: () => end('SIGQUIT'),
    start,
    async remove() {
      await end('SIGQUIT');
      process.off('exit', last);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the server says that it takes connections, and keeps reading what it says. */
function isReady(server: ChildProcess): Promise<void> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stderr! }).on('line', (line) => {
      said.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${said.join('\n')}`)));
  });
}

/** Whom the server runs as: somebody else where we are root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres', 'nobody'].flatMap((name) => users.filter((user) => user.startsWith(`${name}:`)))[0];
  const [, , uid, gid] = (line ?? '').split(':').map(Number);
  if (uid === undefined || gid === undefined)
    throw new Error('there is no user postgres or nobody to run PostgreSQL as');
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
