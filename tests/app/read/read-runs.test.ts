import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLocalStore } from '../../../engine/src/app/local-store.ts';
import { readRuns } from '../../../engine/src/app/read/read-runs.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { Change } from '../../../engine/src/store/store.ts';
import { openDesk } from '../../api/harness.ts';

describe('the runs of a data folder without a server', () => {
  let root: string;
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'callsheet-read-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const contextOf = (env: Readonly<Record<string, string>> = {}) => ({
    ...{ configDir: join(root, 'no-config'), dataDir: join(root, 'data') },
    ...{ env: (name: string) => env[name], log: silentLogger, redactor: createRedactor() },
  });

  test('are what the server answers, with the names of people and damaged runs', async () => {
    const desk = await openDesk();
    for (const message of ['one', 'two', 'three']) await desk.post('/api/runs', { directorId: 'boss', message });
    await desk.rest();
    const { store } = desk.stage.app.deps;
    const [damaged] = await store.list('run', { limit: 1, bodies: false });
    await store.apply([{ op: 'update', table: 'run', key: { id: damaged?.id ?? '' }, set: { body: '{broken' } }]);
    const queries = ['limit=2', 'status=completed&directorId=boss', 'q=one', 'directorId=nobody', 'idPrefix=run'];
    const served = [];
    for (const query of queries) served.push((await desk.get(`/api/runs?${query}`)).json);
    const copy = await openLocalStore(contextOf());
    for (const table of ['run', 'searchAdded'] as const)
      await copy.store.apply((await store.list(table)).map((row) => ({ op: 'put', table, row }) as Change));
    await copy.close();
    await desk.close();
    for (const [n, query] of queries.entries())
      expect(JSON.parse(JSON.stringify(await readRuns(contextOf(), new URLSearchParams(query))))).toEqual(served[n]);
  });

  test('are not read while another process has the folder, and can be read after it', async () => {
    const other = await openLocalStore(contextOf());
    await expect(readRuns(contextOf(), new URLSearchParams())).rejects.toMatchObject({ code: 'DATA_LOCKED' });
    await other.close();
    expect(await readRuns(contextOf(), new URLSearchParams())).toEqual({ items: [], nextCursor: null });
  });

  test('leave the folder unlocked after a wrong query', async () => {
    const query = new URLSearchParams('status=busy');
    for (let n = 0; n < 2; n++)
      await expect(readRuns(contextOf(), query)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('need the key of an encrypted store', async () => {
    const key = 'ab'.repeat(32);
    expect(await readRuns(contextOf({ VX_MAILAGENT_KEY: key }), new URLSearchParams())).toMatchObject({ items: [] });
    await expect(readRuns(contextOf(), new URLSearchParams())).rejects.toMatchObject({ code: 'STORE_KEY_MISSING' });
  });

  test('leave no search index of memories in plain text where they are the first to use a new key', async () => {
    await readRuns(contextOf(), new URLSearchParams());
    const files = ['memory-index.db', 'memory-index.db-wal'].map((name) => join(root, 'data', name));
    for (const file of files) writeFileSync(file, 'what a person told an agent');
    await readRuns(contextOf(), new URLSearchParams());
    expect(files.map((file) => existsSync(file))).toEqual([true, true]);
    await readRuns(contextOf({ VX_MAILAGENT_KEY: 'ab'.repeat(32) }), new URLSearchParams());
    expect(files.map((file) => existsSync(file))).toEqual([false, false]);
  });
});
