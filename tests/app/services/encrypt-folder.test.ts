import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { type Logger, silentLogger } from '../../../engine/src/base/log.ts';
import { encryptFolder } from '../../../engine/src/app/services/encrypt-folder.ts';
import { encryptionOf, type EncryptionSwitch, type StoreFacts } from '../../../engine/src/app/services/encryption.ts';
import { envFileObstacle, removeKeyLine, writeKeyLine } from '../../../engine/src/app/services/env-key.ts';
import { makeKey } from '../../../engine/src/store/cipher.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import { fill, findWords, missing, WORD } from '../../store/folder.ts';

const ROWS = 3;
let dir: string;
let dataDir: string;
let envPath: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-encrypt-'));
  dataDir = join(dir, 'data');
  envPath = join(dir, '.env');
  mkdirSync(dataDir);
  const store = openSqlite({ dir: dataDir });
  await fill(store, ROWS);
  await store.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const keyInFile = () => (existsSync(envPath) ? parseEnv(readFileSync(envPath, 'utf8'))['VX_MAILAGENT_KEY'] : undefined);
const encrypt = (log: Logger = silentLogger) => encryptFolder({ dataDir, envPath, log, redactor: createRedactor() });
/** Opens the folder as the next start does, with the key of the file or without one; returns what is not there any more. */
const startAgain = async () => {
  const store = openSqlite({ dir: dataDir, key: keyInFile() });
  const { storage } = store;
  const lost = await missing(store, ROWS);
  await store.close();
  return { storage, lost };
};

describe('a folder that is encrypted', () => {
  test('has no plain text, and its key in the env file', async () => {
    expect(findWords(dataDir, [WORD])).not.toEqual([]);
    expect(await encrypt()).toBeUndefined();
    expect(findWords(dataDir, [WORD])).toEqual([]);
    expect(await startAgain()).toEqual({ storage: 'encrypted', lost: [] });
  });

  test.each([
    ['before the key is written', 'key made', 'plaintext'],
    ['once the key is written', 'a new key is in the env file', 'encrypted'],
    ['while rows are sealed', 'encrypting the rows', 'encrypted'],
    ['at the end', 'is encrypted', 'encrypted'],
  ])('loses nothing when its process is killed %s', async (_name, step, storage) => {
    const program = fileURLToPath(new URL('killed-encryption.ts', import.meta.url));
    const { signal, stderr } = spawnSync(process.execPath, [program, dataDir, envPath, step], { encoding: 'utf8' });
    expect([signal, stderr]).toEqual(['SIGKILL', '']);
    expect(await startAgain()).toEqual({ storage, lost: [] });
    if (storage === 'plaintext') expect(await encrypt()).toBeUndefined();
    expect(findWords(dataDir, [WORD])).toEqual([]);
  });
});

describe('an encryption that fails', () => {
  test('before the first row takes the key out of the file again', async () => {
    writeFileSync(envPath, 'A=1\n');
    const other = new DatabaseSync(join(dataDir, 'callsheet.db'));
    // The store finds a write lock that was taken after the check.
    const info = (text: string) => {
      if (text.includes('new key')) other.exec('BEGIN IMMEDIATE');
    };
    const failure = await encrypt({ ...silentLogger, info });
    expect(failure?.message).toMatch(/locked|busy/);
    other.close();
    expect(readFileSync(envPath, 'utf8')).toBe('A=1\n');
    expect(await startAgain()).toEqual({ storage: 'plaintext', lost: [] });
  }, 30_000);

  test('half-way keeps the key, says where it is, and the next start finishes the work', async () => {
    const other = new DatabaseSync(join(dataDir, 'callsheet.db'));
    const info = (text: string) => {
      if (text.startsWith('encrypting the rows')) other.exec('BEGIN IMMEDIATE');
    };
    await expect(encrypt({ ...silentLogger, info })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      hint: expect.stringContaining(envPath),
    });
    other.close();
    expect(keyInFile()).toMatch(/^[0-9a-f]{64}$/);
    expect(await startAgain()).toEqual({ storage: 'encrypted', lost: [] });
    expect(findWords(dataDir, [WORD])).toEqual([]);
  }, 30_000);

  test('since another program has the database open begins nothing', async () => {
    const other = new DatabaseSync(join(dataDir, 'callsheet.db'), { readOnly: true });
    other.prepare('SELECT count(*) FROM mail').get();
    expect(await encrypt()).toMatchObject({ code: 'DATA_LOCKED' });
    other.close();
    expect(existsSync(envPath)).toBe(false);
  });
});

describe('the key line', () => {
  const key = makeKey();

  test.each([
    ['no file', undefined, `VX_MAILAGENT_KEY=${key}\n`],
    ['a file without a last line break', '# c\nA="1 2"', `# c\nA="1 2"\nVX_MAILAGENT_KEY=${key}\n`],
    ['an empty line of the key', 'VX_MAILAGENT_KEY=\nA=1\n', `VX_MAILAGENT_KEY=\nA=1\nVX_MAILAGENT_KEY=${key}\n`],
  ])('is added to %s, which only its owner can read then', (_name, before, after) => {
    if (before !== undefined) writeFileSync(envPath, before, { mode: 0o644 });
    writeKeyLine(envPath, key);
    expect(readFileSync(envPath, 'utf8')).toBe(after);
    expect(statSync(envPath).mode & 0o777).toBe(0o600);
    expect(keyInFile()).toBe(key);
    removeKeyLine(envPath, key);
    expect(keyInFile() ?? '').toBe('');
  });

  test('leaves bytes that are no UTF-8 as they are', () => {
    const before = Buffer.from([0x41, 0x3d, 0xe9, 0x0d, 0x0a]);
    writeFileSync(envPath, before);
    writeKeyLine(envPath, key);
    expect(readFileSync(envPath).subarray(0, before.length)).toEqual(before);
    removeKeyLine(envPath, key);
    expect(readFileSync(envPath)).toEqual(before);
  });

  test('goes into the file behind a link, which stays a link', () => {
    writeFileSync(join(dir, 'real.env'), 'A=1\n');
    symlinkSync('real.env', envPath);
    writeKeyLine(envPath, key);
    expect(readFileSync(join(dir, 'real.env'), 'utf8')).toContain(key);
  });

  test.each([
    ['has a key already', () => writeFileSync(envPath, `VX_MAILAGENT_KEY=${key}\n`), 'did not start with'],
    ['is a folder', () => mkdirSync(envPath), 'is not a file'],
    ['has no folder', () => (envPath = join(dir, 'nowhere', '.env')), 'cannot be written'],
  ])('is refused where the file %s', (_name, set, reason) => {
    set();
    expect(envFileObstacle(envPath, dataDir)).toContain(reason);
  });

  test.skipIf(!existsSync('/proc'))('is refused where the data are on another disk (left out without /proc)', () => {
    expect(envFileObstacle(envPath, dataDir)).toBeUndefined();
    expect(envFileObstacle(envPath, '/proc')).toContain('another disk');
  });

  test.skipIf(process.getuid?.() === 0)('is refused where the file may not be written (left out as root)', () => {
    writeFileSync(envPath, 'A=1\n');
    chmodSync(envPath, 0o400);
    expect(envFileObstacle(envPath, dataDir)).toContain('cannot be written');
  });
});

describe('a click is refused', () => {
  const plain = { storage: 'plaintext', isShared: false } as const;
  const click = (facts: Partial<StoreFacts>, given: Partial<EncryptionSwitch> = {}) => {
    const from = { envFile: { path: envPath, isNamed: false }, processEnv: () => undefined, onBegin: () => {} };
    return encryptionOf({ ...plain, dataDir, ...facts }, { ...from, ...given });
  };

  test.each([
    ['where the data are encrypted', { storage: 'encrypted' }, {}, 'encrypted already'],
    ['where the store is a shared database', { isShared: true }, {}, 'shared database'],
    ['where the environment has the variable, even empty', {}, { processEnv: () => '' }, 'environment of the server'],
    ['where --env-file names the file', {}, { envFile: { path: '/etc/x.env', isNamed: true } }, '--env-file'],
  ] satisfies [string, Partial<StoreFacts>, Partial<EncryptionSwitch>, string][])(
    '%s',
    (_name, facts, given, reason) => {
      const encryption = click(facts, given);
      expect(encryption.state().obstacle).toContain(reason);
      expect(() => encryption.begin()).toThrow(reason);
    },
  );

  test('a second time, and counts the first time only', () => {
    let begun = 0;
    const encryption = click({}, { onBegin: () => begun++ });
    encryption.begin();
    expect(() => encryption.begin()).toThrow('already');
    expect([begun, encryption.state().isUnderWay]).toEqual([1, true]);
  });
});
