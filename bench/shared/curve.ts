/**
 * Measures how times grow with the number of stored runs: a single turn, the first page of runs, and the recovery of
 * 100 runs after a kill, with 1,000 to 1,000,000 finished runs in the store, embedded and on PostgreSQL with fsync on.
 * SQL copies the finished runs from one that the engine has run (one turn: a dozen rows, about 5 KB); 1,000 of them end
 * on each day. `node bench/shared/curve.ts [--json] [--largest=1000000] [--turns=1400] [--only=embedded|postgres]`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { App } from '../../engine/src/app/app.ts';
import type { ModelAnswer } from '../../engine/src/model/model.ts';
import type { SqlConnection } from '../../engine/src/store/postgres/sql-database.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { TABLES, type TableName } from '../../engine/src/store/tables.ts';
import { numberArgument, print, round } from '../durable/figures.ts';
import { addItems, addRun, makeRoot, onStatus, openStage, removeRoot, runMany } from '../durable/stage.ts';
import { openServer, openSharedStage } from './stage.ts';

const largest = numberArgument('largest', 1_000_000);
const turns = numberArgument('turns', 1400);
const SIZES = [1000, 10_000, 100_000, 1_000_000].filter((size) => size <= largest);
const HELD = 100;
const play = addItems(6);
const last = addItems(0);
const argument = (name: string) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '';

/** Columns with the id of the run or its thread: a copy gets new ids there, older than all ids that are created now. */
const NAMING: Partial<Record<TableName, readonly (readonly [string, 'run' | 'th'])[]>> = {
  run: [['id', 'run']],
  machine: [
    ['id', 'run'],
    ['root', 'run'],
  ],
  thread: [
    ['id', 'th'],
    ['run', 'run'],
  ],
  message: [['thread', 'th']],
  event: [['thread', 'th']],
  entry: [['scope', 'run']],
  spend: [['run', 'run']],
};

/** SQL of a database: a table of numbers `n`, an id with that number, a day that 1,000 numbers share. */
interface Copying {
  readonly series: string;
  readonly id: (prefix: string) => string;
  readonly day: string;
}

/** Statements that copy the rows of one run, once for each number. */
function copies(runId: string, threadId: string, { series, id, day }: Copying): string[] {
  return Object.entries(NAMING).map(([table, naming]) => {
    const named = new Map(naming);
    const columns = Object.keys(TABLES[table as TableName].columns);
    const values = columns.map((column) =>
      column === 'day' ? day : named.has(column) ? id(named.get(column)!) : `t.${column}`,
    );
    const [[first, kind]] = naming as [readonly [string, 'run' | 'th']];
    const where = `t.${first} = '${kind === 'run' ? runId : threadId}'`;
    return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table} t, ${series} WHERE ${where}`;
  });
}

/** Runs one run to its end, as the template of the copies. */
async function template(app: App): Promise<{ runId: string; threadId: string }> {
  const ended = new Promise<string>((resolve) => onStatus(app, (id, status) => status === 'completed' && resolve(id)));
  await addRun(app);
  app.engine.queued();
  const runId = await ended;
  const [thread] = await app.deps.store.list('thread', { where: [['run', '=', runId]] });
  return { runId, threadId: thread!.id };
}

async function turnMs(app: App): Promise<number> {
  await runMany(app, 10, 1);
  const runs = Math.ceil(turns / 7);
  const began = performance.now();
  await runMany(app, runs, 1);
  return (performance.now() - began) / (runs * 7);
}

async function pageMs({ deps: { store } }: App): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 21; n++) {
    const began = performance.now();
    await store.list('run', { order: [['id', 'desc']], limit: 51 });
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[10]!;
}

/** Kills a child process whose runs all wait for the model; returns the time until this app has continued all of them. */
async function recoveryMs(
  args: readonly string[],
  open: (ask: () => Promise<ModelAnswer>) => Promise<App>,
): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  const began = performance.now();
  await once(child, 'exit');
  let asked = 0;
  const all = Promise.withResolvers<void>();
  const app = await open(async () => {
    if (++asked === HELD) all.resolve();
    return last(1);
  });
  await app.start();
  await all.promise;
  const ms = performance.now() - began;
  await app.close();
  return ms;
}

/** The process that will be killed: starts runs whose model never answers. */
async function hold(open: (ask: () => Promise<ModelAnswer>) => Promise<App>): Promise<void> {
  let asked = 0;
  const app = await open(() => {
    if (++asked === HELD) process.stdout.write('ready\n');
    return new Promise<ModelAnswer>(() => {});
  });
  await app.start();
  for (let n = 0; n < HELD; n++) await addRun(app);
  app.engine.queued();
}

const ask = ({ turn }: { turn: number }) => Promise.resolve(play(turn));

async function embedded(root: string): Promise<void> {
  const file = join(root, 'data', 'callsheet.db');
  const once = await openStage(root, async () => last(1));
  await once.engine.start();
  const { runId, threadId } = await template(once);
  await once.close();
  let stored = 0;
  for (const size of SIZES) {
    const db = new DatabaseSync(file);
    db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
    for (; stored < size; stored = Math.min(size, stored + 100_000)) {
      const to = Math.min(size, stored + 100_000);
      const series = `(WITH RECURSIVE s(n) AS (SELECT ${stored} UNION ALL SELECT n + 1 FROM s WHERE n < ${to - 1}) SELECT n FROM s)`;
      db.exec('BEGIN');
      const id = (prefix: string) => `printf('${prefix}_0%020d', n)`;
      const day = `date('2020-01-01', '+' || (n / 1000) || ' days')`;
      for (const text of copies(runId, threadId, { series, id, day })) db.exec(text);
      db.exec('COMMIT');
    }
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    const app = await openStage(root, ask);
    await app.engine.start();
    const figures = { msPerTurn: round(await turnMs(app), 2), firstPageMs: round(await pageMs(app), 1) };
    await app.close();
    const recovered = await recoveryMs([`--hold=${root}`], (play) => openStage(root, play));
    const mb = Math.round(statSync(file).size / 1e6);
    print(`embedded, ${size} runs stored`, { ...figures, takenUpMs: Math.round(recovered), mb });
  }
}

async function postgres(root: string): Promise<void> {
  const server = await openServer('curve');
  if (server === undefined) return;
  const url = await server.createDatabase();
  const open = (play: (request: { turn: number }) => Promise<ModelAnswer>) =>
    openSharedStage({ url, root, role: 'start' }, play);
  const link = openPg(url);
  try {
    const once = await open(async () => last(1));
    await once.start();
    const { runId, threadId } = await template(once);
    await once.close();
    let stored = 0;
    for (const size of SIZES) {
      for (; stored < size; stored = Math.min(size, stored + 100_000)) {
        const to = Math.min(size, stored + 100_000);
        const series = `generate_series(${stored}, ${to - 1}) AS s(n)`;
        const id = (prefix: string) => `'${prefix}_0' || lpad(n::text, 20, '0')`;
        const day = `to_char(date '2020-01-01' + n / 1000, 'YYYY-MM-DD')`;
        await link.transaction(async (one: SqlConnection) => {
          await one.query('SET LOCAL synchronous_commit = off');
          await one.query('SET LOCAL enable_seqscan = on');
          for (const text of copies(runId, threadId, { series, id, day })) await one.query(text);
        });
      }
      await link.query('VACUUM ANALYZE');
      await link.query('CHECKPOINT');
      const app = await open(ask);
      await app.start();
      const figures = { msPerTurn: round(await turnMs(app), 2), firstPageMs: round(await pageMs(app), 1) };
      await app.close();
      const recovered = await recoveryMs([`--hold=${root}`, `--url=${url}`], open);
      const { rows } = await link.query('SELECT pg_database_size(current_database()) AS bytes');
      const mb = Math.round(Number(rows[0]?.['bytes']) / 1e6);
      print(`postgres, ${size} runs stored`, { ...figures, takenUpMs: Math.round(recovered), mb });
    }
  } finally {
    await link.close();
    await server.remove();
  }
}

if (argument('hold') !== '') {
  const [root, url] = [argument('hold'), argument('url')];
  await hold((play) => (url === '' ? openStage(root, play) : openSharedStage({ url, root, role: 'start' }, play)));
} else
  for (const measure of [embedded, postgres]) {
    if (!['', measure.name].includes(argument('only'))) continue;
    const root = await makeRoot();
    try {
      await measure(root);
    } finally {
      await removeRoot(root);
    }
  }
