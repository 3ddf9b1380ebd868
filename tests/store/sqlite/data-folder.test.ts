import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { lockData } from '../../../engine/src/store/sqlite/data-lock.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import { powerless } from '../../available.ts';

const LOCK = new URL('../../../engine/src/store/sqlite/data-lock.ts', import.meta.url).href;
/** Another user than the owner of the folder: only root can become one. */
const other = process.getuid?.() === 0 ? powerless : undefined;

let root: string;
let dir: string;
let lines: string;
let umask: number;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'callsheet-modes-'));
  chmodSync(root, 0o755);
  dir = join(root, 'data');
  lines = '';
  // Nothing here may depend on the user's mask.
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  rmSync(root, { recursive: true, force: true });
});

const log = createLogger({
  write: (line) => (lines += line),
  clock: systemClock,
  redactor: createRedactor(),
  level: 'info',
  json: false,
  color: false,
});
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);
const modes = () =>
  Object.fromEntries([['.', modeOf(dir)], ...readdirSync(dir).map((name) => [name, modeOf(join(dir, name))])]);

describe.skipIf(process.platform === 'win32')('a data folder (left out on Windows, which has no modes)', () => {
  test('is made for its owner only, with the database, its log and the lock', async () => {
    const lock = lockData(dir, log);
    const store = openSqlite({ dir });
    await store.apply([{ op: 'put', table: 'meta', row: { name: 'x', body: '1' } }]);
    expect(modes()).toMatchObject({
      '.': '700',
      'callsheet.db': '600',
      'callsheet.db-shm': '600',
      'callsheet.db-wal': '600',
      'lock.db': '600',
    });
    expect(Object.values(modes()).filter((mode) => mode !== '600')).toEqual(['700']);
    await store.close();
    lock.release();
  });

  test('of an earlier version is tightened when it is opened, and the log says so once', async () => {
    mkdirSync(dir, { mode: 0o755 });
    for (const name of ['callsheet.db', 'callsheet.db-wal', 'lock.db', 'server.json', 'copy.bak'])
      writeFileSync(join(dir, name), '', { mode: 0o666 });
    lockData(dir, log).release();
    expect(modes()).toMatchObject({ '.': '700', 'callsheet.db': '600', 'server.json': '600', 'copy.bak': '600' });
    expect(lines).toContain('only this user can read the data folder now');
    lines = '';
    lockData(dir, log).release();
    expect(lines).toBe('');
  });

  test('with folders of something else keeps its mode and theirs, and the log warns', () => {
    mkdirSync(join(dir, 'photos'), { recursive: true });
    writeFileSync(join(dir, 'callsheet.db'), '', { mode: 0o644 });
    chmodSync(join(dir, 'photos'), 0o755);
    chmodSync(dir, 0o755);
    lockData(dir, log).release();
    expect(modes()).toEqual({ '.': '755', 'photos': '755', 'callsheet.db': '600', 'lock.db': '600' });
    expect(lines).toMatch(/warn .*others can open the data folder.*chmod 700/);
  });

  test('is tightened through a link, and a link in it is left alone', () => {
    const real = join(root, 'real');
    mkdirSync(real, { mode: 0o755 });
    const outside = join(root, 'outside.txt');
    writeFileSync(outside, '', { mode: 0o644 });
    symlinkSync(real, dir);
    symlinkSync(outside, join(real, 'link.txt'));
    lockData(dir, log).release();
    expect([modeOf(real), modeOf(outside)]).toEqual(['700', '644']);
  });
});

describe.skipIf(other === undefined)('another user of the machine (left out unless root runs the tests)', () => {
  test('cannot lock the data folder', () => {
    lockData(dir, log).release();
    const source = `
      import { DatabaseSync } from 'node:sqlite';
      const db = new DatabaseSync(${JSON.stringify(join(dir, 'lock.db'))}, { readOnly: true });
      db.exec('BEGIN; SELECT * FROM sqlite_master');`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
      ...other,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('unable to open database file')]);
  });

  test('that holds a lock from before keeps the folder shut once, and is out afterwards', async () => {
    mkdirSync(dir, { mode: 0o755 });
    lockOpenly();
    const source = `
      import { DatabaseSync } from 'node:sqlite';
      const db = new DatabaseSync(${JSON.stringify(join(dir, 'lock.db'))}, { readOnly: true });
      db.exec('BEGIN; SELECT * FROM sqlite_master');
      console.log('held');
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', source], {
      ...other,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    expect(() => lockData(dir, log)).toThrow(expect.objectContaining({ code: 'DATA_LOCKED' }));
    const gone = new Promise((resolve) => holder.once('exit', resolve));
    holder.kill();
    await gone;
    lockData(dir, log).release();
    expect(modeOf(join(dir, 'lock.db'))).toBe('600');
  });

  test('that owns the folder is named in a warning, and the folder works', () => {
    mkdirSync(dir, { mode: 0o777 });
    chmodSync(dir, 0o777);
    const source = `
      import { lockData } from ${JSON.stringify(LOCK)};
      const log = { debug() {}, info() {}, error() {}, warn: (message, { hint }) => console.log(message, '|', hint) };
      lockData(${JSON.stringify(dir)}, log);
      console.log('locked');`;
    chownSync(dir, 0, 0);
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
      ...other,
      encoding: 'utf8',
    });
    expect(stderr.replace(/^.*ExperimentalWarning.*\n.*\n/m, '')).toBe('');
    expect(stdout).toMatch(
      /others can open the data folder .* it belongs to another user \(uid 0\)[^]*chown[^]*locked\n$/,
    );
    expect(modeOf(join(dir, 'lock.db'))).toBe('600');
  });
});

/** A lock file as earlier versions made it. */
function lockOpenly(): void {
  writeFileSync(join(dir, 'lock.db'), '', { mode: 0o644 });
  chmodSync(dir, 0o755);
}
