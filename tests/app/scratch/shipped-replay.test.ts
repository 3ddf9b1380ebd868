import { cpSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, openApp } from '../../../engine/src/app/app.ts';
import { openScratch } from '../../../engine/src/app/scratch/open-scratch.ts';
import { recordingSource } from '../../../engine/src/app/scratch/recording-source.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { replayAll } from '../../../engine/src/replay/compare/replay-all.ts';
import { recordRun } from '../../../engine/src/replay/read/recording.ts';
import { createRun } from '../../../engine/src/run/lifecycle/create.ts';
import { recordOf } from '../../../engine/src/run/run.ts';
import { root } from '../../available.ts';
import { sharedRecogniser, sharedThreads } from '../../run/shared-threads.ts';

const env = () => undefined;
let place: string;
let app: App;
let plannedRun: string;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'callsheet-shipped-'));
  for (const folder of ['config', 'documents']) cpSync(join(root, folder), join(place, folder), { recursive: true });
  cpSync(join(root, 'samples'), join(place, 'inbox'), { recursive: true });
  // A file that is still being written is left for later.
  for (const file of readdirSync(join(place, 'inbox')))
    utimesSync(join(place, 'inbox', file), new Date(0), new Date(0));
  const folders = { configDir: join(place, 'config'), dataDir: join(place, 'data') };
  app = await openApp({
    ...folders,
    env,
    log: silentLogger,
    watch: false,
    threads: sharedThreads,
    recogniser: sharedRecogniser,
  });
  await app.engine.start();
  await app.fetcher.fetch();
  // What no mail of the samples starts: a plan, whose draft becomes a file of the workspace.
  const { run, changes } = await createRun(app.deps, {
    ...{ config: app.config.current(), directorId: 'desk', startedBy: 'test' },
    trigger: { kind: 'message', message: 'What is new? Draft a note for me.' },
  });
  await app.deps.store.apply(changes);
  app.engine.queued();
  plannedRun = run.id;
});

afterAll(async () => {
  await app.close();
  rmSync(place, { recursive: true, force: true });
});

const runs = async () => (await app.deps.store.list('run', { order: [['id', 'asc']] })).map((row) => recordOf(row).run);

const runOf = async (id: string) => {
  const found = (await runs()).find((run) => run.id === id);
  if (found === undefined) throw new Error(`no run ${id}`);
  return found;
};

test('every run of the shipped config, on its samples and on a message, has no difference when it is replayed', async () => {
  await expect
    .poll(async () => (await runs()).map(({ status }) => status), { timeout: 120_000 })
    .not.toContain('running');
  await expect
    .poll(async () => (await runs()).every(({ status }) => status === 'completed'), { timeout: 120_000 })
    .toBe(true);
  const all = await runs();
  expect(await app.deps.store.count('item', [['workspace', '=', (await runOf(plannedRun)).workspaceId]])).toBe(1);
  expect(all.length).toBeGreaterThan(12);
  const scratch = await openScratch({
    configDir: join(place, 'config'),
    env,
    threads: sharedThreads,
    recogniser: sharedRecogniser,
  });
  const source = recordingSource(app);
  const before = { config: app.config.current(), tools: app.deps.tools.of(app.config.current()) };
  const report = await replayAll(scratch, {
    ...{ against: 'itself', base: before, mails: [] },
    runs: all.map(({ id }) => ({ name: id, subject: '', load: () => recordRun(source, id), before })),
  });
  await scratch.close();
  expect(report.changed.flatMap(({ differences }) => differences.map(({ text }) => text))).toEqual([]);
  expect([report.leftOut, report.warnings, report.tiers[1]?.total]).toEqual([[], [], all.length]);
}, 300_000);
