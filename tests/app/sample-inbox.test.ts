import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillInbox } from '../../engine/src/app/sample-inbox.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import type { Snapshot } from '../../engine/src/config/config.ts';
import { root } from '../available.ts';

describe('the sample mails', () => {
  let base = '';
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'callsheet-samples-'));
    mkdirSync(join(base, 'data'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const fill = (dir: string) => {
    const account = { id: 'archive', provider: 'folder', email: 'me@example.org', path: './inbox' };
    const snapshot = { accounts: new Map([['archive', account]]) } as unknown as Snapshot;
    return fillInbox(
      { dataDir: join(base, 'data'), baseDir: base, config: { dir, current: () => snapshot } },
      silentLogger,
    );
  };
  const inbox = () => (existsSync(join(base, 'inbox')) ? readdirSync(join(base, 'inbox')) : []);
  const shipped = join(root, 'config');

  test('fill the empty inbox of the shipped config', async () => {
    await fill(shipped);
    expect(inbox().length).toBeGreaterThanOrEqual(12);
  });

  test('do not come back once they were put out', async () => {
    await fill(shipped);
    rmSync(join(base, 'inbox'), { recursive: true });
    await fill(shipped);
    expect(inbox()).toEqual([]);
  });

  test('leave a filled inbox alone', async () => {
    mkdirSync(join(base, 'inbox'));
    writeFileSync(join(base, 'inbox', 'own.eml'), 'x');
    await fill(shipped);
    expect(inbox()).toEqual(['own.eml']);
  });

  test('are not for another config', async () => {
    mkdirSync(join(base, 'config'));
    await fill(join(base, 'config'));
    expect(inbox()).toEqual([]);
  });
});
