import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/src/base/error.ts';
import { keyIdOf, makeKey } from '../../../engine/src/store/cipher.ts';
import { readSqliteKeyState } from '../../../engine/src/store/sqlite/rotate-key.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import { isFull } from '../../available.ts';
import { bundled } from '../../flow/bundled.ts';
import { fill, findWords, missing, NAME, WORD } from '../folder.ts';
import { TABLE_NAMES, TABLES } from '../../../engine/src/store/tables.ts';

const ROWS = 80;
const LENGTH = 2000;
const KILLS = isFull ? 60 : 2;
const PROCESS = 'store/sqlite/rotate-key-process.ts';

let root: string;
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'callsheet-rekey-'))));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** About how long the work takes, in milliseconds: the newest time, and a little more after each kill, since the machine may be busy or not. */
let spentMs = 0;

/** Runs the process and kills it at any moment of its work, unless it is faster. */
async function runAWhile(...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [await bundled(PROCESS), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  await once(child.stdout, 'data');
  const began = performance.now();
  await Promise.race([wait(Math.random() * spentMs), closed]);
  child.kill('SIGKILL');
  const [code] = await closed;
  spentMs = code === 0 ? performance.now() - began : 1.1 * spentMs;
}

/** How long the work takes when nobody interferes. */
async function timeOf(...args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [await bundled(PROCESS), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  const began = performance.now();
  await closed;
  return performance.now() - began;
}

function copy(name: string): string {
  return copyOf(join(root, name));
}

function copyOf(dir: string): string {
  const to = mkdtempSync(join(root, 'copy-'));
  cpSync(dir, to, { recursive: true });
  return to;
}

function opens(dir: string, key: string): boolean {
  try {
    readSqliteKeyState(dir, key);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'STORE_KEY_WRONG') return false;
    throw error;
  }
}

async function faultsOf(dir: string, key: string): Promise<string[]> {
  const store = openSqlite({ dir, key });
  const faults = await missing(store, ROWS, LENGTH);
  await store.close();
  return faults;
}

/** Ids of the keys that rows are under, straight from the beginnings in the file; one of them is undefined for rows in plain text. */
function keysIn(dir: string): Set<string | undefined> {
  const db = new DatabaseSync(join(dir, 'callsheet.db'), { readOnly: true });
  const ids = TABLE_NAMES.filter((table) => 'body' in TABLES[table].columns).flatMap((table) =>
    db
      .prepare(`SELECT substr(body, 1, 64) AS body FROM ${table}`)
      .all()
      .map((row) => keyIdOf(row['body'])),
  );
  db.close();
  return new Set(ids);
}

describe(`a change of keys that is killed ${KILLS} times half way`, () => {
  const key = makeKey();
  beforeAll(async () => {
    for (const [name, own] of Object.entries({ plain: undefined, sealed: key })) {
      mkdirSync(join(root, name));
      const store = openSqlite({ dir: join(root, name), key: own });
      await fill(store, ROWS, LENGTH);
      await store.close();
    }
  }, 60_000);

  test(
    'goes on where it was; either key opens everything meanwhile, and in the end only the new one does',
    async () => {
      spentMs = await timeOf(copy('sealed'), key, makeKey());
      const dir = copy('sealed');
      let [from, to] = [key, makeKey()];
      let cuts = 0;
      for (let tries = 0; cuts < KILLS && tries < KILLS * 10; tries++) {
        await runAWhile(dir, from, to);
        if (!opens(dir, from)) [from, to] = [to, makeKey()];
        expect(await faultsOf(dir, from)).toEqual([]);
        if (readSqliteKeyState(dir, from).rotatingTo === undefined) continue;
        cuts++;
        const other = copyOf(dir);
        expect(await faultsOf(other, to)).toEqual([]);
        expect(keysIn(other).size).toBe(1);
        expect(opens(other, from)).toBe(false);
        rmSync(other, { recursive: true });
      }
      expect(cuts).toBe(KILLS);
      await timeOf(dir, from, to);
      expect(opens(dir, from)).toBe(false);
      expect(keysIn(dir).size).toBe(1);
      expect(await faultsOf(dir, to)).toEqual([]);
    },
    KILLS * 25_000 + 60_000,
  );

  test(
    'from plain text leaves nothing in plain text, wherever it was cut',
    async () => {
      spentMs = await timeOf(copy('plain'), key);
      let cuts = 0;
      for (let tries = 0; cuts < KILLS && tries < KILLS * 10; tries++) {
        const dir = copy('plain');
        await runAWhile(dir, key);
        const hasWords = findWords(dir, [WORD]).length > 0;
        const isBegun = keysIn(dir).size > 1;
        if (isBegun) expect(() => openSqlite({ dir })).toThrow(expect.objectContaining({ code: 'STORE_KEY_MISSING' }));
        if (isBegun && hasWords) cuts++;
        expect(await faultsOf(dir, key)).toEqual([]);
        expect(findWords(dir, [WORD, NAME])).toEqual([]);
        rmSync(dir, { recursive: true });
      }
      expect(cuts).toBe(KILLS);
    },
    KILLS * 25_000 + 60_000,
  );
});
