import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { type App, openApp } from '../../../engine/src/app/app.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import { createRun } from '../../../engine/src/run/lifecycle/create.ts';
import { OPEN_STATUSES } from '../../../engine/src/run/run.ts';
import type { Store, TableName } from '../../../engine/src/store/store.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { startPostgres } from '../../postgres.ts';
import { someTime } from '../doomed.ts';
import { brokenTranscripts, gapsInLogs, leftOpen } from '../faults.ts';
import { FROZEN_CASES } from './frozen-cases.ts';
import { frozenModels, frozenTools } from './frozen-run.ts';
import { type Child, startWorker, workerOf } from '../kill-loop.ts';
import { type Happening, World } from '../outside-world.ts';
import { People } from '../people.ts';

const CONTROL = 'control';
const NAMES = Object.keys(FROZEN_CASES);
const TAKEN_OVER_MS = 60_000;

const CONFIG: Readonly<Record<string, string>> = {
  // One run a process: who is frozen takes no other.
  'settings.yaml': 'runs: { concurrency: 1 }\n',
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\n',
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [outside]\npermissions: { allow: [charge, post, fire] }\n',
};

/** All that a process can have written for runs. */
const TABLES: readonly TableName[] = ['run', 'machine', 'ledger', 'approval', 'message', 'entry', 'event', 'lease'];

async function everything(store: Store): Promise<string[]> {
  const tables = await Promise.all(TABLES.map(async (name) => (await store.list(name)).map((row) => [name, row])));
  return tables
    .flat()
    .map((row) => JSON.stringify(row))
    .toSorted();
}

/** Resolves when all of them have said a word. */
async function allSay(children: readonly Child[], word: string): Promise<void> {
  const pattern = new RegExp(`^${word}$`, 'm');
  while (!children.every((child) => pattern.test(child.output()))) {
    for (const { process, output } of children)
      if (process.exitCode !== null || process.signalCode !== null) throw new Error(`one has ended:\n${output()}`);
    await someTime(20);
  }
}

describe.skipIf(longPostgres === undefined)(
  `a process that is frozen for longer than it holds a run, and goes on when another one has worked it${forPostgres}`,
  () => {
    const ends: (() => unknown)[] = [];
    let app: App;
    let world: readonly Happening[];
    const states: string[][] = [];
    const codes: (number | null)[] = [];

    beforeAll(async () => {
      const server = await startPostgres();
      ends.push(() => server.remove());
      const root = mkdtempSync(join(tmpdir(), 'callsheet-shared-frozen-'));
      ends.push(() => rmSync(root, { recursive: true, force: true }));
      for (const [name, text] of Object.entries(CONFIG)) {
        mkdirSync(dirname(join(root, 'config', name)), { recursive: true });
        writeFileSync(join(root, 'config', name), text);
      }
      const url = await server.createDatabase();
      const env = (name: string) => (name === 'KEY' ? 'sk-test-key' : undefined);
      const [log, redactor] = [silentLogger, createRedactor()];
      const happened = new World(join(root, 'world'));
      app = await openApp({
        ...{ env, log, redactor, role: 'start', watch: false },
        configDir: join(root, 'config'),
        dataDir: join(root, 'data'),
        storeHandle: await openSharedStore({ url, env, log, redactor, version: '0' }),
        models: frozenModels(() => {}),
        tools: frozenTools(join(root, 'world'), () => {}),
      });
      ends.push(() => app.close());
      const shared = { ROOT: root, DATABASE_URL: url };
      const program = await workerOf('shared/frozen-worker.ts');
      const start = (more: Record<string, string>) => startWorker(program, { ...shared, ...more });
      const blind = start({ BLIND: '1' });
      const children = [blind, ...NAMES.map(() => start({}))];
      ends.push(() => children.forEach((child) => child.process.kill('SIGKILL')));
      await allSay(children, 'ready');

      // The blind one is alone with its run; all others may have any.
      await begin(app, CONTROL);
      blind.process.kill('SIGUSR2');
      await allSay([blind], 'stops');
      for (const name of NAMES) await begin(app, name);
      for (const child of children) if (child !== blind) child.process.kill('SIGUSR2');
      await allSay(children, 'stops');

      const frozen = performance.now();
      await app.start();
      await isOver(app, new People(app, happened));
      const tookMs = Math.round(performance.now() - frozen);
      process.stderr.write(`${children.length} frozen processes: all runs over after ${tookMs} ms\n`);
      states.push(await everything(app.deps.store));
      for (const child of children) child.process.kill('SIGCONT');
      await allSay(children, 'idle');
      states.push(await everything(app.deps.store));
      world = happened.read();
      for (const { process } of children) process.kill('SIGTERM');
      for (const { exit } of children) codes.push((await exit).code);
    }, TAKEN_OVER_MS + 60_000);

    afterAll(async () => {
      for (const end of ends.reverse()) await end();
    });

    const timesOf = (name: string) => world.filter(({ what }) => what === name).length;

    test.each(NAMES)('does nothing twice, frozen %s', (name) => {
      expect(timesOf(name)).toBe(1);
    });

    test('commits nothing', () => {
      expect(states[1]).toEqual(states[0]);
      expect(codes).toEqual(codes.map(() => 0));
    });

    test('leaves whole what the other one has made of it', async () => {
      const { store } = app.deps;
      expect([...(await leftOpen(store)), ...(await brokenTranscripts(store)), ...(await gapsInLogs(store))]).toEqual(
        [],
      );
      expect(await store.count('run', [['status', '=', 'completed']])).toBe(NAMES.length + 1);
    });

    test('acts again where it is blind for the time that has passed, and the test sees it', () => {
      expect(timesOf(CONTROL)).toBe(2);
    });
  },
);

async function begin({ deps, config }: App, message: string): Promise<void> {
  const trigger = { kind: 'message', message } as const;
  const request = { config: config.current(), directorId: 'boss', trigger, startedBy: 'test' };
  await deps.store.apply((await createRun(deps, request)).changes);
}

/** Waits until all runs are over; a person decides what nobody can know. */
async function isOver({ deps: { store } }: App, people: People): Promise<void> {
  const until = performance.now() + TAKEN_OVER_MS;
  while ((await store.count('run', [['status', 'in', [...OPEN_STATUSES]]])) > 0) {
    if (performance.now() > until) throw new Error(`not over:\n${(await leftOpen(store)).join('\n')}`);
    await people.decideSome();
    await someTime(50);
  }
}
