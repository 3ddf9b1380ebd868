import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, openApp } from '../../engine/src/app/app.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import { readPlan } from '../../engine/src/run/plan/plan-record.ts';
import { recordOf, type Run } from '../../engine/src/run/run.ts';
import { waitUntilSettled } from '../../engine/src/run/wait-until-settled.ts';
import { listItems } from '../../engine/src/workspace/items.ts';
import { root as repository } from '../available.ts';

const root = mkdtempSync(join(tmpdir(), 'callsheet-desk-'));
let app: App;

beforeAll(async () => {
  cpSync(join(repository, 'config'), join(root, 'config'), { recursive: true });
  cpSync(join(repository, 'samples'), join(root, 'inbox'), { recursive: true });
  const folders = { configDir: join(root, 'config'), dataDir: join(root, 'data') };
  app = await openApp({ ...folders, env: () => undefined, log: silentLogger, watch: false });
  await app.engine.start();
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true, force: true });
});

test('the shipped desk plans, works and answers with no key and no network, and leaves a draft as a file', async () => {
  const { deps } = app;
  const { run, changes } = await createRun(deps, {
    config: app.config.current(),
    directorId: 'desk',
    trigger: { kind: 'message', message: 'What is new? Draft a note for me.' },
    startedBy: 'local',
  });
  await deps.store.apply(changes);
  app.engine.queued();
  await waitUntilSettled(deps, run.id, { ms: 60_000 });
  const row = await deps.store.get('run', { id: run.id });
  const ended: Run | undefined = row && recordOf(row).run;
  expect(ended).toMatchObject({ status: 'completed', mode: 'plan', scripted: true });
  expect(ended?.summary).toMatch(/a draft to yourself lies/);
  const plan = await readPlan(deps.store, run.id);
  expect(plan?.steps.map(({ tool, status, tries }) => [tool, status, tries.length])).toEqual([
    ['mail_search', 'passed', 1],
    ['mail_draft', 'passed', 1],
  ]);
  const items = await listItems(deps.store, run.workspaceId);
  expect(items.map(({ mimeType, label }) => [mimeType, label])).toEqual([
    ['message/rfc822', 'What you asked the desk'],
  ]);
});
