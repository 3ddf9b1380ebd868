import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AppOptions, openApp } from '../../../engine/src/app/app.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';

describe('openApp', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'callsheet-app-'));
    mkdirSync(join(dir, 'config', 'accounts'), { recursive: true });
    const account = 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n';
    writeFileSync(join(dir, 'config', 'accounts', 'inbox.yaml'), account);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const options = (more: Partial<AppOptions> = {}): AppOptions => ({
    configDir: join(dir, 'config'),
    dataDir: join(dir, 'data'),
    env: () => undefined,
    log: silentLogger,
    watch: false,
    ...more,
  });

  test('joins the config and the store, and starts nothing', async () => {
    const app = await openApp(options());
    expect([...app.config.current().accounts.keys()]).toEqual(['inbox']);
    expect(app).toMatchObject({ dataDir: join(dir, 'data'), baseDir: dir, storage: 'plaintext' });
    expect([app.fetcher.status().state, app.engine.load().working]).toEqual(['stopped', 0]);
    expect(app.joined).toBeUndefined();
    await app.close();
  });

  test('refuses a data folder that another app has, and takes it once that one is closed', async () => {
    const first = await openApp(options());
    await expect(openApp(options())).rejects.toMatchObject({ code: 'DATA_LOCKED' });
    await first.close();
    const second = await openApp(options());
    await second.close();
  });

  test('frees the data folder where the rest cannot be opened', async () => {
    const broken = new Error('no environment');
    const env = (name: string) => {
      if (name === 'CALLSHEET_PLAINTEXT') throw broken;
      return undefined;
    };
    await expect(openApp(options({ env }))).rejects.toBe(broken);
    const app = await openApp(options());
    await app.close();
  });

  test('encrypts what it stores where the environment has a key', async () => {
    const app = await openApp(options({ env: (name) => (name === 'VX_MAILAGENT_KEY' ? 'ab'.repeat(32) : undefined) }));
    expect(app.storage).toBe('encrypted');
    await app.close();
    expect(existsSync(join(dir, 'data'))).toBe(true);
    await expect(openApp(options())).rejects.toMatchObject({ code: expect.stringMatching(/^STORE_/) });
  });
});
