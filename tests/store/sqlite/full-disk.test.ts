import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSessions } from '../../../engine/src/api/auth/browser-sessions.ts';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { writeServerFile } from '../../../engine/src/cli/server-file.ts';
import { type DataLock, lockData } from '../../../engine/src/store/sqlite/data-lock.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'callsheet-full-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const errorOf = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
};

test('a lock file that is none is named, with what to do about it', () => {
  writeFileSync(join(root, 'lock.db'), 'not a database, but long enough to be looked at\n'.repeat(50));
  expect(errorOf(() => lockData(root))).toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringContaining(`${join(root, 'lock.db')} is damaged`) as string,
    hint: expect.stringContaining('delete this file') as string,
  });
});

const mount = (dir: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir]).status === 0;

function canMount(): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-mount-'));
  const isMounted = mount(dir);
  if (isMounted) spawnSync('umount', [dir]);
  rmSync(dir, { recursive: true, force: true });
  return isMounted;
}

describe.skipIf(!canMount())('a full disk (left out where the tests may not mount a file system)', () => {
  let disk: string;
  beforeEach(() => {
    disk = join(root, 'disk');
    mkdirSync(disk);
    mount(disk);
  });
  afterEach(() => void spawnSync('umount', ['-l', disk]));

  /** Fills the disk up to some free bytes. */
  function fill(left: number): void {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'fill'), Buffer.alloc(Math.max(0, bavail * bsize - left)));
  }
  const full = {
    code: 'STORE_FAILED',
    message: expect.stringContaining('the disk is full') as string,
    hint: expect.stringContaining('free some space') as string,
  };

  test.each([0, 4096, 16_384, 40_960])('is named when the store cannot be opened, with %d bytes left', (left) => {
    fill(left);
    const dir = join(disk, 'data');
    let lock: DataLock | undefined;
    const open = () => {
      lock = lockData(dir);
      openSqlite({ dir });
    };
    const error = errorOf(open);
    lock?.release();
    expect(error).toMatchObject(full);
  });

  test('is named when the address of the server cannot be written', () => {
    fill(0);
    const server = { url: 'http://127.0.0.1:3001', token: 't', pid: 1 };
    expect(errorOf(() => writeServerFile(disk, server))).toMatchObject(full);
  });

  test('is named when the session key cannot be written', async () => {
    fill(0);
    const store = { get: async () => undefined } as unknown as Store;
    await expect(openSessions({ dataDir: disk, store, clock: systemClock })).rejects.toMatchObject(full);
  });
});
