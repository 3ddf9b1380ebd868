import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, openApp } from '../../engine/src/app/app.ts';
import { type Clock, systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import type { ApprovalRecord } from '../../engine/src/guard/approval.ts';
import { MODES } from '../../engine/src/run/mode/registry.ts';
import { OPEN_STATUSES, recordOf, type Run } from '../../engine/src/run/run.ts';
import { MIGRATIONS } from '../../engine/src/store/migrations.ts';
import { root } from '../available.ts';
import { MESSAGES, SCENARIOS } from '../fixtures/versions/scenarios.ts';
import { playModels } from '../run/harness.ts';
import { PATIENCE_MS } from '../next-try.ts';

const WEEK_MS = 7 * 86_400_000;

/** The upgrade comes a week after the kill: waits are over, and no time limit has counted. */
const laterClock: Clock = { ...systemClock, now: () => Date.now() + WEEK_MS };

const FIXTURES = join(root, 'tests/fixtures/versions');

/** What a fixture holds: the config, and each run with the states of its machines when it was killed. */
interface Fixture {
  readonly config: Readonly<Record<string, string>>;
  readonly runs: Readonly<Record<string, { readonly id: string; readonly states: readonly string[] }>>;
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));

/** Every combination that there was, oldest first; the last one is that of these sources. */
const COMBINATIONS = readJson('combinations.json') as readonly string[];

const versionOf = (kind: string) => MODES.get(kind)?.machine.version ?? '';
const current = `schema-${MIGRATIONS.length}-run-${versionOf('run')}-session-${versionOf('session')}`;

test('the last combination of machine versions and migrations in the list is the current one', () => {
  const last = COMBINATIONS.at(-1);
  const advice =
    `${current} follows ${last}: make the fixture of ${last} (check out the last commit that had it into a folder, then ` +
    `node tests/fixtures/versions/make.ts FOLDER), and append "${current}" to tests/fixtures/versions/combinations.json. ` +
    `Only while no release has ${last} may you write "${current}" in its place instead.`;
  expect(last, advice).toBe(current);
});

test('every earlier combination has a fixture, and every fixture is of a combination in the list', () => {
  const found = readdirSync(FIXTURES).flatMap((name) => /^(.*)\.db\.br$/.exec(name)?.[1] ?? []);
  expect(found).toEqual(expect.arrayContaining(COMBINATIONS.slice(0, -1)));
  expect(COMBINATIONS).toEqual(expect.arrayContaining(found));
});

const EARLIER = COMBINATIONS.slice(0, -1);

describe.each(EARLIER)('a data folder that %s has left', (name) => {
  const fixture = readJson(`${name}.json`) as Fixture;
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-earlier-'));
  let app: App;
  const answered: string[] = [];

  const open = async () => (await app.deps.store.list('run', { where: [['status', 'in', [...OPEN_STATUSES]]] })).length;
  const runOf = async (id: string): Promise<Run> => {
    const row = await app.deps.store.get('run', { id });
    if (row === undefined) throw new Error(`no run ${id}`);
    return recordOf(row).run;
  };
  const answerAll = async () => {
    for (const row of await app.deps.store.list('approval', { where: [['status', '=', 'pending']] })) {
      const { id, runId } = JSON.parse(row.body) as ApprovalRecord;
      await app.engine.decide(id, { decision: 'allow', by: 'jane' });
      answered.push(runId);
    }
  };

  beforeAll(async () => {
    for (const [file, text] of Object.entries(fixture.config)) {
      mkdirSync(dirname(join(dir, 'config', file)), { recursive: true });
      writeFileSync(join(dir, 'config', file), text);
    }
    mkdirSync(join(dir, 'data'));
    mkdirSync(join(dir, 'inbox'));
    const database = brotliDecompressSync(readFileSync(join(FIXTURES, `${name}.db.br`)));
    writeFileSync(join(dir, 'data', 'callsheet.db'), database);
    app = await openApp({
      configDir: join(dir, 'config'),
      dataDir: join(dir, 'data'),
      env: () => 'sk-test-key',
      log: silentLogger,
      watch: false,
      clock: laterClock,
      models: playModels(() => ({ content: 'Done.' })),
    });
    await app.start();
    for (const began = Date.now(); (await open()) > 0 && Date.now() - began < PATIENCE_MS; await sleep(20))
      await answerAll();
  });
  afterAll(async () => {
    await app.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('has a run in each open state', () => {
    expect(Object.keys(fixture.runs)).toEqual(expect.arrayContaining([...Object.keys(SCENARIOS), 'queued']));
  });

  test.each(Object.entries(fixture.runs).map(([scenario, { id, states }]) => [scenario, states.join(), id]))(
    'carries the run "%s" (%s) to its end',
    async (_scenario, _states, id) => {
      expect(await runOf(id)).toMatchObject({ status: 'completed' });
    },
  );

  test.each(Object.keys(fixture.runs).filter((scenario) => scenario.includes('approval')))(
    'lets a person answer the approval of "%s"',
    (scenario) => {
      expect(answered).toContain(fixture.runs[scenario]?.id);
    },
  );
});

test('messages of a person are in the fixtures of the versions that have sessions', () => {
  const runs = EARLIER.map((name) => (readJson(`${name}.json`) as Fixture).runs);
  expect(runs.some((found) => Object.keys(MESSAGES).every((scenario) => scenario in found))).toBe(true);
});
